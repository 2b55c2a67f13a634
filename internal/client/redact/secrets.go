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

// Kind is what a secret is.
type Kind int

// The kinds.
const (
	Value       Kind = iota // any secret, masked as a whole and each of its lines
	Credential              // a client secret or a token: no id contains it, however short
	HeaderValue             // that of a header, and the part after its scheme: "1" of "ApiKey 1"
)

type secret struct {
	kind Kind
	text string
}

// Secrets is a set of secrets. The zero value and a nil pointer are empty sets. It is safe for
// concurrent use.
type Secrets struct {
	parent *Secrets // a set whose secrets belong to this one too; may be nil

	mu      sync.Mutex
	secrets []secret

	// addresses maps each address to itself, so that values of headers in it stay visible, and those
	// values to the mask.
	addresses map[string]string
}

// NewSecrets returns an empty set. The values of headers stay visible in the hosts of urls, and in
// the URLs without query and user information: an error about api.customers.example.com names this
// host even if a header has the value "customers".
func NewSecrets(urls ...*url.URL) *Secrets {
	addresses := map[string]string{}
	for _, u := range urls {
		whole := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
		for _, address := range []string{u.Hostname(), u.Host, whole.String()} {
			addresses[address] = address
		}
	}
	return &Secrets{addresses: addresses}
}

// With returns a set, for one request, that contains values and the secrets of s, including those
// added to s later.
func (s *Secrets) With(values ...string) *Secrets {
	set := &Secrets{parent: s}
	set.Add(Value, values...)
	return set
}

// Add adds secrets of a kind. Those with fewer than four bytes, such as "1", are not masked: it
// would protect nothing, and make every text unreadable. Nor are values of headers with fewer than
// eight.
func (s *Secrets) Add(kind Kind, texts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, text := range texts {
		if kind == HeaderValue {
			text = strings.TrimSpace(text) // as net/http sends it
			s.addHeaderValue(text)
			_, text, _ = strings.Cut(text, " ")
			s.addHeaderValue(text)
			continue
		}
		s.secrets = append(s.secrets, secret{kind, text})
	}
}

// addHeaderValue adds text, unless it is too short, or part of an address, where it stays visible.
func (s *Secrets) addHeaderValue(text string) {
	isPart := false
	for address := range s.addresses {
		isPart = isPart || strings.Contains(address, text)
	}
	switch {
	case len(text) < minHeaderSize: // not masked
	case !isPart:
		s.secrets = append(s.secrets, secret{HeaderValue, text})
	case s.addresses[text] == "": // not an address itself
		s.addresses[text] = mask
	}
}

// BasicCredentials returns a client secret, and the credentials id:secret of HTTP Basic
// authentication, both verbatim and form-encoded (RFC 6749, section 2.3.1).
func BasicCredentials(id, secret string) []string {
	return []string{secret, id + ":" + secret, url.QueryEscape(id) + ":" + url.QueryEscape(secret)}
}

// InID reports whether id contains a credential, or another secret of at least 16 bytes. Shorter
// ones are in ids by chance, or on purpose, as a prefix.
func (s *Secrets) InID(id string) bool {
	const minOther = 16
	for ; s != nil; s = s.parent {
		for _, secret := range s.own() {
			text, least := strings.TrimSpace(secret.text), minOther
			if secret.kind == Credential {
				least = minSize
			}
			if len(text) >= least && strings.Contains(id, text) {
				return true
			}
		}
	}
	return false
}

// own returns the secrets of s without those of its parents.
func (s *Secrets) own() []secret {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.secrets[:len(s.secrets):len(s.secrets)]
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

// Mask masks secrets in text of the configuration, in which they occur only verbatim. However large
// they are, it costs little. The values of headers in addresses stay visible.
func (s *Secrets) Mask(text string) string {
	var values []string
	for ; s != nil; s = s.parent {
		for _, secret := range s.own() {
			values = append(values, secret.text)
		}
	}
	slices.SortFunc(values, longestFirst) // one may contain another
	for _, value := range values {
		if value = strings.TrimSpace(value); len(value) >= minSize {
			text = strings.ReplaceAll(text, value, mask)
		}
	}
	return text
}

func longestFirst(a, b string) int { return len(b) - len(a) }

// masker masks the secrets of a set in lines of text.
type masker struct{ secrets, addresses *strings.Replacer }

// masker prepares secrets as texts are prepared: each, and each of its lines, becomes one line, in
// which JSON Web Tokens are masked.
func (s *Secrets) masker() *masker {
	secrets, addresses := map[string]string{}, map[string]string{}
	add := func(secret string) {
		secret = jwt.ReplaceAllString(oneLine(secret), mask)
		switch {
		case len(secret) > maxSize:
			secrets[secret[:maxSize+1]] = longSecret // so that it is never equal to a shorter secret
		case len(secret) >= minSize:
			secrets[secret] = mask
		}
	}
	for ; s != nil; s = s.parent {
		for _, secret := range s.own() {
			add(secret.text[:min(len(secret.text), maxRead)])
			for line := range strings.Lines(secret.text) {
				add(line)
			}
		}
		s.mu.Lock()
		maps.Copy(addresses, s.addresses)
		s.mu.Unlock()
	}
	return &masker{newReplacer(secrets), newReplacer(addresses)}
}

// newReplacer returns a Replacer that prefers the longest text, since one may contain another: at
// each position, a Replacer compares the texts in the order of its arguments.
func newReplacer(replacements map[string]string) *strings.Replacer {
	var pairs []string
	for _, text := range slices.SortedFunc(maps.Keys(replacements), longestFirst) {
		pairs = append(pairs, text, replacements[text])
	}
	return strings.NewReplacer(pairs...)
}

// mask masks the secrets in a line. The values of headers stay visible in addresses.
func (m *masker) mask(line string) string {
	line = m.secrets.Replace(jwt.ReplaceAllString(line, mask))
	return token.ReplaceAllString(m.addresses.Replace(line), "${1}"+mask)
}

// encodes reports whether a masked line encodes a secret.
func (m *masker) encodes(masked string) bool {
	isSecret := func(text string) bool { return m.mask(text) != text }
	return decodes(masked, 2, isSecret)
}
