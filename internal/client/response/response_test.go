package response

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// A document is a page whatever its type; with an HTML type, so is whatever begins with a tag.
func TestIsHTMLPage(t *testing.T) {
	t.Parallel()
	const document, tag, other = "document", "tag", "other"
	for kind, bodies := range map[string][]string{
		document: {
			"<!DOCTYPE html>", "<!doctypehtml><title>", "<!doctype\nhtml PUBLIC", "\n\t <HTML lang=en>",
			"<html", "<!-- a > b --> <!----><html/>", "<!-- x -->\ufeff<html>", "\ufeff\n\ufeff<html>",
			`<?xml version="1.0"?><!-- a --><html xmlns="http://www.w3.org/1999/xhtml">`,
			"<?xml version='1.0'?><!DOCTYPE html PUBLIC>", strings.Repeat(" ", maxRead-6) + "<html>",
		},
		tag: {
			"<noscript>", "\n<STYLE>", "<!-- a --><link rel=x>", "<base", "\ufeff<div\n>", "<h1/>",
			"<center>", "<br>", "<p>OK</p>", "<htmlish/>", "<!doctype notification><html>",
			"<!-- a --><notification/><html>", "<!doctype htmlish>",
		},
		other: {
			"", "html", `{"a":"<html>"}`, "OK <form>", "Created", "<?xml?>?><html>",
			`<?xml version="1.0"?><html-report/>`, `<?xml version="1.0"?><response>queued</response>`,
			"<!-- <html>", "<!-- a -->", strings.Repeat(" ", maxRead) + "<html>",
		},
	} {
		for contentType, isHTML := range map[string]bool{
			"text/html": true, "Text/HTML;charset=utf-8": true, "text/html, text/html": true,
			"application/xhtml+xml": true, "": false, "application/json": false, "text/xml": false,
		} {
			header := http.Header{"Content-Type": {contentType}}
			want := kind == document || kind == tag && isHTML
			for status, counts := range map[int]bool{
				200: true, 203: true, 247: true, 299: true, 201: false, 202: false, 302: false,
			} {
				for _, body := range bodies {
					if got := IsHTMLPage(status, header, []byte(body), nil); got != (want && counts) {
						t.Errorf("status %d, type %q, %s %.60q: an HTML page: %t, want %t", status, contentType,
							kind, body, got, !got)
					}
				}
			}
		}
	}
}

// A body of an HTML type that cannot be read is a page, unless it is a JSON object or array.
func TestIsHTMLPage_unreadable(t *testing.T) {
	t.Parallel()
	const html = "text/html"
	for _, test := range []struct {
		contentType, encoding, body string
		err                         error
		want                        bool
	}{
		{html, "br", "\x1b\x03", nil, true},
		{html, "IDENTITY", "Created", nil, false},
		{html, "br", "", nil, false},
		{html, "br", "[]\n", nil, false},
		{html, "br", ` {"notification_id":"a"} `, nil, false},
		{html, "br", `{"notification_id":"a"`, nil, true},
		{html, "br", `"a"`, nil, true},
		{html, "UTF-8", `{"more":"` + strings.Repeat("x", maxRead) + `"}`, nil, false},
		{"text/plain", "br", "\x1b\x03", nil, false},
		{html, "", "", gzip.ErrHeader, true},
		{"application/json", "", "", gzip.ErrHeader, false},
		{html, "", "", io.ErrUnexpectedEOF, false},
		{html, "", "\xff\xfe<\x00", nil, true},
		{html, "", "\x00Created", nil, true},
		{html, "", "Cr\xe9\xe9", nil, false},
		{"application/xhtml+xml", "", "\x00Created", nil, true},
	} {
		header := http.Header{
			"Content-Type": {test.contentType}, "Content-Encoding": {test.encoding},
		}
		got := IsHTMLPage(200, header, []byte(test.body), test.err)
		if got != test.want || IsHTMLPage(201, header, []byte(test.body), test.err) {
			t.Errorf("%.200v: an HTML page: %t, or so with status 201", test, got)
		}
	}
}

func TestMessage(t *testing.T) {
	t.Parallel()
	const asJSON = "application/json"
	const text, page = "text/plain", "text/html"
	nested := strings.Repeat(`{"error":`, 99) + `"a"` + strings.Repeat("}", 99)
	const otherJSON = `{"a":1, "\u0062":"\u002f\/<\u003c\u0026"}`
	for _, test := range []struct{ contentType, body, want string }{
		{"application/problem+json", `{"type":"about:blank",` +
			`"title":"Unprocessable","detail":"type is unknown","status":422}`,
			"Unprocessable: type is unknown"},
		{asJSON, `{"error":"invalid_scope","error_description":"no such scope"}`,
			"invalid_scope: no such scope"},
		{asJSON, `{"Message":"Forbidden"}`, "Forbidden"},
		{asJSON, `{"message":"a","Message":"b"}`, "a"},
		{asJSON, `{"title":"","error":"E1","detail":"","message":"no","errors":[]}`, "E1: no"},
		{asJSON, `{"error":{"code":42,"message":"too many","n":1e999}}`, "too many"},
		{asJSON, `{"errors":["first","second"]}`, "first"},
		{asJSON, `{"error":{"message":"invalid","errors":[{"title":"a","detail":"b"},{}]}}`,
			"invalid: a: b"},
		{asJSON, `{"error":"Bad Request","message":["1st","2nd"]}`, "Bad Request: 1st"},
		{asJSON, `{"title":"Not found","detail":"Not found: /v1"}`, "Not found: /v1"},
		{asJSON, `{"title":"Not found: /v1","detail":"Not found"}`, "Not found: /v1"},

		// An object without a known member has no message; other text is one.
		{asJSON, otherJSON, ""},
		{page, `{"a":"<b>\"\\u0041\n"}`, ""},
		{"", nested, ""},
		{text, `C:\u0041`, `C:\u0041`},
		{page, "<html><head><title>502 Bad Gateway</title>" +
			"<style>a{}</style><script>if(a<b){}</script></head>" +
			"<body><h1>Bad&nbsp;Gateway</h1>\n<p>nginx</p></body></html>",
			"502 Bad Gateway Bad Gateway nginx"},
		{page + "; charset=utf-8", "denied: <b>no</b>", "denied: no"},
		{"application/xhtml+xml", "denied: <b>no</b>", "denied: no"},
		{text, "denied: <b>no</b>", "denied: <b>no</b>"},
		{text, "<html>denied", "denied"},
		{page, "<style>" + strings.Repeat("a", maxRead-30) + "</style><p>denied<p>secret word", "denied"},
		{page, strings.Repeat("a", maxRead+1), strings.Repeat("a", maxRead)},
		{text, "a\x1b[31mb\tc caf\xe9", "a\x1b[31mb c caf\xe9"},
		{"", "  ", ""},

		// XML has its words in CDATA, or in attributes.
		{"text/xml", "<?xml version='1.0'?><e><![CDATA[no channel]]></e>", "no channel"},
		{"text/xml", `<error code="7" text="no channel"/>`, `<error code="7" text="no channel"/>`},
		{page, `<input value="a">`, ""},

		// What cannot be read is not quoted.
		{text, "\xff\xfen\x00o\x00", ""},
		{text, "no\x00", ""},
		{text, "\x1b\x03\x02\x80", ""},
	} {
		header := http.Header{"Content-Type": {test.contentType}}
		got := Message(header, []byte(test.body))
		if got = strings.Join(strings.Fields(got), " "); got != test.want {
			t.Errorf("%s, %q: got %q, want %q", test.contentType, test.body, got, test.want)
		}
	}
	encoded := http.Header{"Content-Encoding": {"br"}}
	if got := Message(encoded, []byte("no")); got != "" {
		t.Errorf("quoted what is encoded: %q", got)
	}
}

// The JSON of an error response says more than its message in one of many forms.
func TestSaysMore(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]bool{
		`{"title":"Invalid","errors":{"a":["too short"]}}`:            true,
		`{"error":{"code":"E","message":"no","details":[{"f":"a"}]}}`: true,
		`{"errors":["1","2"]}`:                                         true,
		`{"error":"no","notification_id":"n-1"}`:                       true,
		`{"error":"invalid argument","argument":"a"}`:                  true, // not the "a" of "argument"
		`{"type":"quota","error":"no","path":"/a"}`:                    true, // under any name
		`{"code":"400","info":"no plan"}`:                              true, // no message
		`{"error":"no","index":4}`:                                     true,
		`{"error":"no","trace":"0e84-1"}`:                              true, // not the number 0
		`{"error":"` + strings.Repeat("n", 301) + `"}`:                 true,
		`{"error":"no","ok":false,"violations":[],"code":400}`:         false,
		`{"status":"400","title":"a","detail":"b"}`:                    false,
		`{"message":"a is required","errors":{"a":["a is required"]}}`: false,
		`["no"]`: false, `"no"`: false, `no`: false, `{"a":null}`: false,
	} {
		if got := SaysMore([]byte(body), 400); got != want {
			t.Errorf("%s: %t", body, got)
		}
	}
}

// JSON is returned as it is, without the white space around it.
func TestJSON(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		" {\"a\":\"\\u003c\",\"a\" :1}\n": `{"a":"\u003c","a" :1}`, "[1e999]": "[1e999]",
		`"a"`: "", "null": "", "{} {}": "", "{": "", "": "",
	} {
		if got := JSON([]byte(body)); got != want {
			t.Errorf("%q: got %q, want %q", body, got, want)
		}
	}
}

func TestErrorMembers(t *testing.T) {
	t.Parallel()
	for body, test := range map[string]struct {
		members string
		alone   bool
	}{
		`{"id":"a","Error":"x","errors":{"a":[9007199254740993]}}`: {
			`{"Error":"x","errors":{"a":[9007199254740993]}}`, false},
		`{"errors":[{}],"error":"","data":null}`:                            {`{"errors":[{}]}`, true},
		`{"error":" ","studies":[]}`:                                        {`{"error":" "}`, false},
		`{"error":null,"errors":[],"ERROR":-0.0,"Errors":{},"eRror":false}`: {"", false},
		`["error"]`: {"", false},
		`{"errors_count":1,"status":"failed","error":0,"errorS":"","erroR":0e99}`: {"", false},
	} {
		members, alone := ErrorMembers([]byte(body))
		if members != test.members || alone != test.alone {
			t.Errorf("%s: got %s, %t", body, members, alone)
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
		began := time.Now()
		text := Message(nil, []byte(body))
		if took := time.Since(began); took > 5*time.Second || len(text) > maxRead {
			t.Errorf("%s: %d bytes after %s", name, len(text), took)
		}
	}
}

func FuzzMessage(f *testing.F) {
	f.Add("application/json", []byte(`{"error":{"message":["a",{"detail":"b"}]}}`))
	f.Add("text/html", []byte("<script><b>x</b></script>y"))
	f.Add("text/plain", []byte("\xff\x00\x1b"))
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		got := Message(http.Header{"Content-Type": {contentType}}, body)
		if len(got) > 3*maxRead || len(bytes.TrimSpace(body)) == 0 && got != "" {
			t.Errorf("%q", got) // at most, each byte becomes U+FFFD
		}
		_, _ = OAuthCode(body), IsHTMLPage(200, nil, body, nil)
	})
}
