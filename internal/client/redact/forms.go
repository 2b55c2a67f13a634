package redact

import "strings"

// partSize is the length from which a secret is searched for by its parts: an echo may break off.
const partSize = 16 // bytes

// forms are what a set of secrets looks like in a reading, or parts of it, by their length.
type forms [partSize + 1]map[string]struct{}

// add adds secret, and its lines where it has several.
func (f *forms) add(secret string) {
	f.addReadings(secret)
	f.addReadings(strings.ReplaceAll(secret, " ", "+")) // as in a form
	for line := range strings.SplitSeq(secret, "\n") {
		f.addReadings(line)
	}
}

// addReadings adds the readings of secret, as long as they are no accident.
func (f *forms) addReadings(secret string) {
	for _, r := range newReading(secret).unescaped() {
		text := string(r.text)
		if len(text) < minSize {
			return
		}
		size := min(len(text), partSize)
		if f[size] == nil {
			f[size] = map[string]struct{}{}
		}
		f[size][text[len(text)-size:]] = struct{}{}
		for i := 0; i+size <= len(text); i += size {
			f[size][text[i:i+size]] = struct{}{}
		}
	}
}

// hide calls mark with where r spells a secret.
func (f *forms) hide(r *reading, mark func(start, end int)) {
	for size, known := range f {
		for from := 0; known != nil && from+size <= len(r.text); from++ {
			if _, found := known[string(r.text[from:from+size])]; found {
				mark(r.start[from], r.end[from+size-1])
			}
		}
	}
}
