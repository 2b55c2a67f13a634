package redact

import (
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
)

const (
	minSize       = 4 // bytes of a secret
	minHeaderSize = 8 // bytes of a header's value

	// Of a secret with more than maxSize bytes only the beginning is searched for. Where it ends is
	// not known, so a text with longSecret in its place is not shown.
	maxSize    = 128
	longSecret = "\ufffc"
)

// Secrets is a set of secrets. The zero value and a nil pointer are empty sets. It is safe for
// concurrent use.
type Secrets struct {
	parent *Secrets // a set whose secrets belong to this one too; may be nil

	mu          sync.Mutex
	secrets     []string
	credentials []string // those that no id contains, however short

	addresses []string // configured ones, which errors name
}

// NewSecrets returns an empty set for the given endpoints.
func NewSecrets(urls ...*url.URL) *Secrets {
	s := new(Secrets)
	for _, u := range urls {
		whole := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
		s.addresses = append(s.addresses, whole.String())
	}
	return s
}

// With returns a set, for one request, that contains values and the secrets of s, including those
// added to s later.
func (s *Secrets) With(values ...string) *Secrets { return &Secrets{parent: s, secrets: values} }

// Add adds secrets. Those with fewer than four bytes, such as "1", are not masked: it would protect
// nothing, and make every text unreadable.
func (s *Secrets) Add(secrets ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.secrets = append(s.secrets, secrets...)
}

// AddCredential adds a client secret or a token, which no id contains, however short it is.
func (s *Secrets) AddCredential(secret string) {
	s.Add(secret)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.credentials = append(s.credentials, secret)
}

// AddHeader adds the value of a header, and the part after its scheme: "1" of "ApiKey 1". One with
// fewer than eight bytes is not masked, nor one that is part of an address, such as a tenant: every
// error shows that.
func (s *Secrets) AddHeader(value string) {
	value = strings.TrimSpace(value) // as net/http sends it
	_, credentials, _ := strings.Cut(value, " ")
	for _, text := range []string{value, credentials} {
		inAddress := func(address string) bool { return strings.Contains(address, text) }
		if len(text) >= minHeaderSize && !slices.ContainsFunc(s.addresses, inAddress) {
			s.Add(text)
		}
	}
}

// BasicCredentials returns a client secret, and the credentials id:secret of HTTP Basic
// authentication, both verbatim and form-encoded (RFC 6749, section 2.3.1).
func BasicCredentials(id, secret string) []string {
	return []string{secret, id + ":" + secret, url.QueryEscape(id) + ":" + url.QueryEscape(secret)}
}

// own returns the secrets of s without those of its parents.
func (s *Secrets) own() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clip(s.secrets)
}

var (
	// jwt matches a JSON Web Token (RFC 7519, section 3.1), which is masked even if it was not
	// added as a secret: base64 that begins with {", and one or more further parts, which may be
	// truncated.
	jwt = regexp.MustCompile(`eyJ[0-9A-Za-z_-]{13,}(?:\.[0-9A-Za-z_-]*)+`)

	// token matches a JSON member with a token that is not masked yet. It may be truncated.
	token = regexp.MustCompile(
		`("(?i:(?:access|refresh|id)?[_-]?token)" ?: ?")\**(?:[^"*\\]|\\.)(?:[^"\\]|\\.)*`)
)

// masker masks the secrets of a set in lines of text.
type masker struct{ secrets *strings.Replacer }

// masker prepares secrets as texts are prepared: each, and each of its lines, becomes one line, in
// which JSON Web Tokens are masked. It prefers the longest secret, since one may contain another: at
// each position, a Replacer compares the texts in the order of its arguments.
func (s *Secrets) masker() *masker {
	masks := map[string]string{}
	add := func(secret string) {
		secret = jwt.ReplaceAllString(oneLine(secret), mask)
		switch {
		case len(secret) > maxSize:
			masks[secret[:maxSize+1]] = longSecret // so that it is never equal to a shorter secret
		case len(secret) >= minSize:
			masks[secret] = mask
		}
	}
	for ; s != nil; s = s.parent {
		for _, secret := range s.own() {
			add(secret[:min(len(secret), maxRead)])
			for line := range strings.Lines(secret) {
				add(line)
			}
		}
	}
	longestFirst := func(a, b string) int { return len(b) - len(a) }
	var pairs []string
	for _, text := range slices.SortedFunc(maps.Keys(masks), longestFirst) {
		pairs = append(pairs, text, masks[text])
	}
	return &masker{strings.NewReplacer(pairs...)}
}

// mask masks the secrets in a line.
func (m *masker) mask(line string) string {
	return token.ReplaceAllString(m.secrets.Replace(jwt.ReplaceAllString(line, mask)), "${1}"+mask)
}

// encodes reports whether a masked line encodes a secret.
func (m *masker) encodes(masked string) bool {
	isSecret := func(text string) bool { return m.mask(text) != text }
	return decodes(masked, 2, isSecret)
}
