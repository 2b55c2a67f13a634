package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
)

// spellings are the ways in which servers echo what they were sent.
var spellings = map[string]func(string) string{
	"as it is":        func(s string) string { return s },
	"trimmed":         strings.TrimSpace,
	"folded":          func(s string) string { return strings.Join(strings.Fields(s), " ") },
	"without a space": func(s string) string { return strings.Join(strings.Fields(s), "") },
	"CRLF":            func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
	"br":              func(s string) string { return strings.ReplaceAll(s, "\n", "<br />\n") },
	"JSON": func(s string) string {
		var b bytes.Buffer
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(s)
		return strings.TrimSuffix(b.String()[1:], "\"\n")
	},
	"JSON, escaped": inJSON,
	"JSON, upper case": func(s string) string {
		return hexadecimal.Replace(inASCII(s))
	},
	"JSON in JSON":  func(s string) string { return inJSON(`{"a":"` + inJSON(s) + `"}`) },
	"JSON in ASCII": inASCII,
	"HTML":          html.EscapeString,
	"HTML in JSON":  func(s string) string { return inJSON(html.EscapeString(s)) },
	"JSON in HTML":  func(s string) string { return html.EscapeString(inJSON(s)) },
	"form":          url.QueryEscape,
	"form, lower case": func(s string) string {
		return lowerEscapes(url.QueryEscape(s))
	},
	"path":        url.PathEscape,
	"URL in JSON": func(s string) string { return inJSON("https://a/?b=" + url.QueryEscape(s)) },
	"HTML of a form": func(s string) string {
		return html.EscapeString("a=b&secret=" + url.QueryEscape(s) + "&c=d")
	},
	"base64":     func(s string) string { return in64("", s, "") },
	"base64 + 1": func(s string) string { return in64("a", s, `"}`) },
	"base64 + 2": func(s string) string { return in64("ab", s, `"}]`) },
	"base64 of JSON": func(s string) string {
		return in64(`{"channels":[{"fields":{"code":"`, inJSON(s), `"}}]}`)
	},
	"base64 of a form": func(s string) string {
		return in64("grant_type=client_credentials&client_secret=", url.QueryEscape(s), "&scope=a")
	},
	"base64 for URLs": func(s string) string {
		return base64.RawURLEncoding.EncodeToString([]byte("?>?>" + s))
	},
	"base64 in JSON": func(s string) string {
		return strings.ReplaceAll(in64("a?>?", s, "?"), "/", `\/`)
	},
	"base64 in lines": func(s string) string {
		text := in64("POST / HTTP/1.1\r\n\r\n", s, "")
		for i := 60; i < len(text); i += 62 {
			text = text[:i] + "\r\n" + text[i:]
		}
		return text
	},
}

var hexadecimal = strings.NewReplacer(`\u003c`, `\u003C`, `\u00e4`, `\u00E4`, `\u00f6`, `\u00F6`)

func inJSON(s string) string {
	quoted, _ := json.Marshal(s)
	return string(quoted[1 : len(quoted)-1])
}

func inASCII(s string) string {
	var b strings.Builder
	for _, unit := range s {
		if unit < 0x80 {
			b.WriteString(inJSON(string(unit)))
		} else if unit < 0x10000 {
			fmt.Fprintf(&b, `\u%04x`, unit)
		} else {
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+(unit-0x10000)>>10, 0xdc00+(unit-0x10000)&0x3ff)
		}
	}
	return b.String()
}

func in64(before, s, after string) string {
	return base64.StdEncoding.EncodeToString([]byte(before + s + after))
}

func lowerEscapes(s string) string {
	for i := range s {
		if s[i] == '%' {
			s = s[:i] + strings.ToLower(s[i:i+3]) + s[i+3:]
		}
	}
	return s
}

// survives reports whether text holds secret in one of the spellings, whatever white space is in
// it.
func survives(text, secret string) bool {
	fold := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) || !unicode.IsPrint(r) {
				return -1
			}
			return r
		}, s)
	}
	if len(fold(secret)) < minSize {
		return false
	}
	for name, spell := range spellings {
		if !strings.Contains(name, "64") && len(fold(secret)) >= wordSize &&
			strings.Contains(fold(text), fold(spell(secret))) {
			return true
		}
	}
	for _, before := range []string{"", "a", "ab"} { // and what depends on nothing but the secret
		core := in64(before, secret, "")[len(before)*8/6+1:]
		if core = strings.TrimRight(core, "="); len(core) > wordSize &&
			strings.Contains(text, core[:len(core)-1]) {
			return true
		}
	}
	return strings.Contains(text, secret)
}

const privateKey = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIDfnBDFrFPmbhQGCEmfFMEKYmUWyHg7sXrQ8tJPiYwqk
abcdefghijklmnop/+==
-----END PRIVATE KEY-----
`

// A secret is masked where it stands as it is. A text with another spelling of it is left out.
func TestSpellings(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{
		"hunter2\n", "Pa55w0rd'", `Pa55"w0rd`, "two words", "a+b c&d=e", "<p>&lt;", `C:\new\table`,
		"50%41 off", "pässwörd", "🔑 of the kingdom", "line one\nline two\n", privateKey,
		"eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl_-", strings.Repeat("ab ", 99),
	} {
		secrets := new(Secrets).With(secret)
		for name, spell := range spellings {
			text, want := "Before, "+spell(secret)+" (after).", leftOut
			if strings.Contains(text, secret) {
				want = strings.ReplaceAll(text, secret, mask)
			}
			if got := secrets.Clean(text).String(); got != want {
				t.Errorf("%q %s, %q: %q, want %q", secret, name, text, got, want)
			}
		}
	}
}

// What is masked, what is left out, and what only looks like a secret.
func TestQuote(t *testing.T) {
	t.Parallel()
	const key, header, payload = "0123456789abcdefghij", "eyJhbGciOiJub25lIn0", "eyJzdWIiOiJhZG1pbiJ9"
	const short, long = "hunter2x", `hunter2x"and more` // of which one begins like the other
	one := func(secret string) []string { return []string{secret} }
	for _, test := range []struct {
		secrets    []string
		text, want string
	}{
		{one("test"), "contact established", "contact established"},
		{one("a test"), "contac a  t est ablished", "contac a t est ablished"},
		{one("a test"), "a  test", leftOut},
		{one("test"), "t&#101;st", leftOut},
		{one("testtest"), "contact testt established", leftOut},
		{one("contact\nmallory\nabc"), "by mallory", leftOut},
		{one("contact\nmallory\nabc"), "abc", "abc"},
		{one("a\nb\nc\nd"), "a\nb\nc\nd.", "***."},
		{one("sword<canary>fish"), "sword fish", leftOut},
		{one("sword<canary"), "a page: sword", leftOut},
		{one("sword<canary"), "a page: word", "a page: word"},
		{one(key), "a part: 3456789abcdefghi", leftOut},
		{one(key), "a part: 3456789abcdefgh", "a part: 3456789abcdefgh"},
		{one("canary one"), "a canary\n\tone b", leftOut},
		{one("canary-two"), "a canary\x00-two", leftOut},
		{one("canary-two"), "canary-two, Y2FuYXJ5LXR3bw==", leftOut},
		{one("canary-two"), "canary-two, canary%2Dtwo", leftOut},
		{one("100% pure\\nonsense"), "100% pure\\nonsense", "***"},
		{[]string{"canary one", "canary-two"}, "canary one\tcanary-two", "*** ***"},
		{[]string{"canary one", "canary-two"}, "canary onecanary-two", "***"},
		{[]string{short, long}, long + ", " + short, "***, ***"},
		{[]string{short, long}, inJSON(long), leftOut},
		{[]string{short, long}, short + `"and`, `***"and`},

		// What would be cut in half is masked whole.
		{one(key), strings.Repeat("x", maxQuote-5) + key, strings.Repeat("x", maxQuote-5) + "***"},

		// To mask what is so short would make every text unreadable.
		{[]string{"abc", " a b c\n", "\x00\x01\x02\x03"}, "abc, a b c, d", "abc, a b c, d"},

		// What looks like a token is masked, whoever's it is.
		{nil, "got " + header + "." + payload + ".c2lnbmF0dXJl_-, which", "got ***, which"},
		{nil, "/" + header + "." + payload[:9], "/***"},
		{nil, header + "..a.b.c?x", "***?x"},
		{nil, header + " alone", header + " alone"},
		{nil, "monkeyJumps.example", "monkeyJumps.example"},
	} {
		var secrets *Secrets // a nil one is empty
		if test.secrets != nil {
			secrets = secrets.With(test.secrets...)
		}
		if got := secrets.Quote(test.text).String(); got != test.want {
			t.Errorf("%q in %q: %q", test.secrets, test.text, got)
		}
	}
}

// What breaks off in a secret, or is cut off in one, shows no more than a part that is too short to
// look for.
func TestBrokenOff(t *testing.T) {
	t.Parallel()
	secrets := new(Secrets).With(privateKey)
	for size := partSize + 2; size < len(privateKey); size++ {
		if got := secrets.Clean("a " + privateKey[:size]).String(); got != leftOut {
			t.Errorf("%d: %q", size, got)
		}
	}
	var escaped strings.Builder
	for _, char := range "abcdefghijklmno" {
		fmt.Fprintf(&escaped, `\u%04x`, char)
	}
	secrets.Add("abcdefghijklmno")
	secrets.Add(strings.Repeat("0", maxRead/2)) // is masked, so that the end could be shown
	for read := 0; read < escaped.Len(); read += 7 {
		text := strings.Repeat(" ", maxRead/2-read) + strings.Repeat("0", maxRead/2) + escaped.String()
		if got := secrets.Clean(text).String(); got != mask {
			t.Errorf("%d: %q", read, got)
		}
	}
}

// What stands before a secret in base64 is read by itself: it may decode to the beginning of an
// escape.
func TestBase64AmongWords(t *testing.T) {
	t.Parallel()
	const secret = "abcDEF123<>&\"'z"
	secrets := new(Secrets).With(secret)
	echo := in64("", url.QueryEscape(secret), "")
	for i := range 100 {
		before := in64("", fmt.Sprintf("%d%%", i*i*i), "")
		for _, word := range []string{before, strings.TrimRight(before, "="), "error"} {
			text := word + ": " + echo
			if got := secrets.Clean(text).String(); got != leftOut {
				t.Errorf("%s: %s", text, got)
			}
		}
	}
}

// The limit allows for a busy machine and the race detector.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	var values []string
	for i := range 100 {
		values = append(values, fmt.Sprintf("secret number %d\n%s", i, strings.Repeat("aA", i%50)))
	}
	secrets := new(Secrets).With(values...)
	secrets.Add(strings.Join(values, "\n"))
	secrets.Clean("") // gets them ready
	for _, piece := range []string{
		`\`, `\u0061`, "&amp;", "%25", "aA", "YUE", "<br>", " ", "\u202e", "&#x", "***\\n", `\x`,
		"eyJ0123456789abc. ",
	} {
		began := time.Now()
		got := secrets.Clean(strings.Repeat(piece, 2*maxRead)).String()
		if took := time.Since(began); took > 5*time.Second || len(got) > 3*maxClean+len("…") {
			t.Errorf("%q: %d bytes after %s", piece, len(got), took)
		}
	}
}

// No secret survives in any spelling, whatever stands around it.
func FuzzSpellings(f *testing.F) {
	f.Add("Pa55w0rd'", "the value ", " is wrong", uint8(0))
	f.Add(privateKey, "&", ";", uint8(1))
	f.Add("a\\\"b", "\\", "\"", uint8(2))
	f.Add("00!0", "%", "0", uint8(16))
	names := slices.Sorted(maps.Keys(spellings))
	f.Fuzz(func(t *testing.T, secret, before, after string, which uint8) {
		secret = strings.ToValidUTF8(secret, "")
		name := names[int(which)%len(names)]
		text := before + " " + spellings[name](secret) + " " + after
		got := new(Secrets).With(secret).Clean(text).String()
		if got != leftOut && survives(got, secret) {
			t.Errorf("%q %s: %q became %q", secret, name, text, got)
		}
	})
}
