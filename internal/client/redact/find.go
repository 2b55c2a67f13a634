package redact

import (
	"iter"
	"math/bits"
	"strings"
)

const (
	// Of a longer secret only the beginning is searched for, since the text may be truncated:
	// prefix bytes in the text itself, decodedPrefix bytes in what it encodes.
	prefix        = 512
	decodedPrefix = 64
)

// find yields the start and end of each region of text that a secret occupies. It searches for the
// first limit bytes of each secret, and leaves out those that also stand in except.
func (s *Secrets) find(text, except string, limit int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		if len(text) < minSize {
			return
		}
		known := newFilter(text)
		values, addresses := s.all()
		for value := range values {
			for part := range value.parts() {
				beginning := part[:min(len(part), limit)]
				if !known.mayContain(beginning) ||
					strings.Contains(except, part[:min(len(part), prefix)]) {
					continue
				}
				for start, end := range regions(text, beginning) {
					end = min(end+len(part)-len(beginning), len(text))
					inAddress := value.isHeader && within(text, start, end, addresses)
					if !inAddress && !yield(start, end) {
						return
					}
				}
			}
		}
	}
}

// parts yields the secret, and each of its lines, trimmed and not too short.
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

// within reports whether text[start:end] is part of an occurrence of an address.
func within(text string, start, end int, addresses []string) bool {
	for _, address := range addresses {
		around := text[max(0, end-len(address)):min(start+len(address), len(text))]
		if end-start <= len(address) && strings.Contains(around, address) {
			return true
		}
	}
	return false
}

// regions yields the start and end of each region that occurrences of part occupy; occurrences that
// overlap form one region. It takes linear time, since it goes from an occurrence to the last one
// that overlaps it.
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
				following := end - len(part) + 1
				next = strings.LastIndex(text[following:min(end+len(part)-1, len(text))], part)
				end += next + 1 // unchanged without a further one
			}
			if !yield(start, end) {
				return
			}
		}
	}
}

// filter tells quickly that a text does not contain a string: for each four consecutive bytes of
// the text, it has a bit.
type filter struct {
	bits  []uint64
	shift int
}

func newFilter(text string) filter {
	size := bits.Len(uint(len(text))) + 3 // more than 8 bits for each byte
	f := filter{make([]uint64, 1<<(size-6)), 32 - size}
	for i := minSize; i <= len(text); i++ {
		bit := f.bit(text[i-minSize : i])
		f.bits[bit/64] |= 1 << (bit % 64)
	}
	return f
}

// mayContain reports whether the text may contain part, which has at least four bytes.
func (f filter) mayContain(part string) bool {
	for i := minSize; i <= len(part); i++ {
		bit := f.bit(part[i-minSize : i])
		if f.bits[bit/64]&(1<<(bit%64)) == 0 {
			return false
		}
	}
	return true
}

// bit returns the number of the bit of four bytes (Fibonacci hashing).
func (f filter) bit(four string) uint32 {
	number := uint32(four[0]) | uint32(four[1])<<8 | uint32(four[2])<<16 | uint32(four[3])<<24
	return number * 2654435769 >> f.shift
}
