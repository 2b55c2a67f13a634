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
)

const (
	mask    = "***" // a secret that stood in a text as it is
	leftOut = "(left out: it repeats a secret in another form)"

	maxQuote = 300  // runes of a quotation
	maxClean = 1000 // runes of an address or of the text of an error

	maxRead = 8 << 10 // bytes of a text that are searched for secrets
	maxTail = 1 << 10 // bytes at the end of those that may begin a secret, and are not shown

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
	value = strings.TrimSpace(value) // as it is sent
	s.Add(value)
	_, credentials, _ := strings.Cut(value, " ")
	s.Add(credentials)
}

// Add adds a secret; one of less than four bytes, white space aside, is left out.
func (s *Secrets) Add(secret string) {
	if len(newReading(secret, nil).join().text) < minSize {
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

// Own returns a text of the user's own, such as the address in a setting. Only what stands in it as
// it is is masked: a link among the secrets may begin like that address.
func (s *Secrets) Own(text string) Text { return Text{line(text, s.mask(text), maxClean)} }

// CleanError returns err, which may be nil, with a text that is fit to be shown: net/http quotes a
// malformed header whole.
func (s *Secrets) CleanError(err error) *Error {
	if err == nil {
		return nil
	}
	return &Error{text: s.clean(err.Error(), maxClean), err: err}
}

// clean masks before it truncates to limit runes, lest a part of a secret be left.
func (s *Secrets) clean(text string, limit int) string {
	shown := len(text)
	if shown > maxRead {
		text, shown = text[:maxRead], maxRead-maxTail
	}
	masked := s.mask(text)
	readings := newReading(text, masked).all()
	for set := s; set != nil; set = set.parent {
		if slices.ContainsFunc(readings, set.prepared().in) {
			return leftOut
		}
	}
	return line(text[:shown], masked, limit)
}

// line is text as one line of at most limit runes, without what is masked.
func line(text string, masked []bool, limit int) string {
	var b strings.Builder
	for i := range len(text) {
		switch {
		case !masked[i]:
			b.WriteByte(text[i])
		case i == 0 || !masked[i-1]:
			b.WriteString(mask)
		}
	}
	printable := []rune(strings.TrimSpace(string(newReading(b.String(), nil).text)))
	if len(printable) > limit {
		return string(printable[:limit]) + "…"
	}
	return string(printable)
}

// token is what looks like a JSON Web Token, whoever's it is (RFC 7519, section 3.1): base64 of the
// beginning of a JSON object, and what follows its dots, which may break off.
var token = regexp.MustCompile(`eyJ[0-9A-Za-z_-]{13,}(?:\.[0-9A-Za-z_-]*)+`)

// mask tells of each byte of text whether it is a part of a secret that stands there as it is.
func (s *Secrets) mask(text string) []bool {
	masked := make([]bool, len(text))
	found := token.FindAllStringIndex(text, -1)
	for _, secret := range s.All() {
		for end := 0; strings.Contains(text[end:], secret); {
			start := end + strings.Index(text[end:], secret)
			end = start + len(secret)
			found = append(found, []int{start, end})
		}
	}
	for _, at := range found {
		copy(masked[at[0]:at[1]], slices.Repeat([]bool{true}, at[1]-at[0]))
	}
	return masked
}

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
