package redact

import (
	"bytes"
	"encoding/base64"
	"html"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// A secret is not searched for in the spellings that it may have: they are too many. The text is
// read in the ways in which it may be written, and each way has all secrets searched for.

// reading is a text without white space and what cannot be printed, and with some escapes undone:
// an echo may be trimmed, folded, or broken into lines.
type reading struct {
	text       []byte
	start, end []int // where in the original text each byte comes from
}

func newReading(text string) *reading {
	r := new(reading)
	for i, char := range text {
		r.add(char, i, i+utf8.RuneLen(char))
	}
	return r
}

// add appends char, which the bytes from start to end of the original text stand for.
func (r *reading) add(char rune, start, end int) {
	if char == utf8.RuneError || unicode.IsSpace(char) || !unicode.IsPrint(char) {
		return
	}
	for _, b := range utf8.AppendRune(nil, char) {
		r.text = append(r.text, b)
		r.start, r.end = append(r.start, start), append(r.end, end)
	}
}

// divide keeps what follows from being read together with what was there before. No form of a secret
// holds a space.
func (r *reading) divide(at int) {
	r.text = append(r.text, ' ')
	r.start, r.end = append(r.start, at), append(r.end, at)
}

// readings are all ways to read text: as it is, with the escapes of JSON, HTML and URLs undone as
// often as there are any, and the same of what it holds in base64, wherever that begins.
func readings(text string) []*reading {
	all := newReading(text).unescaped()
	plain := all[len(all)-1]
	for skip := range 4 {
		all = append(all, plain.decoded(skip).unescaped()...)
	}
	return all
}

// maxEscaped allows for JSON in JSON in HTML in JSON, and a URL in that.
const maxEscaped = 5

// unescaped are r and what it is when escapes are undone, once and more often.
func (r *reading) unescaped() []*reading {
	all := []*reading{r}
	for range maxEscaped {
		if !bytes.ContainsAny(r.text, `\%&<`) {
			break
		}
		plain := r.unescape()
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
	`(?:\\u[0-9A-Fa-f]{4})+|\\.|(?:%[0-9A-Fa-f]{2})+|&#?[0-9A-Za-z]+;?|<(?:br|BR)/?>`,
)

func (r *reading) unescape() *reading {
	plain, last := new(reading), 0
	for {
		found := escapes.FindIndex(r.text[last:])
		if found == nil {
			break
		}
		from, to := last+found[0], last+found[1]
		if gap := r.gap(from, to); gap < to { // two words, as in "100% ab"
			plain.copy(r, last, gap)
			last = gap
			continue
		}
		plain.copy(r, last, from)
		last = to
		escape := string(r.text[from:to])
		meant := unescape(escape)
		if meant == escape {
			plain.copy(r, from, to)
			continue
		}
		for _, char := range meant {
			plain.add(char, r.start[from], r.end[to-1])
		}
	}
	plain.copy(r, last, len(r.text))
	return plain
}

// gap is where between from and to something was dropped, such as a space; to if nowhere.
func (r *reading) gap(from, to int) int {
	for i := from + 1; i < to; i++ {
		if r.start[i] > r.end[i-1] {
			return i
		}
	}
	return to
}

// copy appends the bytes of other from one place to another.
func (r *reading) copy(other *reading, from, to int) {
	r.text = append(r.text, other.text[from:to]...)
	r.start = append(r.start, other.start[from:to]...)
	r.end = append(r.end, other.end[from:to]...)
}

// unescape returns what escape, a match of escapes, stands for; nothing for a line break.
func unescape(escape string) string {
	switch {
	case escape[0] == '&':
		return html.UnescapeString(escape)
	case escape[0] == '%':
		plain, _ := url.PathUnescape(escape) // of digits
		return plain
	case escape[0] == '<', strings.Contains("bfnrt", escape[1:]):
		return ""
	case len(escape) < len(`\u0000`): // a quotation mark, or another backslash
		return escape[1:]
	}
	var units []uint16
	for digits := range strings.SplitSeq(escape[len(`\u`):], `\u`) {
		unit, _ := strconv.ParseUint(digits, 16, 16) // of four digits
		units = append(units, uint16(unit))
	}
	return string(utf16.Decode(units))
}

var (
	encoded   = regexp.MustCompile(`[0-9A-Za-z+/_-]{6,}`)
	standard  = strings.NewReplacer("-", "+", "_", "/")
	unpadding = base64.RawStdEncoding
)

// decoded is what r holds in base64, where skip characters stand before it.
func (r *reading) decoded(skip int) *reading {
	plain := new(reading)
	for _, found := range encoded.FindAllIndex(r.text, -1) {
		from := found[0] + skip
		run := standard.Replace(string(r.text[from:found[1]]))
		content := make([]byte, unpadding.DecodedLen(len(run)))
		n, _ := unpadding.Decode(content, []byte(run)) // the last character may be too much
		place := func(i int) int { return from + i/3*4 + i%3 }
		for i, char := range string(content[:n]) {
			last := place(i + utf8.RuneLen(char) - 1)
			plain.add(char, r.start[place(i)], r.end[min(last+1, found[1]-1)])
		}
		plain.divide(r.end[found[1]-1])
	}
	return plain
}
