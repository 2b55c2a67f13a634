package client

import (
	"encoding/json"
	"errors"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode"

	"terraform-provider-notification/internal/client/redact"
	"terraform-provider-notification/internal/client/wire"
)

// Whatever a server answers, an error is one line that can be printed, bounded, and without the
// secret that the server repeats wherever it can.
func FuzzError(f *testing.F) {
	f.Add("Pa55w0rd'", "read", "<p>denied: ", uint8(0))
	f.Add("p<ss>word", "a\x1b[31m", "<html><script>", uint8(1))
	f.Add("line one\nline two", "\u202e", `{"error":"`, uint8(2))
	f.Fuzz(func(t *testing.T, secret, other, before string, which uint8) {
		secret = strings.ToValidUTF8(secret, "")
		quoted, _ := json.Marshal(secret)
		echo := [...]string{
			secret, html.EscapeString(secret), string(quoted[1 : len(quoted)-1]),
			url.QueryEscape(secret), string(quoted),
		}[which%5]
		contentType := [...]string{"text/html", "application/json", "", secret}[which>>4%4]
		failed := newError(SubmitNotification,
			wire.Request{
				Method: http.MethodPost, Number: 1, Secrets: new(redact.Secrets).With(secret),
				URL: mustParse("https://a.test/"),
			},
			&wire.Attempt{
				URL: &url.URL{Scheme: "https", Host: "a.test", Path: "/" + secret}, Status: 422,
				Header: http.Header{
					"Content-Type": {contentType}, "X-Request-Id": {other + echo},
					"Location": {"https://b.test/" + echo},
				},
				Body: []byte(before + echo + other),
			}, errors.New(other+secret))
		text := failed.Error() + failed.Location.String() + failed.HTML.String()
		if len(strings.Join(strings.Fields(secret), "")) >= 8 && len(secret) < 200 &&
			!strings.ContainsFunc(secret, unprintable) &&
			strings.Contains(text, secret) {
			t.Errorf("%q: %s", secret, text)
		}
		if strings.ContainsFunc(text, unprintable) || len(text) > 20_000 {
			t.Errorf("%q", text)
		}
	})
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }
