// Package redact takes secrets out of text that others wrote, and words out of
// answers.
//
// Its promise: Quote returns one short printable line without any secret that
// was added, and no input, however hostile, costs more than milliseconds.
package redact

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

const (
	mask = "***"

	// maxQuote bounds a quotation, in runes.
	maxQuote = 300

	// shortestValue keeps values such as "1", which need not be secrets, from making
	// every text unreadable.
	shortestValue = 4
)

var percentEncoded = regexp.MustCompile(`%[0-9A-F]{2}`)

// Secrets is a set of secrets, in each spelling in which an answer may repeat
// them: a service may echo what it was sent. The zero value is empty. It is safe
// for concurrent use.
type Secrets struct {
	parent *Secrets // holds further secrets; may be nil

	mu        sync.RWMutex
	spellings []string
}

// With returns a set that holds the secrets of s, also those that s gets later,
// and further ones, for one request.
func (s *Secrets) With(values ...string) *Secrets {
	child := &Secrets{parent: s}
	for _, value := range values {
		child.AddValue(value)
	}
	return child
}

// AddHeader adds the value of a header, and what follows its scheme
// (RFC 9110, section 11.4): "ApiKey 123" holds the secret 123.
func (s *Secrets) AddHeader(value string) {
	s.AddValue(value)
	_, credentials, _ := strings.Cut(value, " ")
	s.AddValue(strings.TrimSpace(credentials))
}

// AddValue is Add for values that users mark as sensitive; those of less than
// four bytes are left out.
func (s *Secrets) AddValue(value string) {
	if len(value) >= shortestValue {
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
	for _, spelling := range spellings(secret) {
		if !slices.Contains(s.spellings, spelling) {
			s.spellings = append(s.spellings, spelling)
		}
	}
}

// spellings are secret as it is, in a URL, in JSON and in HTML.
func spellings(secret string) []string {
	all := []string{secret}
	path := url.URL{Path: secret}
	inURLs := []string{url.QueryEscape(secret), url.PathEscape(secret), path.EscapedPath()}
	for _, escaped := range inURLs {
		all = append(all, escaped, percentEncoded.ReplaceAllStringFunc(escaped, strings.ToLower))
	}
	for _, escapeHTML := range []bool{true, false} {
		var quoted strings.Builder
		encoder := json.NewEncoder(&quoted)
		encoder.SetEscapeHTML(escapeHTML)
		_ = encoder.Encode(secret) // a string can always be encoded
		inner := strings.TrimSuffix(quoted.String(), "\"\n")[1:]
		all = append(all, inner, strings.ReplaceAll(inner, "/", `\/`))
	}
	for _, quote := range []string{"&quot;", "&#34;", "&#x22;"} {
		for _, apostrophe := range []string{"'", "&apos;", "&#39;", "&#039;", "&#x27;"} {
			html := strings.NewReplacer(
				"&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, quote, "'", apostrophe)
			all = append(all, html.Replace(secret))
		}
	}
	return all
}

// All returns every spelling of every secret, the longest first: one may be part
// of another.
func (s *Secrets) All() []string {
	var all []string
	for ; s != nil; s = s.parent {
		s.mu.RLock()
		all = append(all, s.spellings...)
		s.mu.RUnlock()
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}

// Clean returns text with every secret replaced.
func (s *Secrets) Clean(text string) string {
	for _, secret := range s.All() {
		text = strings.ReplaceAll(text, secret, mask)
	}
	return text
}

// Quote makes text fit to be shown: one short line without secrets. It cleans
// before it truncates, lest a part of a secret be left, and again after folding
// white space, which may have hidden one.
func (s *Secrets) Quote(text string) string {
	return truncate(s.Clean(oneLine(s.Clean(text))))
}

// CleanError keeps the chain of err, which may be nil, and replaces its text where
// that holds a secret.
func (s *Secrets) CleanError(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if cleaned := s.Clean(text); cleaned != text {
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

// truncate shortens long text.
func truncate(text string) string {
	if runes := []rune(text); len(runes) > maxQuote {
		return string(runes[:maxQuote]) + "…"
	}
	return text
}
