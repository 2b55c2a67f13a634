// Package redact makes text from outside fit to be shown.
//
// Its promise: whatever it returns is one short line of printable characters, without any secret
// that was added, however it is spelled. No input, however hostile, costs more than milliseconds.
package redact

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

const (
	mask     = "***"
	maxQuote = 300  // runes of a quotation
	maxClean = 1000 // runes of an address or of the text of an error

	maxRead = 16 << 10     // bytes of a text that are searched for secrets
	maxTail = 8 * partSize // bytes at the end of them that may be part of a secret, escaped

	// minSize is what a secret needs to be masked. Shorter values, such as "1", protect nothing, and
	// masking them would make every text unreadable.
	minSize = 4 // bytes
)

// Text is one line that is fit to be shown. Only this package can make one that is not empty.
type Text struct{ line string }

func (t Text) String() string { return t.line }

// Empty reports whether there is no text.
func (t Text) Empty() bool { return t.line == "" }

// Error is an error whose text is fit to be shown. Its chain is that of the error it was made of.
type Error struct {
	text string
	err  error
}

func (e *Error) Error() string { return e.text }
func (e *Error) Unwrap() error { return e.err }

// Secrets is a set of secrets. A nil one and the zero value are empty. It is safe for concurrent
// use.
type Secrets struct {
	parent *Secrets // holds further secrets; may be nil

	mu     sync.Mutex
	values map[string]struct{}
	forms  *forms // of values; nil until they are needed
}

// With returns a set that holds the secrets of s, also those that s gets later, and further ones,
// for one request.
func (s *Secrets) With(values ...string) *Secrets {
	child := &Secrets{parent: s}
	for _, value := range values {
		child.Add(value)
	}
	return child
}

// AddHeader adds the value of a header, and what follows its scheme (RFC 9110, section 11.4):
// "ApiKey 123" holds the secret 123.
func (s *Secrets) AddHeader(value string) {
	s.Add(value)
	_, credentials, _ := strings.Cut(strings.TrimSpace(value), " ")
	s.Add(credentials)
}

// Add adds a secret; one of less than four bytes, white space aside, is left out.
func (s *Secrets) Add(secret string) {
	if len(newReading(secret).text) < minSize {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.values == nil {
		s.values = map[string]struct{}{}
	}
	s.values[secret] = struct{}{}
	s.forms = nil
}

// All returns the secrets as they were added, the longest first: one may be part of another.
func (s *Secrets) All() []string {
	var all []string
	for ; s != nil; s = s.parent {
		s.mu.Lock()
		all = slices.AppendSeq(all, maps.Keys(s.values))
		s.mu.Unlock()
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}

// Quote returns text as a short quotation.
func (s *Secrets) Quote(text string) Text { return Text{s.clean(text, maxQuote)} }

// Clean returns text, such as an address, which is of little use when it is short.
func (s *Secrets) Clean(text string) Text { return Text{s.clean(text, maxClean)} }

// CleanError returns err, which may be nil, with a text that is fit to be shown: net/http quotes a
// malformed header whole.
func (s *Secrets) CleanError(err error) *Error {
	if err == nil {
		return nil
	}
	return &Error{text: s.clean(err.Error(), maxClean), err: err}
}

// Mask returns body without the secrets in it, and as it is where there are none. It is for what
// has its words taken out before they are quoted: tags that are no tags but part of a secret.
func (s *Secrets) Mask(body []byte) []byte {
	if masked, found := s.mask(oneLine(string(body))); found {
		return []byte(masked)
	}
	return body
}

// clean masks before it truncates to limit runes, lest a part of a secret be left.
func (s *Secrets) clean(text string, limit int) string {
	text, _ = s.mask(oneLine(text))
	return Truncate(text, limit)
}

// mask returns the beginning of text without secrets, and whether there were any.
func (s *Secrets) mask(text string) (masked string, found bool) {
	shown := len(text)
	if shown > maxRead {
		text, shown = strings.ToValidUTF8(text[:maxRead], ""), maxRead-maxTail
	}
	hidden := make([]bool, len(text))
	mark := func(start, end int) {
		found = true
		for i := start; i < end; i++ {
			hidden[i] = true
		}
	}
	for _, r := range readings(text) {
		for set := s; set != nil; set = set.parent {
			set.prepared().hide(r, mark)
		}
	}
	var b strings.Builder
	for i := range shown {
		switch {
		case !hidden[i]:
			b.WriteByte(text[i])
		case i == 0 || !hidden[i-1]:
			b.WriteString(mask)
		}
	}
	return masks.ReplaceAllString(strings.ToValidUTF8(b.String(), ""), mask), found
}

// masks are those of the parts of one secret, or of several next to each other.
var masks = regexp.MustCompile(`\*{3}(?:(?: |\\+[rn]|<br ?/?>)*\*{3})+`)

func (s *Secrets) prepared() *forms {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.forms == nil {
		s.forms = &forms{}
		for value := range s.values {
			s.forms.add(value)
		}
	}
	return s.forms
}

// oneLine folds white space and drops what is not printable.
func oneLine(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	text = strings.Join(strings.Fields(text), " ")
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
}

// Truncate shortens text of more than limit runes to as many and an ellipsis.
func Truncate(text string, limit int) string {
	if runes := []rune(text); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return text
}
