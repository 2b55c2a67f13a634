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

// How servers and their libraries escape one secret.
func TestVariants(t *testing.T) {
	t.Parallel()
	secrets := new(Secrets).With("\t" + `a<b>&"c'/dé+ e\🔑` + "\n")
	for _, echo := range []string{
		`a<b>&"c'/dé+ e\🔑`,

		`a<b>&\"c'/dé+ e\\🔑`,                                 // JSON, as JavaScript writes it
		`a\u003cb\u003e\u0026\"c'/dé+ e\\🔑`,                  // Go
		`a<b>&\"c'/d\u00e9+ e\\\ud83d\udd11`,                 // Python
		`a<b>&\"c'\/d\u00e9+ e\\\ud83d\udd11`,                // PHP
		`a\u003Cb\u003E\u0026\"c'\/d\u00E9+ e\\\uD83D\uDD11`, // with JSON_HEX_TAG and the like
		`a\u003Cb\u003E\u0026\"c'/d\u00e9+ e\\\ud83d\udd11`,  // in both cases at once
		`a&lt;b&gt;&amp;"c'/dé+ e\🔑`,                         // HTML, in text
		`a&lt;b&gt;&amp;&#34;c&#39;/dé&#43; e\🔑`,             // html/template
		`a&lt;b&gt;&amp;&quot;c'/dé+ e\🔑`,                    // in attributes
		`a&lt;b&gt;&amp;&#34;c&#39;/dé+ e\🔑`,                 // Go
		`a&lt;b&gt;&amp;&quot;c&#39;/dé+ e\🔑`,                // Ruby
		`a&lt;b&gt;&amp;&quot;c&#x27;/dé+ e\🔑`,               // Python
		`a&lt;b&gt;&amp;&quot;c&#039;/dé+ e\🔑`,               // PHP
		`a&lt;b&gt;&amp;&quot;c&apos;/dé+ e\🔑`,               // XML
		`a&lt;b&gt;&amp;&quot;c&#39;&#x2F;dé+ e\🔑`,           // Mustache
		`a&lt;b&gt;&amp;&quot;c&#x27;&#x2f;dé+ e\🔑`,          // OWASP
		`a&lt;b&gt;&amp;&#34;c&#39;&#47;dé+ e\🔑`,             // with numbers only
		`a%3Cb%3E&%22c%27%2Fd%C3%A9+%20e%5C%F0%9F%94%91`,     // a segment of a path
		`a%3cb%3e&%22c%27%2fd%c3%a9+%20e%5c%f0%9f%94%91`,     // in lower case
		`a%3Cb%3E&%22c%27/d%C3%A9+%20e%5C%F0%9F%94%91`,       // a path
		`a%3Cb%3E%26%22c%27%2Fd%C3%A9%2B+e%5C%F0%9F%94%91`,   // a form
		`a%3cb%3e%26%22c%27%2fd%c3%a9%2b+e%5c%f0%9f%94%91`,   // in lower case
		`a%3Cb%3E%26%22c%27%2Fd%C3%A9%2B%20e%5C%F0%9F%94%91`, // everything but unreserved characters
		`a%3Cb%3E%26%22c%27/d%C3%A9%2B%20e%5C%F0%9F%94%91`,   // quote of Python
		`a%3cb%3e%26%22c%27/d%c3%a9%2b%20e%5c%f0%9f%94%91`,   // in lower case
		`a%3Cb%3E%26%22c'%2Fd%C3%A9%2B%20e%5C%F0%9F%94%91`,   // encodeURIComponent
		`YTxiPiYiYycvZMOpKyBlXPCflJE=`,                       // base64
		`YTxiPiYiYycvZMOpKyBlXPCflJE`,                        // without padding
		`CWE8Yj4mImMnL2TDqSsgZVzwn5SRCg==`,                   // with the white space
	} {
		if got := secrets.Clean("got " + echo + ", which").String(); got != "got ***, which" {
			t.Errorf("%s: %s", echo, got)
		}
	}
}

// Both base64 alphabets, for a client secret and the credentials of HTTP Basic authentication.
func TestBase64(t *testing.T) {
	t.Parallel()
	secrets := new(Secrets)
	secrets.AddClient("i:d", "~~~???>>>s w")
	for _, plain := range []string{
		"~~~???>>>s w", "i:d:~~~???>>>s w", "i%3Ad:~~~%3F%3F%3F%3E%3E%3Es+w",
	} {
		for _, encoding := range []*base64.Encoding{
			base64.StdEncoding, base64.RawStdEncoding, base64.URLEncoding, base64.RawURLEncoding,
		} {
			echo := encoding.EncodeToString([]byte(plain))
			if got := secrets.Clean("Basic " + echo).String(); got != "Basic ***" {
				t.Errorf("%s: %s", echo, got)
			}
		}
	}
}

// What is masked, and what only resembles a secret.
func TestMask(t *testing.T) {
	t.Parallel()
	const header, payload = "eyJhbGciOiJub25lIn0", "eyJzdWIiOiJhZG1pbiJ9"
	const lines = " line one\r\n\tline two\n\nab\nline \x1b three\n"
	long := strings.Repeat("0123456789 abc\tdef", maxRead)
	for _, test := range []struct {
		secrets    string // separated by |
		text, want string
	}{
		{"canary", "a canary, a CANARY", "a ***, a CANARY"},
		{"hunter2x|hunter2x and more", "hunter2x and more, hunter2x and", "***, *** and"},
		{"canary one|canary-two", "canary one\tcanary-two", "*** ***"},
		{"canary one|canary-two", "canary onecanary-two", "***"},
		{"abcdef|defghi", "abcdefghi abcdefdefghi", "*** ***"}, // they overlap
		{"abab", "abababa", "***a"},
		{"abc| 12 |a\nb\n", "abc 12 \"a\\nb\"", "abc 12 \"a\\nb\""}, // all too short
		{"abc", "YWJj", "YWJj"},

		{lines, lines, "***"},
		{lines, `{"a":" line one\r\n\tline two\n\nab\nline \u001b three\n"}`, `{"a":" ***\n"}`},
		{lines, "line two, line one", "***, ***"},
		{lines, "line one\n> line two\n> ab\n> line \x1b three", "*** > *** > ab > ***"},
		{"canary-two", "canary\x00-two\u202e", "***"}, // without the unprintable characters
		{"can\x00ary", "can\x00ary", "***"},

		// A text is masked before it is truncated, so that no part of a secret remains at the end.
		{"0123456789", strings.Repeat("x", maxQuote-5) + "0123456789",
			strings.Repeat("x", maxQuote-5) + "***"},
		{strings.Repeat("0", maxRead/2) + "|canary", // masked, which makes room for the end of the text
			strings.Repeat("0", maxRead/2) + strings.Repeat(" ", maxRead/2-3) + "canary", "***"},
		{strings.Repeat("0", maxRead-maxTail) + "|canary",
			strings.Repeat("0", maxRead-maxTail) + "canary" + strings.Repeat(" ", maxRead), "***"},
		{long, "a " + long, "a ***"},
		{long, "a " + url.QueryEscape(long), "a ***"},
		{long, "a " + base64.StdEncoding.EncodeToString([]byte(long)), "a ***"},

		// Any JSON Web Token is masked.
		{"", "got " + header + "." + payload + ".c2lnbmF0dXJl_-, which", "got ***, which"},
		{"", "/" + header + "." + payload[:9], "/***"},
		{"", header + "..a.b.c?x", "***?x"},
		{"", header + " alone", header + " alone"},
		{"", "monkeyJumps.example", "monkeyJumps.example"},
	} {
		var secrets *Secrets // a nil one is empty
		if test.secrets != "" {
			secrets = secrets.With(strings.Split(test.secrets, "|")...)
		}
		if got := secrets.Quote(test.text).String(); got != test.want {
			t.Errorf("%.99q in %.99q: %.99q", test.secrets, test.text, got)
		}
	}
}

// Whatever the surrounding text is, the result contains no secret and is printable.
func FuzzVariants(f *testing.F) {
	f.Add("Pa55w0rd'", "the value ", " is wrong", uint8(0))
	f.Add("line one\r\nline two", "&", ";", uint8(1))
	f.Add("a\\\"b", "\\", "\"", uint8(2))
	f.Add("00!0", "%", "0", uint8(3))
	f.Add("four", "a\u0000b \xff\x00\x1b\u202e", "&lt;", uint8(4))
	f.Fuzz(func(t *testing.T, secret, before, after string, which uint8) {
		secret = strings.TrimSpace(strings.ToValidUTF8(secret, ""))
		quoted, _ := json.Marshal(secret)
		echo := [...]string{
			secret, string(quoted[1 : len(quoted)-1]), html.EscapeString(secret),
			url.QueryEscape(secret), url.PathEscape(secret),
			base64.StdEncoding.EncodeToString([]byte(secret)),
		}[which%6]
		notPrinted := func(r rune) bool { return !unicode.IsPrint(r) }
		if len(secret) < minSize || strings.ContainsFunc(echo, notPrinted) ||
			strings.Contains(echo, "*") {
			return
		}
		got := new(Secrets).With(secret).Quote(before + echo + after).String()
		if strings.Contains(got, echo) || !utf8.ValidString(got) ||
			utf8.RuneCountInString(got) > maxQuote+1 || strings.ContainsFunc(got, notPrinted) {
			t.Errorf("%q: %q", secret, got)
		}
	})
}
