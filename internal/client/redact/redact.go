// Package redact sanitizes untrusted text for display. No other package of the provider does.
//
// It returns one short line of printable characters, in which secrets are masked: verbatim, trimmed
// of white space, each line of a secret separately, and each of these escaped as in JSON, HTML or a
// URL, or in base64. Other variants, and parts of a secret, are not masked. However hostile a text
// is, sanitizing it takes milliseconds.
package redact

import (
	"index/suffixarray"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

const (
	mask = "***"

	maxQuote = 300  // runes that Quote returns
	maxClean = 1000 // runes that Clean and CleanError return

	maxRead = 8 << 10 // bytes of a text that are searched for secrets
	maxTail = 1 << 10 // last bytes of those, which are dropped: a truncated secret may begin there

	// minSize is the minimum size of a secret in bytes. Shorter values, such as "1", protect
	// nothing, and masking them would make every text unreadable.
	minSize = 4
)

// Text is one sanitized line. Only this package can construct one that is not empty.
type Text struct{ line string }

func (t Text) String() string { return t.line }

// Empty reports whether there is no text.
func (t Text) Empty() bool { return t.line == "" }

// Error is an error with sanitized text. It wraps the original error.
type Error struct {
	text string
	err  error
}

func (e *Error) Error() string { return e.text }
func (e *Error) Unwrap() error { return e.err }

// Secrets is a set of secrets. The zero value and a nil pointer are empty sets. It is safe for
// concurrent use.
type Secrets struct {
	parent *Secrets // a set whose secrets belong to this one too; may be nil

	mu     sync.Mutex
	values map[string][]string // the variants of each secret
}

// With returns a set, for one request, that contains values and the secrets of s, including those
// added to s later.
func (s *Secrets) With(values ...string) *Secrets {
	child := &Secrets{parent: s}
	for _, value := range values {
		child.Add(value)
	}
	return child
}

// AddHeader adds the value of a header, and the part after its scheme (RFC 9110, section 11.4):
// "123" of "ApiKey 123".
func (s *Secrets) AddHeader(value string) {
	value = strings.TrimSpace(value) // as net/http sends it
	s.Add(value)
	_, credentials, _ := strings.Cut(value, " ")
	s.Add(credentials)
}

// AddClient adds a client secret, and the credentials id:secret of HTTP Basic authentication, both
// verbatim and form-encoded (RFC 6749, section 2.3.1).
func (s *Secrets) AddClient(id, secret string) {
	s.Add(secret)
	s.Add(id + ":" + secret)
	s.Add(url.QueryEscape(id) + ":" + url.QueryEscape(secret))
}

// Add adds a secret. It ignores one that, trimmed of white space, has fewer than four bytes.
func (s *Secrets) Add(secret string) {
	if len(strings.TrimSpace(secret)) < minSize {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.values == nil {
		s.values = map[string][]string{}
	}
	if s.values[secret] == nil {
		s.values[secret] = variantsOf(secret)
	}
}

// All returns the secrets, the longest first, since one may contain another.
func (s *Secrets) All() []string {
	return slices.SortedFunc(maps.Keys(s.all()), func(a, b string) int { return len(b) - len(a) })
}

// all returns the variants of each secret.
func (s *Secrets) all() map[string][]string {
	all := map[string][]string{}
	for ; s != nil; s = s.parent {
		s.mu.Lock()
		maps.Copy(all, s.values)
		s.mu.Unlock()
	}
	return all
}

// Quote sanitizes text for a short quotation, of at most 300 characters.
func (s *Secrets) Quote(text string) Text { return Text{s.clean(text, maxQuote)} }

// Clean sanitizes text that is needed as a whole, such as a URL, up to 1000 characters.
func (s *Secrets) Clean(text string) Text { return Text{s.clean(text, maxClean)} }

// CleanError returns err with sanitized text, since an error may quote a response. For nil it
// returns nil.
func (s *Secrets) CleanError(err error) *Error {
	if err == nil {
		return nil
	}
	return &Error{text: s.clean(err.Error(), maxClean), err: err}
}

// clean masks secrets, then truncates text to limit runes, so that no part of a secret remains. If
// text is longer than maxRead bytes, the last maxTail bytes of those are not shown.
func (s *Secrets) clean(text string, limit int) string {
	shown := len(text)
	if shown > maxRead {
		text, shown = text[:maxRead], maxRead-maxTail
	}
	masked := s.mask(text, shown) // before oneLine: a secret may contain line breaks
	line := oneLine(masked)
	if line != masked {
		line = s.mask(line, len(line)) // oneLine may have removed characters within a secret
	}
	if runes := []rune(line); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return line
}

// oneLine removes unprintable characters from text and replaces white space with single spaces.
func oneLine(text string) string {
	printable := strings.Map(func(char rune) rune {
		switch {
		case unicode.IsSpace(char):
			return ' '
		case !unicode.IsPrint(char):
			return -1
		}
		return char
	}, text)
	return strings.Join(strings.Fields(printable), " ")
}

// jwt matches a JSON Web Token (RFC 7519, section 3.1), which is masked even if it was not added as
// a secret: base64 that begins with {", and one or more further parts, which may be truncated.
var jwt = regexp.MustCompile(`eyJ[0-9A-Za-z_-]{13,}(?:\.[0-9A-Za-z_-]*)+`)

// mask returns the first size bytes of text, with the variants of secrets masked. It searches for
// the first maxTail bytes of a variant only, since text may be truncated after them.
func (s *Secrets) mask(text string, size int) string {
	shown := slices.Repeat([]bool{true}, len(text)) // for each byte
	for _, found := range jwt.FindAllStringIndex(text, -1) {
		clear(shown[found[0]:found[1]])
	}
	index := suffixarray.New([]byte(text)) // a response may add thousands of variants
	for _, variants := range s.all() {
		for _, variant := range variants {
			beginning := variant[:min(len(variant), maxTail)]
			for _, start := range index.Lookup([]byte(beginning), -1) {
				clear(shown[start:min(start+len(variant), len(text))])
			}
		}
	}

	var b strings.Builder
	for i := range size {
		switch {
		case shown[i]:
			b.WriteByte(text[i])
		case i == 0 || shown[i-1]:
			b.WriteString(mask)
		}
	}
	return b.String()
}
