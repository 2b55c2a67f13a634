package response

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestIsHTMLPage(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		"<!DOCTYPE html>": true, "<html>": true, "<HTML lang=en>": true, "\n\t <!doctype HTML": true,
		"<!-- a > b --> <!----><html/>": true, "<!doctype\nhtml PUBLIC": true,
		`<?xml version="1.0"?><!-- a --><html xmlns="http://www.w3.org/1999/xhtml">`: true,
		strings.Repeat(" ", maxRead-6) + "<html>":                                    true,
		"": false, "Created": false, "{}": false, `{"a":"<html>"}`: false, "<html": true,
		"<p>Created</p>": false, "<htmlish/>": false, "<!doctype notification><html>": false,
		`<notification id="9b2f"/>`: false, `<?xml version="1.0"?><html-report/>`: false,
		"<!-- a --><notification/><!-- b --><html>": false, "<?xml?>?><html>": false,
		"\r\n \ufeff<html>": true, "\ufeff\n\ufeff<html>": true, "<!-- x -->\ufeff<html>": true,
		"<!-- <html>": false, "html": false, "&lt;html": false, "<!doctypehtml>": false,
		strings.Repeat(" ", maxRead) + "<html>": false,
	} {
		for status, counts := range map[int]bool{
			200: true, 203: true, 201: false, 202: false, 204: false, 302: false, 404: false,
		} {
			if IsHTMLPage(status, nil, []byte(body), nil) != (want && counts) {
				t.Errorf("%d: %.60q", status, body)
			}
		}
	}
}

// The beginning of an HTML fragment counts only with type text/html.
func TestIsHTMLPage_fragment(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		"<head>": true, "\n<SCRIPT src=a>": true, "<!-- a --><meta charset=utf-8>": true,
		"<title>Sign in": true, "\ufeff<body\n>": true, "<form/>": true,
		"<header>": false, "<metadata/>": false, "<p>": false, "<div>": false, "head": false,
		"OK <form>": false, "<title": true,
	} {
		for contentType, isHTML := range map[string]bool{
			"text/html": true, "Text/HTML;charset=utf-8": true, "text/html; charset": true,
			"": false, "text/plain": false, "application/json": false, "text/html, text/html": true,
		} {
			header := http.Header{"Content-Type": {contentType}}
			if IsHTMLPage(200, header, []byte(body), nil) != (want && isHTML) {
				t.Errorf("%s: %q", contentType, body)
			}
			if IsHTMLPage(202, header, []byte(body), nil) {
				t.Errorf("%s with 202: %q", contentType, body)
			}
		}
	}
}

// A body of type text/html that cannot be read is a page, unless it is JSON.
func TestIsHTMLPage_unreadable(t *testing.T) {
	t.Parallel()
	const html = "text/html"
	for _, test := range []struct {
		contentType, encoding, body string
		err                         error
		want                        bool
	}{
		{html, "br", "\x1b\x03", nil, true},
		{html, "br", "\x1b\x03", io.ErrUnexpectedEOF, true},
		{html, "IDENTITY", "Created", nil, false},
		{html, "br", "", nil, false},
		{html, "br", `{"notification_id":"a"}`, nil, false},
		{html, "UTF-8", `{"more":"` + strings.Repeat("x", maxRead) + `"}`, nil, false},
		{"text/plain", "br", "\x1b\x03", nil, false},
		{html, "", "", gzip.ErrHeader, true},
		{"application/json", "", "", gzip.ErrHeader, false},
		{html, "", "", io.ErrUnexpectedEOF, false},
		{html, "", "\xff\xfe<\x00", nil, true},
		{html, "", "\xfe\xff\x00<", nil, true},
		{html, "", "Created\x00", nil, true},
		{html, "", "Cr\xe9\xe9", nil, false},
	} {
		header := http.Header{
			"Content-Type": {test.contentType}, "Content-Encoding": {test.encoding},
		}
		for status, counts := range map[int]bool{200: true, 203: true, 201: false} {
			if got := IsHTMLPage(status, header, []byte(test.body), test.err); got !=
				(test.want && counts) {
				t.Errorf("%d: %.200v: %t", status, test, got)
			}
		}
	}
}

func TestIsJSON(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		` {"a":1} `: true, "[]\n": true, `{"a":1`: false, "{}{}": false, `"a"`: false,
		"1": false, "null": false, "": false, " ": false, "<html>": false,
	} {
		if IsJSON([]byte(body)) != want {
			t.Errorf("%q", body)
		}
	}
}

func TestMessage(t *testing.T) {
	t.Parallel()
	const asJSON = "application/json"
	for name, test := range map[string]struct{ contentType, body, want string }{
		"problem+json": {"application/problem+json", `{"type":"about:blank",` +
			`"title":"Unprocessable","detail":"type is unknown","status":422}`,
			"Unprocessable: type is unknown"},
		"OAuth": {asJSON, `{"error":"invalid_scope","error_description":"no such scope"}`,
			"invalid_scope: no such scope"},
		"message":  {asJSON, `{"message":"Forbidden"}`, "Forbidden"},
		"capitals": {asJSON, `{"Message":"Forbidden"}`, "Forbidden"},
		"both":     {asJSON, `{"message":"a","Message":"b"}`, "a"},
		"empty title": {asJSON, `{"title":"","error":"E1","detail":"","message":"no","errors":[]}`,
			"E1: no"},
		"in error": {asJSON, `{"error":{"code":42,"message":"too many","n":1e999}}`, "too many"},
		"errors":   {asJSON, `{"errors":["first","second"]}`, "first"},
		"errors in error": {asJSON,
			`{"error":{"message":"invalid","errors":[{"title":"a","detail":"b"},{}]}}`, "invalid: a: b"},
		"list": {asJSON, `{"error":"Bad Request","message":["1st","2nd"]}`, "Bad Request: 1st"},
		"repeated": {asJSON, `{"title":"Not found","detail":"Not found: /v1"}`,
			"Not found: /v1"},
		"repeated first": {asJSON, `{"title":"Not found: /v1","detail":"Not found"}`,
			"Not found: /v1"},

		// Without a known member, the message is the text.
		"other JSON": {asJSON, `{"a":1, "\u0062":"\u002f\/<\u003c\u0026"}`,
			`{"a":1, "\u0062":"\u002f\/<\u003c\u0026"}`},
		"JSON as HTML": {"text/html", `{"a":"<b>\"\\u0041\n"}`, `{"a":"<b>\"\\u0041\n"}`},
		"too deep": {"", strings.Repeat(`{"error":`, 99) + `"a"` + strings.Repeat("}", 99),
			strings.Repeat(`{"error":`, 99) + `"a"` + strings.Repeat("}", 99)},
		"not JSON": {"text/plain", `C:\u0041`, `C:\u0041`},
		"HTML": {"text/html", "<html><head><title>502 Bad Gateway</title>" +
			"<style>a{}</style><script>if(a<b){}</script></head>" +
			"<body><h1>Bad&nbsp;Gateway</h1>\n<p>nginx</p></body></html>",
			"502 Bad Gateway Bad Gateway nginx"},
		"text as HTML":       {"text/html", "no such page", "no such page"},
		"tags in HTML":       {"text/html; charset=utf-8", "denied: <b>no</b>", "denied: no"},
		"tags in XHTML":      {"application/xhtml+xml", "denied: <b>no</b>", "denied: no"},
		"tags in plain text": {"text/plain", "denied: <b>no</b>", "denied: <b>no</b>"},
		"text": {"text/plain", "upstream connect error\r\n\treset",
			"upstream connect error reset"},
		"unchanged": {"text/plain", "a\x1b[31mb\x00c caf\xe9", "a\x1b[31mb\x00c caf\xe9"},
		"empty":     {"", "  ", ""},
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

func TestTokens(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][]string{
		`{"access_token":"a","REFRESH-TOKEN":"b","idToken":"c"}`:               {"a", "b", "c"},
		`[{"token":["a",{"value":"b"}]},{"client_assertion":"c"}]`:             {"a", "b", "c"},
		`{"error":{"access\u005ftoken":{"token_type":"a"}},"Token":"b"}`:       {"a", "b"},
		`{"token_endpoint":"a","token_type":"b","tokens":"c","error":"token"}`: nil,
		`{"token":5,"a":"b","id_token":null,"c":{"token":"d"}}`:                {"d"},
		`{"token":"a",}`:              {"a"},
		`{"token":"a"`:                {"a"},
		`{"a":["b",{"token":"some `:   {"some "},
		`{"token":"a"} {"token":"b"}`: {"a"},
		`{5:"a","token":"b"}`:         nil,
		`{"token":["a"}`:              {"a"},
		`"token"`:                     nil,
		"":                            nil,
		"<token>a</token>":            nil,
		`{"a":"` + strings.Repeat("b", maxRead) + `","token":"c"}`: nil,
		`{"token":[` + strings.Repeat(`"a",`, 1000):                slices.Repeat([]string{"a"}, 1000),
	} {
		if got := Tokens([]byte(body)); !slices.Equal(got, want) {
			t.Errorf("%.100s: %q, want %q", body, got, want)
		}
	}
}

// Any body takes milliseconds, whatever its size and nesting. The limit allows for a busy machine
// and the race detector.
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
		"open lists":       strings.Repeat("[", maxRead),
		"objects":          "[" + strings.Repeat("{},", 20_000) + "{}]",
		"page":             strings.Repeat("<p>x", 2<<20),
		"text":             strings.Repeat("a ", 4<<20),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			text, tokens := Message("", []byte(body)), Tokens([]byte(body))
			if took := time.Since(began); took > 5*time.Second || len(text) > maxRead ||
				len(tokens) > 0 {
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
		if len(got) > 3*maxRead || len(bytes.TrimSpace(body)) == 0 && got != "" {
			t.Errorf("%q", got) // at most, each byte becomes U+FFFD
		}
		_, _, _, _ = OAuthCode(body), IsHTMLPage(200, nil, body, nil), IsJSON(body), Tokens(body)
	})
}
