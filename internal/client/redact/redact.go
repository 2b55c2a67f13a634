// Package redact sanitizes untrusted text for display, and is the only package that does.
//
// Its promise: whatever it returns is one short line of printable characters, without any secret
// that was added. A secret is found as it is, without the white space around it, each of its lines
// by itself, and each of these escaped as in JSON, HTML or a URL, or in base64. Other variants,
// and parts of a secret, are not promised. No text, however hostile, costs more than milliseconds.
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

	maxQuote = 300  // runes of a quotation
	maxClean = 1000 // runes of an address or of the text of an error

	maxRead = 8 << 10 // bytes of a text that are searched for secrets
	maxTail = 1 << 10 // bytes at the end of those, in which a secret may begin that is cut off

	// minSize is what a secret needs to be masked, in bytes. Shorter values, such as "1", protect
	// nothing, and masking them would make every text unreadable.
	minSize = 4
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
	values map[string][]string // the variants of each secret
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

// AddClient adds a client secret, and the credentials that hold it with HTTP Basic authentication,
// as they are and form-encoded (RFC 6749, section 2.3.1).
func (s *Secrets) AddClient(id, secret string) {
	s.Add(secret)
	s.Add(id + ":" + secret)
	s.Add(url.QueryEscape(id) + ":" + url.QueryEscape(secret))
}

// Add adds a secret; one of less than four bytes, without the white space around it, is left out.
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

// All returns the secrets as they were added, the longest first: one may be part of another.
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

// clean masks before it truncates to limit runes, lest a part of a secret be left. Of a text that is
// longer than maxRead it does not show the last maxTail bytes that it has read.
func (s *Secrets) clean(text string, limit int) string {
	shown := len(text)
	if shown > maxRead {
		text, shown = text[:maxRead], maxRead-maxTail
	}
	masked := s.mask(text, shown) // before oneLine: a secret may hold line breaks
	line := oneLine(masked)
	if line != masked {
		line = s.mask(line, len(line)) // what oneLine drops may have stood within a secret
	}
	if runes := []rune(line); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return line
}

// oneLine returns text without what cannot be printed, and with single spaces as its white space.
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

// jwt is what looks like a JSON Web Token, whoever's it is (RFC 7519, section 3.1): base64 of the
// beginning of a JSON object, and what follows its dots, which may break off.
var jwt = regexp.MustCompile(`eyJ[0-9A-Za-z_-]{13,}(?:\.[0-9A-Za-z_-]*)+`)

// mask returns the first size bytes of text, masked where text holds a variant of a secret. Of a
// variant only the first maxTail bytes are looked for, since text may break off in the rest.
func (s *Secrets) mask(text string, size int) string {
	shown := slices.Repeat([]bool{true}, len(text)) // for each byte
	for _, found := range jwt.FindAllStringIndex(text, -1) {
		clear(shown[found[0]:found[1]])
	}
	index := suffixarray.New([]byte(text)) // an error body may add thousands of variants
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
