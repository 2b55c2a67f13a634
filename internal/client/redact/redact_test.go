package redact

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	t.Parallel()
	s := new(Secrets)
	s.Add(`p@ss w"rd/<&'`)
	s.AddHeader("ApiKey p@ss")
	s.AddHeader("")
	s.AddHeader("Basic abc")
	s.AddHeader("Key d")
	s.Add("tok+en/=")
	s.Add("p\xe4ss")
	s.Add(" ")
	s.Add("one")
	s.Add("four")
	for text, want := range map[string]string{
		`secret p@ss w"rd/<&', key p@ss, header ApiKey p@ss`: "secret ***, key ***, header ***",
		"Basic abc, p\xe4ss":              "***, ***",
		"abc":                             "abc", // too short to be a secret by itself
		"Bearer tok+en/=, again tok+en/=": "Bearer ***, again ***",
		"one, four, a b, d, Key":          "one, ***, a b, d, Key",
		"":                                "",
	} {
		if got := s.Clean(text).String(); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// The value of a header stays visible inside an address, and nowhere else.
func TestAddAddresses(t *testing.T) {
	t.Parallel()
	const address = "https://api.staging.zone.test:8443/dev1/v1"
	inBase64 := base64.StdEncoding.EncodeToString([]byte(address + "/"))
	s := new(Secrets)
	s.AddAddresses(&url.URL{Scheme: "http", Host: "a.test"}, &url.URL{
		Scheme: "https", Host: "api.staging.zone.test:8443", Path: "/dev1/v1", RawQuery: "query",
		User: url.User("user"),
	})
	for _, header := range []string{"staging", "8443", "dev1", "zone.test/key", "user", "query"} {
		s.AddHeader(header)
	}
	longQuery := "a?b&" + strings.Repeat("x", 3*decodedPrefix) // what follows & is decoded too
	for text, want := range map[string]string{
		longQuery + strings.Repeat(" api.staging.zone.test", 9): "" +
			longQuery + strings.Repeat(" api.staging.zone.test", 9),
		address + "/x?query, staging":         address + "/x?***, ***",
		"refused to api.staging.zone.test:":   "refused to api.staging.zone.test:",
		"api.staging.zone.test:8443/dev1":     "api.staging.zone.test:8443/***",
		"user@staging.zone.test:8443":         "***@***.zone.test:***",
		"api.staging.zone.test/key":           "api.***.***",
		`https:\/\/api.staging.zone.test\/`:   `https:\/\/api.staging.zone.test\/`,
		`api.staging.zone.test, \u0073taging`: notShown,
		inBase64:                              inBase64,
	} {
		if got := s.Clean(text).String(); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
	got := s.With("staging").Clean(address).String()
	if got != "https://api.***.zone.test:***/***/v1" {
		t.Errorf("another secret in the address: %q", got)
	}
	if got := s.With("pass").All(); !slices.Equal(got, []string{"pass"}) {
		t.Errorf("All returned %q", got)
	}
}

// A set made by With has the secrets that are added to its parent later, but not vice versa.
func TestWith(t *testing.T) {
	t.Parallel()
	s := new(Secrets)
	child := s.With("request", "n", "request")
	if got := child.Quote("token, another"); got.String() != "token, another" {
		t.Errorf("%q", got)
	}
	s.Add("token")
	s.Add("a longer one")
	if got := child.All(); !slices.Equal(got, []string{"a longer one", "request", "token"}) {
		t.Errorf("%q", got)
	}
	if got := s.All(); !slices.Equal(got, []string{"a longer one", "token"}) {
		t.Errorf("%q", got)
	}
	if got := child.Quote("token, another"); got.String() != "***, another" {
		t.Errorf("%q", got)
	}
}

// A cleaned error wraps the original error, and its text is sanitized.
func TestCleanError(t *testing.T) {
	t.Parallel()
	s := new(Secrets).With("canary")
	if got := s.CleanError(nil); got != nil {
		t.Errorf("nil became %v", got)
	}
	joined := errors.Join(errors.New("a canary\x1b[31m"), io.EOF)
	if got := s.CleanError(joined); got.Error() != "a ***[31m EOF" || !errors.Is(got, io.EOF) {
		t.Errorf("%q", got)
	}
	long := s.CleanError(fmt.Errorf("%s: %w", strings.Repeat("x", 900_000), io.EOF))
	if got := long.Error(); len(got) != maxClean+len("…") || !errors.Is(long, io.EOF) {
		t.Errorf("%d bytes", len(got))
	}
}

// A quotation is one short line of printable characters.
func TestQuoteIsOneLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"upstream connect error\r\n\treset": "upstream connect error reset",
		"Bad\u00a0Gateway":                  "Bad Gateway",
		"a\x1b[31mb\x00c":                   "a[31mbc",
		"caf\xe9":                           "caf\ufffd",
		"  ":                                "",
		strings.Repeat("ä", maxQuote):       strings.Repeat("ä", maxQuote),
		strings.Repeat("ä", maxQuote+1):     strings.Repeat("ä", maxQuote) + "…",
	} {
		if got := new(Secrets).Quote(text).String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// How servers and their libraries encode one secret. Nothing is shown of a text with that secret;
// all of it is, if another one is secret.
func TestVariants(t *testing.T) {
	t.Parallel()
	secrets := new(Secrets).With("\t" + `a<b>&"c'/dé+ e\🔑` + "\n")
	other := new(Secrets).With(`a<b>&"c'/dé+ e\🔑🔑`, "abcd")
	for _, echo := range []string{
		`a<b>&\"c'/dé+ e\\🔑`,                                                             // JSON, as JavaScript writes it
		`a\u003cb\u003e\u0026\"c'/dé+ e\\🔑`,                                              // Go
		`a<b>&\"c'/d\u00e9+ e\\\ud83d\udd11`,                                             // Python
		`a<b>&\"c'\/d\u00e9+ e\\\ud83d\udd11`,                                            // PHP
		`a\u003Cb\u003E\u0026\"c'\/d\u00E9+ e\\\uD83D\uDD11`,                             // with JSON_HEX_TAG and the like
		`a\u003Cb\u003E\u0026\"c'/d\u00e9+ e\\\ud83d\udd11`,                              // in both cases at once
		`a&lt;b&gt;&amp;"c'/dé+ e\🔑`,                                                     // HTML, in text
		`a&lt;b&gt;&amp;&#34;c&#39;/dé&#43; e\🔑`,                                         // html/template
		`a&lt;b&gt;&amp;&quot;c'/dé+ e\🔑`,                                                // in attributes
		`a&lt;b&gt;&amp;&#34;c&#39;/dé+ e\🔑`,                                             // Go
		`a&lt;b&gt;&amp;&quot;c&#39;/dé+ e\🔑`,                                            // Ruby
		`a&lt;b&gt;&amp;&quot;c&#x27;/dé+ e\🔑`,                                           // Python
		`a&lt;b&gt;&amp;&quot;c&#039;/dé+ e\🔑`,                                           // PHP
		`a&lt;b&gt;&amp;&quot;c&apos;/dé+ e\🔑`,                                           // XML
		`a&lt;b&gt;&amp;&quot;c&#39;&#x2F;dé+ e\🔑`,                                       // Mustache
		`a&lt;b&gt;&amp;&quot;c&#x27;&#x2f;dé+ e\🔑`,                                      // OWASP
		`a&lt;b&gt;&amp;&#34;c&#39;&#47;dé+ e\🔑`,                                         // with numbers only
		`a%3Cb%3E&%22c%27%2Fd%C3%A9+%20e%5C%F0%9F%94%91`,                                 // a segment of a path
		`a%3cb%3e&%22c%27%2fd%c3%a9+%20e%5c%f0%9f%94%91`,                                 // in lower case
		`a%3Cb%3E&%22c%27/d%C3%A9+%20e%5C%F0%9F%94%91`,                                   // a path
		`a%3Cb%3E%26%22c%27%2Fd%C3%A9%2B+e%5C%F0%9F%94%91`,                               // a form
		`a%3cb%3e%26%22c%27%2fd%c3%a9%2b+e%5c%f0%9f%94%91`,                               // in lower case
		`a%3Cb%3E%26%22c%27%2Fd%C3%A9%2B%20e%5C%F0%9F%94%91`,                             // everything but unreserved characters
		`a%3Cb%3E%26%22c%27/d%C3%A9%2B%20e%5C%F0%9F%94%91`,                               // quote of Python
		`a%3cb%3e%26%22c%27/d%c3%a9%2b%20e%5c%f0%9f%94%91`,                               // in lower case
		`a%3Cb%3E%26%22c'%2Fd%C3%A9%2B%20e%5C%F0%9F%94%91`,                               // encodeURIComponent
		`YTxiPiYiYycvZMOpKyBlXPCflJE=`,                                                   // base64
		`YTxiPiYiYycvZMOpKyBlXPCflJE`,                                                    // without padding
		`CWE8Yj4mImMnL2TDqSsgZVzwn5SRCg==`,                                               // with the white space
		"YTxiPiYiYycv\r\nZMOpKyBlXPCflJE=",                                               // in lines
		`eyJrIjoiYTxiPiZcImMnL2RcdTAwZTkrIGVcXFx1ZDgzZFx1ZGQxMSJ9`,                       // JSON in base64
		`{"a":"<p>a&lt;b&gt;&amp;\"c'\/dé+ e\\🔑"}`,                                       // HTML in JSON
		`{"a":"{\"b\":\"a\\u003cb>&\\\"c'/dé+ e\\\\🔑\"}"}`,                               // JSON in JSON
		`a<b>&\"c\'/d\xc3\xa9+ e\\\U0001f511`,                                            // Go and Python, outside of JSON
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
			for _, before := range []string{"Basic ", "Basic/", "1/Basic_", "Basic+1/", "2-Basic_"} {
				if got := secrets.Clean(before + echo).String(); got != notShown {
					t.Errorf("%s%s: %s", before, echo, got)
				}
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
		{lines, `{"a":" line one\r\n\tline two\n\nab\nline \u001b three\n"}`, notShown},
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
		{long, "a " + url.QueryEscape(long), notShown},
		{long, "a " + base64.StdEncoding.EncodeToString([]byte(long)), notShown},

		// One secret contains another one.
		{`alice|{"name":"alice","pin":7}`, `alice {"name":"alice","pin":7}`, "*** ***"},
		{`alice|{"name":"alice","pin":7}`, `{\"name\":\"alice\",\"pin\":7}`, notShown},
		{`alice|{"name":"alice","pin":7}`, `{\"name\":\"alice\"}`, `{\"name\":\"***\"}`},

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
				t.Errorf("encoder %d after %d bytes: %s", i, size, got)
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
	f.Add("00!0", "%", "0", uint8(3))
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
		if len(secret) < minSize || len(echo) > prefix || strings.ContainsFunc(echo, notPrinted) ||
			strings.Contains(echo, "*") || strings.Contains(notShown, secret) ||
			which >= 6 && strings.ContainsAny(before, `%&\`) { // which may misread the echo
			return
		}
		got := new(Secrets).With(secret).Quote(before + echo + after).String()
		if strings.Contains(got, echo) || !utf8.ValidString(got) ||
			utf8.RuneCountInString(got) > maxQuote+1 || strings.ContainsFunc(got, notPrinted) {
			t.Errorf("%q: %q", secret, got)
		}
	})
}

// hostile returns 1,000 secrets, and texts that take long to sanitize.
func hostile() (*Secrets, map[string]string) {
	secrets := new(Secrets)
	var values []string
	for i := range 500 {
		values = append(values, strings.Repeat("a", 4+i), fmt.Sprint("secret", i, strings.Repeat(`é"'<&>/`, i%9)))
	}
	secrets = secrets.With(append(values, strings.Join(values, "\n"))...)
	texts := map[string]string{}
	for _, piece := range []string{
		`\`, `\u003c`, "&amp;", "a", "YUE", " ", "\u202e", `é"'<&>/`, "eyJ0123456789abc. ", "%25", "%zz",
		`\\\\\\u0041%25252541&amp;amp;amp;lt;+\x00secret4`, "&abcdefg", "secret1 &amp;",
	} {
		texts[piece] = strings.Repeat(piece, 2*maxRead)
	}
	random := rand.New(rand.NewPCG(1, 2))
	var escapes strings.Builder
	var noise []byte
	for range maxRead {
		noise = append(noise, byte(random.Uint32()))
		fmt.Fprintf(&escapes, `%%%02x\u%04x&#%d;+`, random.IntN(128), random.IntN(128), random.IntN(128))
	}
	texts["escapes"], texts["base64"] = escapes.String(), base64.StdEncoding.EncodeToString(noise)
	return secrets, texts
}

// The result is bounded, however hostile a text is.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	secrets, texts := hostile()
	for name, text := range texts {
		if got := secrets.Clean(text).String(); len(got) > 3*maxClean+len("…") {
			t.Errorf("%q: %d bytes", name, len(got))
		}
	}
}

// The goal is 50 ms.
func BenchmarkHostileTexts(b *testing.B) {
	secrets, texts := hostile()
	for name, text := range texts {
		b.Run(fmt.Sprintf("%q", name), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				secrets.Clean(text)
			}
		})
	}
}
