package redact

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
)

// Of a header, the value and the credentials after its scheme are masked, if they have eight bytes.
// Any other secret needs four.
func TestSecretsAndHeadersAreMasked(t *testing.T) {
	t.Parallel()
	s := new(Secrets)
	s.Add(`p@ss w"rd/<&'`, "tok+en/=", "p\xe4ss", " ", "one", "four")
	for _, header := range []string{
		"ApiKey p@ss", "", "Basic abc", "Key d", "ABC-1234", "DEF-123",
	} {
		s.AddHeader(header)
	}
	for text, want := range map[string]string{
		`secret p@ss w"rd/<&', key p@ss, header ApiKey p@ss`: "secret ***, key p@ss, header ***",
		"Basic abc, p\xe4ss":              "***, ***",
		"abc":                             "abc", // too short to be a secret by itself
		"ABC-1234, DEF-123":               "***, DEF-123",
		"Bearer tok+en/=, again tok+en/=": "Bearer ***, again ***",
		"one, four, a b, d, Key":          "one, ***, a b, d, Key",
		"":                                "",
	} {
		if got := s.Clean(text).String(); got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}

// The value of a header that is part of an address is not a secret: each error shows it. Another
// secret in an address is masked.
func TestNewSecrets(t *testing.T) {
	t.Parallel()
	s := NewSecrets(&url.URL{Scheme: "https", Host: "api.customers.test:8443", Path: "/dev1/v1",
		RawQuery: "key-in-query", User: url.User("key-of-user")})
	for _, header := range []string{"customers", "ApiKey customers.test", "key-in-query", "key-of-user"} {
		s.AddHeader(header)
	}
	const text = "https://api.customers.test:8443/dev1/v1, customers, key-in-query, key-of-user"
	if got := s.Clean(text).String(); got != strings.NewReplacer("key-in-query", "***",
		"key-of-user", "***").Replace(text) {
		t.Errorf("got %q", got)
	}
	if got := s.With("customers").Clean("https://api.customers.test").String(); got != "https://api.***.test" {
		t.Errorf("another secret in the address: %q", got)
	}
}

// A URL is shown without user information, query and fragment. A secret in it is masked, also if
// its end would be cut off; one that the URL encodes hides it.
func TestCleanURL(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ secret, url, want string }{
		{"canary", "https://user:pass@a.test/b?c#d", "https://a.test/b"},
		{"canary", "https://a.test/canary?c", "https://a.test/***"},
		{"can?ary", "https://a.test/can?ary", "https://a.test/***"},
		{"can^ary", "https://a.test/can^ary", notShown},
		{"can ary", "https://a.test/can ary?", notShown},
	} {
		u, err := url.Parse(test.url)
		if err != nil {
			t.Fatal(err)
		}
		if got := new(Secrets).With(test.secret).CleanURL(u).String(); got != test.want {
			t.Errorf("%s in %s: %s, want %s", test.secret, test.url, got, test.want)
		}
	}
}

// A quotation is one short line of printable characters, in which secrets are masked.
func TestQuote(t *testing.T) {
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
		{"canary one|canary-two", "canary onecanary-two", "******"},
		{"abcdef|defghi", "abcdefghi abcdefdefghi", "***ghi ******"}, // the rest of overlapping secrets
		{"abab", "abababa", "***aba"},
		{"abc| 12 |a\nb\n", "abc 12 \"a\\nb\"", "abc 12 \"a\\nb\""}, // all too short

		{lines, lines, "***"},
		{lines, `{"a":" line one\r\n\tline two\n\nab\nline \u001b three\n"}`, notShown},
		{lines, "line two, line one", "***, ***"},
		{lines, "line one\n> line two\n> ab\n> line \x1b three", "*** > *** > ab > ***"},
		{"canary-two", "canary\x00-two\u202e", "***"}, // without the unprintable characters
		{"can\x00ary", "can\x00ary", "***"},

		{"", "::error a ::b a::b [::1] ##[c] x##vso[d] # #[e] ##f [",
			": : error a : : b a::b [::1] # # [c] x# # vso[d] # #[e] ##f ["},
		{"", "####vso[a] :::error ##b##c[ #### ::", "# # # # vso[a] : : : error # # b# # c[ #### : : "},

		{"", "upstream connect error\r\n\treset", "upstream connect error reset"},
		{"", " Bad\u00a0Gateway", "Bad Gateway"},
		{"", "a\x1b[31mb\x00c caf\xe9", "a[31mbc caf\ufffd"},
		{"", strings.Repeat("ä", maxQuote), strings.Repeat("ä", maxQuote)},
		{"", strings.Repeat("ä", maxQuote+1), strings.Repeat("ä", maxQuote) + "…"},

		// A text is masked before it is truncated, so that no part of a secret remains at the end.
		{"0123456789", strings.Repeat("x", maxQuote-5) + "0123456789",
			strings.Repeat("x", maxQuote-5) + "***"},
		{strings.Repeat("0", maxRead/2) + "|canary", // masked, which makes room for the end of the text
			strings.Repeat("0", maxRead/2) + strings.Repeat(" ", maxRead/2-3) + "canary", notShown},
		{strings.Repeat("0", maxRead-maxTail) + "|canary",
			strings.Repeat("0", maxRead-maxTail) + "canary" + strings.Repeat(" ", maxRead), notShown},
		{strings.Repeat("0", 100) + "|canary",
			strings.Repeat("0", 8100) + strings.Repeat(" ", maxRead-8104) + "canary", ""},
		{"canary", "denied" + strings.Repeat(" ", maxRead-10) + "canary", "denied"},
		{"canary", "denied" + strings.Repeat(" ", maxRead-maxTail-8) + "canary" + long, "denied"},
		{"canary", "denied \"canary\"" + strings.Repeat(" ", maxRead), "denied \"***\""},
		{long, "a " + long, notShown},
		{long, "a " + url.QueryEscape(long), notShown},
		{long, "a " + base64.StdEncoding.EncodeToString([]byte(long)), notShown},

		// Of a secret over 128 bytes the beginning hides the text.
		{strings.Repeat("k", 128), "key " + strings.Repeat("k", 128), "key ***"},
		{strings.Repeat("k", 129), "key " + strings.Repeat("k", 129), notShown},
		{strings.Repeat("k", 999), "key " + strings.Repeat("k", 129), notShown},
		{strings.Repeat("k", 128) + "|" + strings.Repeat("k", 999),
			"key " + strings.Repeat("k", 129), notShown},
		{header + "." + payload + strings.Repeat("x", maxSize) + " and more", // a JWT in it is masked first
			"key " + header + "." + payload + " and more", "key ***"},

		// One secret contains another one.
		{`alice|{"name":"alice","pin":7}`, `alice {"name":"alice","pin":7}`, "*** ***"},
		{`alice|{"name":"alice","pin":7}`, `{\"name\":\"alice\",\"pin\":7}`, `{\"name\":\"***\",\"pin\":7}`},
		{`alice|{"name":"alice","pin":7}`, `{\"name\":\"alice\"}`, `{\"name\":\"***\"}`},

		// Any JSON Web Token is masked.
		{"", "got " + header + "." + payload + ".c2lnbmF0dXJl_-, which", "got ***, which"},
		{"", "/" + header + "." + payload[:9], "/***"},
		{"", header + "..a.b.c?x", "***?x"},
		{"", header + " alone", header + " alone"},
		{"", "monkeyJumps.example", "monkeyJumps.example"},
		{"", "got " + base64.StdEncoding.EncodeToString([]byte(header+"."+payload+".c2ln")), notShown},

		// So is what JSON names a token, but not its name.
		{"", `{"access_token":"a","refresh_token" : "b\"c", "id_token":"d"}`,
			`{"access_token":"***","refresh_token" : "***", "id_token":"***"}`},
		{"", `{"REFRESH-TOKEN":"b","idToken":"c","Token":"d","token":""}`,
			`{"REFRESH-TOKEN":"***","idToken":"***","Token":"***","token":""}`},
		{"", `{"error":"token","token_type":"a","token_endpoint":"b","tokens":"c","token":5}`,
			`{"error":"token","token_type":"a","token_endpoint":"b","tokens":"c","token":5}`},
		{"", `{"token":"some `, `{"token":"***`},
		{"", `{"token":"a","b":"a"}`, `{"token":"***","b":"a"}`}, // not a secret by itself
		{"canary", `{"token":"canary-two","a":"canary"}`, `{"token":"***","a":"***"}`},
		{"", `{"access\u005ftoken":"a"}`, notShown},
		{"", `{"body":"{\"token\":\"a\"}"}`, notShown},
		{"", `{"body":"{\"token\":\"***\"}"}`, `{"body":"{\"token\":\"***\"}"}`},
		// An encoded secret after the beginning of another escape is not found.
		{"00!0", "%00%2100", "%00%2100"},
		{`{"token":"a","pin":7}`, `got {"token":"a","pin":7}`, "got ***"},
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

// The JSON of a message is not shown if the message is not.
func TestCleanJSON(t *testing.T) {
	t.Parallel()
	secrets := new(Secrets).With(`pass"wörd`)
	message := `"{\"pin\":\"pass\\\"w\u00f6rd\"}"`
	for range 3 {
		if got := secrets.CleanJSON(`{"message":` + message + `}`).String(); got != notShown {
			t.Errorf("%s: %s", message, got)
		}
		if secrets.Quote(message).String() != notShown {
			return
		}
		encoded, _ := json.Marshal(message)
		message = string(encoded)
	}
	t.Error("no message is shown")
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
