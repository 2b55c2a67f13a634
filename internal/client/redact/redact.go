// Package redact sanitizes untrusted text for display. No other package of the provider does.
//
// It returns one short line of printable characters, in which secrets are masked: trimmed of white
// space, and each line of a secret separately. A text in which a secret shows once it is decoded,
// as JSON, HTML, part of a URL or base64, up to three times, is not shown at all. Other encodings,
// and parts of a secret, are not noticed. However hostile a text is, sanitizing it takes
// milliseconds, and a secret costs nothing before there is a text to search.
package redact

import (
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

	// notShown replaces a text that encodes a secret.
	notShown = "(not shown, since it repeats a secret)"

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

	mu        sync.Mutex
	values    map[secret]bool
	addresses []string // hosts and URLs in which the values of headers stay visible
}

// secret is one secret, trimmed of white space.
type secret struct {
	text     string
	isHeader bool // whether it stays visible in addresses
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
// "123" of "ApiKey 123". They stay visible in addresses.
func (s *Secrets) AddHeader(value string) {
	value = strings.TrimSpace(value) // as net/http sends it
	s.add(value, true)
	_, credentials, _ := strings.Cut(value, " ")
	s.add(credentials, true)
}

// AddAddresses adds the hosts of urls, and the URLs without query and user information. The values
// of headers stay visible in them: an error about api.staging.example.com names this host even if a
// header has the value "staging".
func (s *Secrets) AddAddresses(urls ...*url.URL) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range urls {
		address := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
		s.addresses = append(s.addresses, u.Hostname(), u.Host, address.String())
	}
}

// AddClient adds a client secret, and the credentials id:secret of HTTP Basic authentication, both
// verbatim and form-encoded (RFC 6749, section 2.3.1).
func (s *Secrets) AddClient(id, secret string) {
	s.Add(secret)
	s.Add(id + ":" + secret)
	s.Add(url.QueryEscape(id) + ":" + url.QueryEscape(secret))
}

// Add adds a secret. It ignores one that, trimmed of white space, has fewer than four bytes.
func (s *Secrets) Add(value string) { s.add(value, false) }

func (s *Secrets) add(value string, isHeader bool) {
	value = strings.ToValidUTF8(value, string(unicode.ReplacementChar)) // as clean converts a text
	value = strings.TrimSpace(value)
	if len(value) < minSize {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.values == nil {
		s.values = map[secret]bool{}
	}
	s.values[secret{value, isHeader}] = true
}

// All returns the secrets except values of headers, the longest first, since one may contain
// another.
func (s *Secrets) All() []string {
	var all []string
	values, _ := s.all()
	for value := range values {
		if !value.isHeader {
			all = append(all, value.text)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return all
}

func (s *Secrets) all() (values map[secret]bool, addresses []string) {
	values = map[secret]bool{}
	for ; s != nil; s = s.parent {
		s.mu.Lock()
		maps.Copy(values, s.values)
		addresses = append(addresses, s.addresses...)
		s.mu.Unlock()
	}
	return values, addresses
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
	truncated := len(text) > maxRead
	text = strings.ToValidUTF8(text[:min(len(text), maxRead)], string(unicode.ReplacementChar))
	shown := len(text)
	if truncated {
		shown = max(0, shown-maxTail)
	}
	blanked := s.blank(text)
	line := s.blank(oneLine(masked(blanked[:shown]))) // oneLine may join the parts of a secret
	// A secret may contain another one, which is masked in blanked, and so be found in text only.
	if blanked != text && s.shows(text, text) || s.shows("", blanked, line) {
		return notShown
	}
	line = masked(line)
	if runes := []rune(line); len(runes) > limit {
		return string(runes[:limit]) + "…"
	}
	return line
}

// shows reports whether texts encode a secret that does not stand in except.
func (s *Secrets) shows(except string, texts ...string) bool {
	for range s.find(decodings(texts...), except, decodedPrefix) {
		return true
	}
	return false
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

// blank replaces each byte of the secrets in text with the separator.
func (s *Secrets) blank(text string) string {
	blanked := []byte(text)
	hide := func(start, end int) {
		for i := range blanked[start:end] {
			blanked[start+i] = separator[0]
		}
	}
	for _, found := range jwt.FindAllStringIndex(text, -1) {
		hide(found[0], found[1])
	}
	for start, end := range s.find(text, "", prefix) {
		hide(start, end)
	}
	return string(blanked)
}

// masked returns a blanked text with the mask for each secret.
func masked(blanked string) string {
	var b strings.Builder
	for i := range len(blanked) {
		switch {
		case blanked[i] != separator[0]:
			b.WriteByte(blanked[i])
		case i == 0 || blanked[i-1] != separator[0]:
			b.WriteString(mask)
		}
	}
	return b.String()
}
