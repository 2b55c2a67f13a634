package redact

import (
	"regexp"
	"strings"
)

const (
	partSize = 16 // bytes from which a secret is looked for by its parts: an echo may break off
	wordSize = 8  // bytes below which it is not looked for across white space
)

// forms are what a set of secrets looks like in a reading. Words are those that would be found by
// accident where the white space is left out, as "test" is in "contact established".
type forms struct{ words, joined windows }

// windows are texts of at most partSize bytes, by their length.
type windows [partSize + 1]map[string]struct{}

// tags are what is taken out of an HTML page before it is quoted.
var tags = regexp.MustCompile(`<[^>]*>`)

// add adds the ways to write secret that no reading undoes: its lines one by one, as in a form, and
// what a page leaves of it: without tags, and up to one that does not end in it.
func (f *forms) add(secret string) {
	spellings := strings.Split(secret, "\n")
	untagged := tags.ReplaceAllString(secret, " ")
	beginning, _, _ := strings.Cut(untagged, "<")
	spellings = append(spellings, secret, strings.ReplaceAll(secret, " ", "+"), untagged, beginning)
	for _, spelling := range spellings {
		for _, r := range newReading(spelling, nil).unescaped() {
			joined := r.join()
			switch {
			case len(joined.text) < minSize: // an accident
			case len(joined.text) < wordSize:
				f.words.add(strings.TrimSpace(string(r.text)))
			default:
				f.joined.add(string(joined.text))
			}
		}
	}
}

// in reports whether r spells a secret in a place that is not masked.
func (f *forms) in(r *reading) bool { return f.words.in(r) || f.joined.in(r.join()) }

func (w *windows) add(text string) {
	size := min(len(text), partSize)
	if w[size] == nil {
		w[size] = map[string]struct{}{}
	}
	for i := 0; i+size <= len(text); i++ {
		w[size][text[i:i+size]] = struct{}{}
	}
}

func (w *windows) in(r *reading) bool {
	for size, known := range w {
		for i := 0; known != nil && i+size <= len(r.text); i++ {
			_, found := known[string(r.text[i:i+size])]
			if found && !r.allMasked(i, i+size) {
				return true
			}
		}
	}
	return false
}
