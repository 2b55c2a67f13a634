// Package redact takes secrets out of text that others wrote.
//
// Its promise: Quote returns one short printable line without any secret that was added, and no
// input, however hostile, costs more than milliseconds.
package redact

import (
	"encoding/json"
	"html"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

const (
	mask     = "***"
	maxQuote = 300  // runes of a quotation
	maxError = 1000 // runes of the text of an error
)

var percentEncoded = regexp.MustCompile(`%[0-9A-F]{2}`)

// Secrets is a set of secrets, in each spelling in which an answer may repeat them: a service may
// echo what it was sent. The zero value is empty. It is safe for concurrent use.
type Secrets struct {
	parent *Secrets // holds further secrets; may be nil

	mu        sync.RWMutex
	spellings map[string]struct{}
}

// With returns a set that holds the secrets of s, also those that s gets later, and further ones,
// for one request.
func (s *Secrets) With(values ...string) *Secrets {
	child := &Secrets{parent: s}
	for _, value := range values {
		child.AddValue(value)
	}
	return child
}

// AddHeader adds the value of a header, and what follows its scheme (RFC 9110, section 11.4):
// "ApiKey 123" holds the secret 123.
func (s *Secrets) AddHeader(value string) {
	s.AddValue(value)
	_, credentials, _ := strings.Cut(value, " ")
	s.AddValue(strings.TrimSpace(credentials))
}

// AddValue is Add for values that users mark as sensitive. Those of less than four bytes, such as
// "1", are left out: they need not be secrets, and would make every text unreadable.
func (s *Secrets) AddValue(value string) {
	if len(value) >= 4 {
		s.Add(value)
	}
}

// Add adds a secret; one that is blank is left out.
func (s *Secrets) Add(secret string) {
	if strings.TrimSpace(secret) == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.spellings == nil {
		s.spellings = map[string]struct{}{}
	}
	for _, spelling := range spellings(secret) {
		s.spellings[spelling] = struct{}{}
	}
}

// spellings are secret as it is, in a URL and in JSON. Clean finds others.
func spellings(secret string) []string {
	all := []string{secret, unescape(secret)}
	path := url.URL{Path: secret}
	inURLs := []string{url.QueryEscape(secret), url.PathEscape(secret), path.EscapedPath()}
	for _, escaped := range inURLs {
		all = append(all, escaped, percentEncoded.ReplaceAllStringFunc(escaped, strings.ToLower))
	}
	quoted, _ := json.Marshal(secret) // a string can always be encoded
	inner := unescape(string(quoted[1 : len(quoted)-1]))
	return append(all, inner, strings.ReplaceAll(inner, "/", `\/`))
}

// All returns every spelling of every secret, the longest first: one may be part of another.
func (s *Secrets) All() []string {
	var all []string
	for ; s != nil; s = s.parent {
		s.mu.RLock()
		all = slices.AppendSeq(all, maps.Keys(s.spellings))
		s.mu.RUnlock()
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}

// Clean returns text with every secret replaced. Where the escapes of JSON and HTML hide one, they
// are undone.
func (s *Secrets) Clean(text string) string {
	all := s.All()
	replace := func(text string) string {
		for _, secret := range all {
			text = strings.ReplaceAll(text, secret, mask)
		}
		return text
	}
	plain := unescape(text)
	if cleaned := replace(plain); cleaned != plain {
		return cleaned
	}
	return replace(text)
}

// Quote makes text fit to be shown: one short line without secrets. It cleans before it truncates,
// lest a part of a secret be left, and again after folding white space, which may have hidden one.
func (s *Secrets) Quote(text string) string {
	return Truncate(s.Clean(oneLine(s.Clean(text))), maxQuote)
}

var unicodeEscape = regexp.MustCompile(`\\+u[0-9A-Fa-f]{4}`)

// unescape undoes the escapes of characters in HTML and in JSON, also in JSON quoted in JSON.
func unescape(text string) string {
	text = unicodeEscape.ReplaceAllStringFunc(text, func(escape string) string {
		code, _ := strconv.ParseUint(escape[len(escape)-4:], 16, 16) // of four digits
		return string(rune(code))
	})
	return html.UnescapeString(text)
}

// CleanError keeps the chain of err, which may be nil, and replaces its text where that holds a
// secret or is long: net/http quotes a malformed header whole.
func (s *Secrets) CleanError(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if cleaned := Truncate(s.Clean(text), maxError); cleaned != text {
		return &cleanedError{text: cleaned, err: err}
	}
	return err
}

type cleanedError struct {
	text string
	err  error
}

func (e *cleanedError) Error() string { return e.text }
func (e *cleanedError) Unwrap() error { return e.err }

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
