package redact

import (
	"encoding/base64"
	"encoding/json"
	"html"
	"net/url"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// How servers and their libraries encode one secret. Nothing is shown of a text with that secret;
// all of it is, if another one is secret.
func TestVariants(t *testing.T) {
	t.Parallel()
	secrets := new(Secrets).With("\t" + `a<b>&"c'/dé+ e\🔑` + "\n")
	other := new(Secrets).With(`a<b>&"c'/dé+ e\🔑🔑`, "abcd")
	for _, echo := range []string{
		`a<b>&\"c'/dé+ e\\🔑`,                                                             // JSON, as JavaScript writes it
		`a<b>&\"c'\/d\u00e9+ e\\\ud83d\udd11`,                                            // PHP
		`a\u003Cb\u003E\u0026\"c'\/d\u00E9+ e\\\uD83D\uDD11`,                             // with JSON_HEX_TAG and the like
		`a&lt;b&gt;&amp;&#34;c&#39;/dé+ e\🔑`,                                             // Go
		`a&lt;b&gt;&amp;&quot;c&#x27;&#x2f;dé+ e\🔑`,                                      // OWASP
		`a%3Cb%3E&%22c%27%2Fd%C3%A9+%20e%5C%F0%9F%94%91`,                                 // a segment of a path
		`a%3cb%3e&%22c%27%2fd%c3%a9+%20e%5c%f0%9f%94%91`,                                 // in lower case
		`a%3Cb%3E%26%22c%27%2Fd%C3%A9%2B+e%5C%F0%9F%94%91`,                               // a form
		"YTxiPiYiYycv\r\nZMOpKyBlXPCflJE=",                                               // in lines
		`eyJrIjoiYTxiPiZcImMnL2RcdTAwZTkrIGVcXFx1ZDgzZFx1ZGQxMSJ9`,                       // JSON in base64
		`{"a":"<p>a&lt;b&gt;&amp;\"c'\/dé+ e\\🔑"}`,                                       // HTML in JSON
		`{"a":"{\"b\":\"a\\u003cb>&\\\"c'/dé+ e\\\\🔑\"}"}`,                               // JSON in JSON
		`a<b>&\"c\'/d\u00e9+ e\\\ud83d\udd11`,                                            // JavaScript, which escapes either quote
		`a%253Cb%253E%2526%2522c%2527%252Fd%25C3%25A9%252B%2Be%255C%25F0%259F%2594%2591`, // twice
	} {
		text := "got " + echo + ", which"
		if got := secrets.Clean(text).String(); got != notShown {
			t.Errorf("%s: %s", echo, got)
		}
		if got := other.Clean(text).String(); got != oneLine(text) {
			t.Errorf("%s became %s", echo, got)
		}
	}
	// The escapes of Go and Python outside of JSON are not decoded, nor a third encoding.
	for _, echo := range []string{
		`a<b>&\"c\'/d\xc3\xa9+ e\\\U0001f511`,
		base64.StdEncoding.EncodeToString([]byte(`{"a":"{\"b\":\"a\\u003cb>&\\\"c'/dé+ e\\\\🔑\"}"}`)),
	} {
		if got := secrets.Clean(echo).String(); got != echo {
			t.Errorf("%s became %s", echo, got)
		}
	}
}

// Both base64 alphabets, for a secret and the credentials of HTTP Basic authentication, which are
// secret even if the client secret alone is too short to be.
func TestBase64(t *testing.T) {
	t.Parallel()
	secrets := new(Secrets)
	secrets.Add(BasicCredentials("id", "~~~???>>>s w")...)
	secrets.Add(BasicCredentials("~~~???>>>", "s w")...)
	for _, plain := range []string{
		"~~~???>>>s w", "~~~???>>>:s w", "~~~%3F%3F%3F%3E%3E%3E:s+w",
	} {
		for _, encoding := range []*base64.Encoding{
			base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding,
		} {
			echo := encoding.EncodeToString([]byte(plain))
			for _, before := range []string{"Basic ", "Basic/", "1/Basic_", "Basic+1/", "2-Basic_"} {
				if got := secrets.Clean(before + echo).String(); got != notShown {
					t.Errorf("%s%s: %s", before, echo, got)
				}
			}
		}
	}
}

// Wherever a text is truncated, no part of a long secret is shown.
func TestTruncatedSecret(t *testing.T) {
	t.Parallel()
	secret := strings.Repeat(`0"<é&/`, 200)
	secrets := new(Secrets).With(secret)
	for i, encode := range encoders {
		for size := 0; size < maxRead; size += 1009 {
			text := strings.Repeat(" ", size) + encode(secret) + strings.Repeat(" ", maxRead)
			got := secrets.Quote(text).String()
			if got != "" && got != mask && got != notShown {
				t.Errorf("a secret in encoding %d, cut off after %d bytes, shows in %s", i, size, got)
			}
		}
	}
}

var encoders = [...]func(string) string{
	strings.Clone,
	func(text string) string {
		quoted, _ := json.Marshal(text)
		return string(quoted[1 : len(quoted)-1])
	},
	html.EscapeString, url.QueryEscape, url.PathEscape,
	func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) },
}

// However often a secret is encoded, whatever the surrounding text is, the result does not contain
// it, and is printable. A digit of which, to the base 6, is an encoder.
func FuzzVariants(f *testing.F) {
	f.Add("Pa55w0rd'", "the value ", " is wrong", uint8(0))
	f.Add("line one\r\nline two", "&", ";", uint8(1))
	f.Add("a\\\"b", "\\", "\"", uint8(2))
	f.Add("00!0", "% ", "0", uint8(3))
	f.Add("four", "a\u0000b \xff\x00\x1b\u202e", "&lt;", uint8(4))
	f.Add(`a"\b`, `{"input":"`, `"}`, uint8(1+6*1+36*3))
	f.Add("<é\t>", "x_", "_x", uint8(2+6*1+36*5))
	f.Fuzz(func(t *testing.T, secret, before, after string, which uint8) {
		secret = strings.TrimSpace(strings.ToValidUTF8(secret, ""))
		echo := secret
		for digits := which; digits > 0; digits /= 6 {
			echo = encoders[digits%6](echo)
		}
		notPrinted := func(r rune) bool { return !unicode.IsPrint(r) }
		if len(oneLine(secret)) < minSize || len(secret) > maxSize || len(echo) > 2*maxSize ||
			strings.ContainsFunc(echo, notPrinted) || strings.Contains(echo, "*") ||
			strings.Contains(notShown, secret) ||
			which > 0 && strings.ContainsAny(before, `%&\`) { // which may misread the echo
			return
		}
		got := new(Secrets).With(secret).Quote(before + echo + after).String()
		const twice = 6 * 6 // a third encoding is not decoded
		if which < twice && strings.Contains(got, echo) || !utf8.ValidString(got) ||
			utf8.RuneCountInString(got) > maxQuote+1 || strings.ContainsFunc(got, notPrinted) {
			t.Errorf("%q: %q", secret, got)
		}
	})
}
