package answer

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestMessage(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ contentType, body, want string }{
		"problem+json": {"application/problem+json", `{"type":"about:blank","title":"Unprocessable","detail":"type is unknown","status":422}`,
			"Unprocessable: type is unknown"},
		"OAuth":          {"application/json", `{"error":"invalid_scope","error_description":"no such scope"}`, "invalid_scope: no such scope"},
		"message":        {"application/json", `{"message":"Forbidden"}`, "Forbidden"},
		"capitals":       {"application/json", `{"Message":"Forbidden"}`, "Forbidden"},
		"both":           {"application/json", `{"message":"a","Message":"b"}`, "a"},
		"empty title":    {"application/json", `{"title":"","code":"E1","detail":""}`, "E1"},
		"nested":         {"application/json", `{"error":{"code":"E42","message":"too many"}}`, "E42: too many"},
		"list":           {"application/json", `{"errors":[{"message":"first"},{},{"message":"second"}]}`, "first; second"},
		"and details":    {"application/json", `{"error":"invalid","details":["a","b"]}`, "invalid: a; b"},
		"gateway":        {"application/json", `{"fault":{"faultstring":"Invalid ApiKey","detail":{"errorcode":"oauth.v2.InvalidApiKey"}}}`, "Invalid ApiKey"},
		"said twice":     {"application/json", `{"title":"Not found","detail":"Not found: /v1"}`, "Not found: /v1"},
		"said before":    {"application/json", `{"title":"Not found: /v1","detail":"Not found"}`, "Not found: /v1"},
		"JSON string":    {"application/json", `"no"`, "no"},
		"JSON of no use": {"application/json", `{"a":1, "b":"\u002f"}`, `{"a":1,"b":"/"}`},
		"too deep":       {"", strings.Repeat("[", 8) + `"a"` + strings.Repeat("]", 8), `[[[[[[[["a"]]]]]]]]`},
		"deep":           {"", strings.Repeat("[", 7) + `"a"` + strings.Repeat("]", 7), "a"},
		"deep members":   {"", `{"error":{"error":{"error":{"error":{"error":{"error":{"error":"a"}}}}}}}`, "a"},
		"HTML": {"text/html", "<html><head><title>502 Bad Gateway</title><style>a{}</style><script>if(a<b){}</script></head>" +
			"<body><h1>Bad&nbsp;Gateway</h1>\n<p>nginx</p></body></html>", "502 Bad Gateway Bad Gateway nginx"},
		"called HTML": {"text/html", "no such page", "no such page"},
		"text":        {"text/plain", "upstream connect error\r\n\treset", "upstream connect error reset"},
		"as it came":  {"text/plain", "a\x1b[31mb\x00c caf\xe9", "a\x1b[31mb\x00c caf\xe9"},
		"empty":       {"", "  ", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := Message(test.contentType, []byte(test.body))
			if got = strings.Join(strings.Fields(got), " "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// No body costs more than milliseconds, whatever its size and its nesting; the
// limit allows for a busy machine and the race detector.
func TestHostileBodies(t *testing.T) {
	t.Parallel()
	nested := func(depth, size int) string {
		var b strings.Builder
		for i := range depth {
			fmt.Fprintf(&b, `{"title":"b%04d","detail":`, i)
		}
		return b.String() + `"` + strings.Repeat("x", size) + `"` + strings.Repeat("}", depth)
	}
	for name, body := range map[string]string{
		"large":            nested(9000, 8<<20),
		"within the limit": nested(1500, 20_000),
		"lists":            strings.Repeat("[", 9000) + strings.Repeat("]", 9000),
		"objects":          "[" + strings.Repeat("{},", 20_000) + "{}]",
		"page":             strings.Repeat("<p>x", 2<<20),
		"text":             strings.Repeat("a ", 4<<20),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			text := Message("", []byte(body))
			if took := time.Since(began); took > 5*time.Second || len(text) > maxRead {
				t.Errorf("%d bytes after %s", len(text), took)
			}
		})
	}
}

func FuzzMessage(f *testing.F) {
	f.Add("application/json", []byte(`{"error":{"message":["a",{"detail":"b"}]}}`))
	f.Add("text/html", []byte("<script><b>x</b></script>y"))
	f.Add("text/plain", []byte("\xff\x00\x1b"))
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		got := Message(contentType, body)
		if limit := 6 * maxRead; len(got) > limit || len(bytes.TrimSpace(body)) == 0 && got != "" {
			t.Errorf("%q", got) // at most every byte became the escape of one
		}
		_, _, _ = OAuthCode(body), IsHTML(contentType, body), IsJSON(body)
	})
}
