package redact

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The spellings that a secret may have are too many to look for. So a text is read in the ways in
// which it may be written, and each reading is searched for all secrets.

// reading is a text in one line, without what cannot be printed, and perhaps with escapes undone.
type reading struct {
	text   []byte
	masked []bool // of each byte, whether it stands where the text is masked
}

// newReading reads text. masked has an element for each of its bytes, or none at all.
func newReading(text string, masked []bool) *reading {
	r := new(reading)
	r.add(text, masked)
	return r
}

func (r *reading) add(text string, masked []bool) {
	for i, char := range text {
		switch {
		case unicode.IsSpace(char):
			if bytes.HasSuffix(r.text, []byte(" ")) {
				continue
			}
			char = ' '
		case !unicode.IsPrint(char):
			continue
		}
		r.text = utf8.AppendRune(r.text, char)
		for len(r.masked) < len(r.text) {
			r.masked = append(r.masked, masked != nil && masked[i])
		}
	}
}

// join returns r without white space: an echo may be trimmed, folded, or broken into lines.
func (r *reading) join() *reading {
	joined := new(reading)
	for i, char := range r.text {
		if char != ' ' {
			joined.text = append(joined.text, char)
			joined.masked = append(joined.masked, r.masked[i])
		}
	}
	return joined
}

// allMasked reports whether the bytes of r from start to end stand where the text is masked.
func (r *reading) allMasked(start, end int) bool {
	return !slices.Contains(r.masked[start:end], false)
}

// all are the ways to read r: as it is, with the escapes of JSON, HTML and URLs undone as often
// as there are any, and the same of what it holds in base64, wherever that begins.
func (r *reading) all() []*reading {
	all := r.unescaped()
	plain := all[len(all)-1].join() // base64 may be in lines
	for skip := range 4 {
		all = append(all, plain.decode(skip).unescaped()...)
	}
	return all
}

// maxEscaped allows for JSON in JSON in HTML in JSON, and a URL in that.
const maxEscaped = 5

// unescaped are r and what it is when escapes are undone, once and more often.
func (r *reading) unescaped() []*reading {
	all := []*reading{r}
	for range maxEscaped {
		plain := r.replace(escapes, unescape)
		if bytes.Equal(plain.text, r.text) {
			break
		}
		all, r = append(all, plain), plain
	}
	return all
}

// escapes are undone together where they follow each other, since several may stand for one
// character.
var escapes = regexp.MustCompile(
	`(?:\\u[0-9A-Fa-f]{4})+|\\.|(?:%[0-9A-Fa-f]{2})+|&#?[0-9A-Za-z]+;?|<(?:br|BR) ?/?>`,
)

// unescape returns what escape, a match of escapes, stands for.
func unescape(escape string) string {
	switch escape[0] {
	case '&':
		return html.UnescapeString(escape)
	case '%':
		plain, _ := url.PathUnescape(escape) // of digits
		return plain
	case '<':
		return " "
	}
	var plain string
	if json.Unmarshal([]byte(`"`+escape+`"`), &plain) != nil {
		return escape[1:] // some languages escape more than JSON does
	}
	return plain
}

var (
	encoded  = regexp.MustCompile(`[0-9A-Za-z+/_-]{6,}|.`) // or what stands between
	standard = strings.NewReplacer("-", "+", "_", "/")
)

// decode returns what r holds in base64, where skip characters stand before it.
func (r *reading) decode(skip int) *reading {
	return r.replace(encoded, func(run string) string {
		content, _ := base64.RawStdEncoding.DecodeString( // of which the end may be too much
			standard.Replace(run[min(skip, len(run)):]))
		return string(content) + " " // or the next run would be read as the end of an escape
	})
}

// replace returns r with another text in the place of each match. Where that is masked, so is the
// other text.
func (r *reading) replace(match *regexp.Regexp, by func(string) string) *reading {
	replaced, last := new(reading), 0
	for _, found := range match.FindAllIndex(r.text, -1) {
		start, end := found[0], found[1]
		text := by(string(r.text[start:end]))
		replaced.add(string(r.text[last:start]), r.masked[last:start])
		replaced.add(text, slices.Repeat([]bool{r.allMasked(start, end)}, len(text)))
		last = end
	}
	replaced.add(string(r.text[last:]), r.masked[last:])
	return replaced
}
