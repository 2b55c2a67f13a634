package redact

import (
	"iter"
	"strings"
)

const (
	// separator stands between texts that are searched together, and in place of a secret. No
	// secret contains it: it is not valid in UTF-8.
	separator = "\xff"

	// Of a secret only the beginning is searched for, so that it is found even if it is truncated:
	// at most so many bytes in a text itself, and in what it encodes.
	prefix, decodedPrefix = 512, 64
)

// find yields the start and end of each region of text that a secret occupies. It searches for the
// first limit bytes of each secret, unless that secret also stands in except.
func (s *Secrets) find(text, except string, limit int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		known := newFilter(text)
		secrets, addresses := s.all()
		for secret := range secrets {
			for part := range secret.parts() {
				beginning := part[:min(len(part), limit)]
				if !known.mayContain(beginning) ||
					strings.Contains(except, part[:min(len(part), prefix)]) {
					continue
				}
				for start, end := range regions(text, beginning) {
					end = min(end+len(part)-len(beginning), len(text))
					isVisible := secret.isHeader && within(text, start, end, addresses)
					if !isVisible && !yield(start, end) {
						return
					}
				}
			}
		}
	}
}

// parts yields the secret and each of its lines.
func (s secret) parts() iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield(s.text) || !strings.Contains(s.text, "\n") {
			return
		}
		for line := range strings.SplitSeq(s.text, "\n") {
			line = strings.TrimSpace(line)
			if len(line) >= minSize && !yield(line) {
				return
			}
		}
	}
}

// within reports whether text[start:end] is inside an occurrence of an address.
func within(text string, start, end int, addresses []string) bool {
	for _, address := range addresses {
		first, last := max(0, end-len(address)), min(start+len(address), len(text))
		if end-start <= len(address) && strings.Contains(text[first:last], address) {
			return true
		}
	}
	return false
}

// regions yields the start and end of each region that occurrences of part occupy, which may
// overlap. It takes linear time, since each step is to the last occurrence that overlaps.
func regions(text, part string) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for end := 0; ; {
			next := strings.Index(text[end:], part)
			if next < 0 {
				return
			}
			start := end + next
			end = start + len(part)
			for next >= 0 {
				overlapping := text[end-len(part)+1 : min(end+len(part)-1, len(text))]
				next = strings.LastIndex(overlapping, part)
				end += next + 1 // by 0 if there is none
			}
			if !yield(start, end) {
				return
			}
		}
	}
}

// filter is a set of hashes of all four consecutive bytes of a text. It makes searching for many
// strings that the text does not contain fast.
type filter []uint64

func newFilter(text string) filter {
	f := make(filter, len(text)/8+1)
	for i := range len(text) - minSize + 1 {
		word, bit := f.at(text[i : i+minSize])
		f[word] |= bit
	}
	return f
}

// mayContain reports whether the text may contain part.
func (f filter) mayContain(part string) bool {
	for i := range len(part) - minSize + 1 {
		if word, bit := f.at(part[i : i+minSize]); f[word]&bit == 0 {
			return false
		}
	}
	return true
}

func (f filter) at(four string) (word, bit uint64) {
	number := uint32(four[0]) | uint32(four[1])<<8 | uint32(four[2])<<16 | uint32(four[3])<<24
	index := uint64(number*2654435769) * uint64(64*len(f)) >> 32 // Fibonacci hashing
	return index / 64, 1 << (index % 64)
}
