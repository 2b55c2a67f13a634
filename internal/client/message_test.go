package client

import (
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

func TestMessage(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ contentType, body, want string }{
		"problem+json":   {"application/problem+json", `{"type":"about:blank","title":"Unprocessable","detail":"channels[0].type is unknown","status":422}`, "Unprocessable: channels[0].type is unknown"},
		"OAuth":          {"application/json", `{"error":"invalid_scope","error_description":"no such scope"}`, "invalid_scope: no such scope"},
		"message":        {"application/json", `{"message":"Forbidden"}`, "Forbidden"},
		"capitals":       {"application/json", `{"Message":"Forbidden"}`, "Forbidden"},
		"nested":         {"application/json", `{"error":{"code":"E42","message":"too many"}}`, "E42: too many"},
		"list":           {"application/json", `{"errors":[{"message":"first"},{"message":"second"}]}`, "first; second"},
		"gateway":        {"application/json", `{"fault":{"faultstring":"Invalid ApiKey","detail":{"errorcode":"oauth.v2.InvalidApiKey"}}}`, "Invalid ApiKey"},
		"said twice":     {"application/json", `{"title":"Not found","detail":"Not found: /v1"}`, "Not found: /v1"},
		"JSON string":    {"application/json", `"no"`, "no"},
		"JSON of no use": {"application/json", `{"a":1}`, `{"a":1}`},
		"HTML":           {"text/html", "<html><head><title>502 Bad Gateway</title><style>a{}</style><script>if(a<b){}</script></head><body><h1>Bad&nbsp;Gateway</h1>\n<p>nginx</p></body></html>", "502 Bad Gateway Bad\u00a0Gateway nginx"},
		"text":           {"text/plain", "upstream connect error\r\n\treset", "upstream connect error reset"},
		"control":        {"text/plain", "a\x1b[31mb\x00c", "a[31mbc"},
		"not UTF-8":      {"text/plain", "caf\xe9", "caf\ufffd"},
		"BOM":            {"application/json", "\xef\xbb\xbf{\"message\":\"x\"}", "x"},
		"empty":          {"", "  ", ""},
		"long":           {"text/plain", strings.Repeat("ä", 400), strings.Repeat("ä", 300) + "…"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ans := &answer{status: 400, header: http.Header{"Content-Type": {test.contentType}}, body: []byte(test.body)}
			want := strings.Join(strings.Fields(test.want), " ")
			if got := new(redactor).quote(message(ans)); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func FuzzMessage(f *testing.F) {
	f.Add("application/json", []byte(`{"error":{"message":["a",{"detail":"b"}]}}`))
	f.Add("text/html", []byte("<script><b>x</b></script>y"))
	f.Add("text/plain", []byte("\xff\x00\x1b"))
	f.Fuzz(func(t *testing.T, contentType string, body []byte) {
		ans := &answer{status: 400, header: http.Header{"Content-Type": {contentType}}, body: body}
		got := new(redactor).quote(message(ans))
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > maxMessage+1 ||
			strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("%q", got)
		}
		_, _ = oauthCode(body), ans.isHTML()
	})
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 500, time.UTC)
	for value, want := range map[string]time.Duration{
		"0":                              0,
		"120":                            2 * time.Minute,
		" 7 ":                            7 * time.Second,
		"99999999999999999999":           longestRetryAfter,
		"999999999999":                   longestRetryAfter,
		"Fri, 02 Jan 2026 03:05:05 GMT":  time.Minute - 500,
		"Friday, 02-Jan-26 03:05:05 GMT": time.Minute - 500,
		"Fri, 02 Jan 2026 03:04:05 GMT":  0, // has passed
		"Thu, 01 Jan 1970 00:00:00 GMT":  0,
		"Fri, 31 Dec 9999 23:59:59 GMT":  longestRetryAfter,
		"":                               -1,
		"-1":                             -1,
		"1.5":                            -1,
		"+3":                             -1,
		"soon":                           -1,
	} {
		wait, ok := retryAfter(http.Header{"Retry-After": {value}}, now)
		if ok != (want >= 0) || ok && wait != want {
			t.Errorf("%q: got %s, %t, want %s", value, wait, ok, want)
		}
	}
	if _, ok := retryAfter(http.Header{}, now); ok {
		t.Error("no field, but a wait")
	}
}

func FuzzRetryAfter(f *testing.F) {
	f.Add("120")
	f.Add("Fri, 02 Jan 2026 03:05:05 GMT")
	f.Fuzz(func(t *testing.T, value string) {
		wait, ok := retryAfter(http.Header{"Retry-After": {value}}, time.Now())
		if wait < 0 || wait > longestRetryAfter || !ok && wait != 0 {
			t.Errorf("%q: %s, %t", value, wait, ok)
		}
	})
}

func TestRedactor(t *testing.T) {
	t.Parallel()
	r := newRedactor(Config{ClientSecret: `p@ss w"rd`, Headers: map[string]string{"X-Key": "p@ss", "Empty": ""}})
	r.add("tok+en/=")
	for text, want := range map[string]string{
		`secret p@ss w"rd, key p@ss`:             "secret ***, key ***",
		`client_secret=p%40ss+w%22rd&grant`:      "client_secret=***&grant",
		`{"client_secret":"p@ss w\"rd"}`:         `{"client_secret":"***"}`,
		"Bearer tok+en/=, again tok%2Ben%2F%3D.": "Bearer ***, again ***.",
		"nothing":                                "nothing",
	} {
		if got := r.clean(text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// A secret that would be cut in half is taken out whole, and so is one that
// white space hides.
func TestQuoteLeavesNoPartOfASecret(t *testing.T) {
	t.Parallel()
	r := newRedactor(Config{ClientSecret: "canary one"}).with("canary-two")
	if got := r.quote(strings.Repeat("x", maxMessage-5) + "canary-two"); strings.Contains(got, "can") || !strings.HasSuffix(got, "***") {
		t.Error(got)
	}
	if got := r.quote("a canary\n\tone b"); got != "a *** b" {
		t.Error(got)
	}
}

func TestNotificationID(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"notification_id":"3f2504e0-4f89-41d3-9a0c-0305e82c3301"}`: "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
		"\xef\xbb\xbf {\"notification_id\":\"a\",\"more\":[]} ":      "a",
		`{"notification_id":""}`:                                     "",
		`{"notification_id":"a b"}`:                                  "",
		`{"notification_id":"a\u0000"}`:                              "",
		`{"notification_id":null}`:                                   "",
		`{"notification_id":{}}`:                                     "",
		`{"notification_id":"` + strings.Repeat("x", 257) + `"}`:     "",
		`[]`:                               "",
		`null`:                             "",
		`{"notification_id":"a"} and more`: "",
	} {
		got, err := notificationID(&answer{status: 201, body: []byte(body)})
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: got %q, %v", body, got, err)
		}
	}
	// The object is whole, whatever happened after it.
	if got, err := notificationID(&answer{status: 201, body: []byte(`{"notification_id":"a"}`), broken: errTooLarge}); got != "a" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
}

func FuzzNotificationID(f *testing.F) {
	f.Add([]byte(`{"notification_id":"a"}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		id, err := notificationID(&answer{status: 201, body: body})
		if (id == "") == (err == nil) || id != "" && CheckNotificationID(id) != nil {
			t.Errorf("%q: %q, %v", body, id, err)
		}
	})
}
