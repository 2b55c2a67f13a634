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
		return hexadecimal.Replace(inJSON(s))
	},
	"JSON in JSON": func(s string) string { return inJSON(`{"a":"` + inJSON(s) + `"}`) },
	"JSON in ASCII": func(s string) string {
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
	},
	"HTML":         html.EscapeString,
	"HTML in JSON": func(s string) string { return inJSON(html.EscapeString(s)) },
	"JSON in HTML": func(s string) string { return html.EscapeString(inJSON(s)) },
	"form":         url.QueryEscape,
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

var hexadecimal = strings.NewReplacer(`\u003c`, `\u003C`, `\u003e`, `\u003E`)

func inJSON(s string) string {
	quoted, _ := json.Marshal(s)
	return string(quoted[1 : len(quoted)-1])
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

// survives reports whether a part of secret that is no accident can be read in text.
func survives(text, secret string) bool {
	for _, r := range readings(text) {
		for _, s := range newReading(secret).unescaped() {
			part := string(s.text[:min(len(s.text), partSize)])
			if len(part) >= minSize && bytes.Contains(r.text, []byte(part)) {
				return true
			}
		}
	}
	return false
}

const privateKey = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIDfnBDFrFPmbhQGCEmfFMEKYmUWyHg7sXrQ8tJPiYwqk
abcdefghijklmnop/+==
-----END PRIVATE KEY-----
`

func TestSpellings(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{
		"hunter2\n", "Pa55w0rd'", `Pa55"w0rd`, "two words", "a+b c&d=e", "<p>&lt;", `C:\new\table`,
		"50%41 off", "pässwörd", "🔑 of the kingdom", "line one\nline two\n", privateKey,
		"eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl_-", strings.Repeat("ab ", 99),
	} {
		secrets := new(Secrets).With(secret)
		for name, spell := range spellings {
			echo := spell(secret)
			got := secrets.Clean("Before, " + echo + " (after).").String()
			if survives(got, secret) || !strings.Contains(got, mask) ||
				!strings.HasPrefix(got, "Before, ") || !strings.HasSuffix(got, " (after).") {
				t.Errorf("%q %s, %q: %q", secret, name, echo, got)
			}
			if !strings.Contains(name, "base64") && len(got) > len("Before, https://a/?b=*** (after).")+20 {
				t.Errorf("%q %s, %q: %q", secret, name, echo, got)
			}
		}
	}
}

// What breaks off in a secret, or is cut off in one, shows no more than a part that is too short to
// search for.
func TestBrokenOff(t *testing.T) {
	t.Parallel()
	secrets := new(Secrets).With(privateKey)
	for size := partSize + 2; size < len(privateKey); size++ {
		got := secrets.Clean("a " + privateKey[:size]).String()
		if len(got) > len("a ***")+partSize || !strings.HasPrefix(got, "a ***") {
			t.Errorf("%d: %q", size, got)
		}
	}
	for _, before := range []int{maxRead - 20, maxRead - 5, maxRead - maxTail, 0} {
		long := strings.Repeat("0123456789", 1+maxRead/10)
		secrets := new(Secrets).With(long, "abcdefghijklmno")
		text := long[:before] + strings.Repeat(`\u0061`, 3) + "bcdefghijklmno" + long
		if got := secrets.Clean(text).String(); got != mask {
			t.Errorf("%d: %q", before, got)
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
	for i := range 2000 {
		before := in64("", fmt.Sprintf("%d%%", i*i), "")
		for _, word := range []string{before, strings.TrimRight(before, "="), "error"} {
			text := word + ": " + echo
			if got := secrets.Clean(text).String(); strings.Contains(got, echo[4:12]) {
				t.Errorf("%s: %s", text, got)
			}
		}
	}
}

// Values that cannot be masked without making every text unreadable.
func TestTooShort(t *testing.T) {
	t.Parallel()
	secrets := new(Secrets).With("abc", " a b c\n", "\x00\x01\x02\x03")
	secrets.AddHeader("Key d")
	const text = "abc, a b c, d, Key"
	if got := secrets.Clean(text).String(); got != text {
		t.Errorf("%q", got)
	}
}

// The limit allows for a busy machine and the race detector.
func TestHostileTexts(t *testing.T) {
	t.Parallel()
	var values []string
	for i := range 1000 {
		values = append(values, fmt.Sprintf("secret number %d\n%s", i, strings.Repeat("aA", i%50)))
	}
	secrets := new(Secrets).With(values...)
	secrets.Add(strings.Join(values, "\n"))
	for _, piece := range []string{
		`\`, `\u0061`, "&amp;", "%25", "aA", "YUE", "<br>", " ", "\u202e", "&#x", "***\\n",
	} {
		began := time.Now()
		got := secrets.Clean(strings.Repeat(piece, 100_000)).String()
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
		echo := spellings[name](secret)
		text := before + " " + echo + " " + after
		got := new(Secrets).With(secret).Clean(text).String()
		masked := true // but for what is too short when it is escaped by accident
		for _, r := range newReading(secret).unescaped() {
			masked = masked && len(r.text) >= minSize
		}
		if survives(got, secret) || masked && strings.Contains(got, echo) && echo != mask {
			t.Errorf("%q %s: %q became %q", secret, name, text, got)
		}
	})
}
