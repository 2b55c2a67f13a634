package redact

import (
	"bytes"
	"strings"
)

// partSize is the length from which a secret is searched for by its parts: an echo may break off.
const partSize = 16 // bytes

// forms are what a set of secrets looks like in a reading.
type forms struct {
	whole, parts map[string]struct{}
}

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
		if len(text) < partSize {
			f.whole[text] = struct{}{}
			continue
		}
		f.parts[text[len(text)-partSize:]] = struct{}{}
		for i := 0; i+partSize <= len(text); i += partSize {
			f.parts[text[i:i+partSize]] = struct{}{}
		}
	}
}

// hide calls mark with where r spells a secret.
func (f *forms) hide(r *reading, mark func(start, end int)) {
	hide := func(from, size int) { mark(r.start[from], r.end[from+size-1]) }
	for form := range f.whole {
		for from := 0; ; from++ {
			found := bytes.Index(r.text[from:], []byte(form))
			if found < 0 {
				break
			}
			from += found
			hide(from, len(form))
		}
	}
	for from := 0; from+partSize <= len(r.text) && len(f.parts) > 0; from++ {
		if _, found := f.parts[string(r.text[from:from+partSize])]; found {
			hide(from, partSize)
		}
	}
}
