package ledger

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

const (
	// TokenPrefix begins each token that the emulator issues.
	TokenPrefix = "emu_"
	// hidden stands for a credential.
	hidden = "(hidden)"
	// credentialName begins a regular expression, and a group in it.
	credentialName = `(?i)([\w-]*(?:auth|secret|token|cookie|credential|passw|passphrase|passcode|` +
		`pwd|session|jwt|signature|\bsig\b|\bcode\b|api_?key|[-_]key)[\w-]*`
	// maxDepth bounds how deep a body is looked into: each level costs another look at all below it.
	maxDepth = 16
)

var (
	// credential matches names of headers, parameters and members that may hold a credential, and not
	// author, secretary and tokenizer: gateways have keys under many names.
	credential = regexp.MustCompile(`(?i)auth(?:[^o]|o[^r]|ori[sz]|$)|secret(?:[^a]|a[^r]|$)|` +
		`token(?:[^i]|i[^z]|$)|cookie|credential|passw|passphrase|passcode|pwd|session|jwt|bearer|` +
		`signature|^sig$|^code$|(?:api|access|private)[-_]?key|[-_]key\b|(?-i:[a-z]Key)\b`)
	// assignment is the name of a credential in what is not JSON, up to its value.
	assignment = regexp.MustCompile(credentialName + `(?:\\?["']?\s*[:=>]|["']\s*\n))`)
	// parameter is one of a form, with its value.
	parameter = regexp.MustCompile(credentialName + `=)[^&;\s"'\\]+`)
	// token is one that the emulator issues, what [crypto/rand.Text] makes after the prefix; or a JWT.
	token = regexp.MustCompile(TokenPrefix + `[A-Z2-7]{26}|eyJ[\w-]+\.[\w-]+\.[\w-]*`)
)

// Mask hides credentials in what clients send elsewhere than in the Authorization header: the
// tokens that the emulator issues, and its client secret.
type Mask struct {
	secret    string
	spellings []string // of the secret, as part of a text
}

// NewMask returns the mask of an emulator with that client. A secret that is shorter than 8 bytes is
// hidden only where it stands alone: it may be a part of any word.
func NewMask(clientID, secret string) Mask {
	m := Mask{secret: secret}
	if len(secret) >= 8 {
		asJSON, _ := json.Marshal(secret)      // never fails
		m.spellings = slices.Compact([]string{ // mostly the first are the same
			secret, url.PathEscape(secret), url.QueryEscape(secret), string(asJSON[1 : len(asJSON)-1]),
			base64.StdEncoding.EncodeToString([]byte(clientID + ":" + secret)),
		})
	}
	return m
}

// Text returns a text without them, and without the values of parameters whose names may be those
// of credentials; also where it is escaped as in a URL.
func (m Mask) Text(text string) string {
	if decoded, err := url.PathUnescape(text); err == nil && decoded != text {
		if masked := m.plain(decoded); masked != decoded {
			escaped := (&url.URL{Path: masked}).EscapedPath()
			return strings.ReplaceAll(escaped, url.PathEscape(hidden), hidden)
		}
	}
	return m.plain(text)
}

func (m Mask) plain(text string) string {
	if text == m.secret {
		return hidden
	}
	for _, spelling := range m.spellings {
		text = strings.ReplaceAll(text, spelling, hidden)
	}
	if strings.Contains(text, TokenPrefix) || strings.Contains(text, "eyJ") { // which is quicker
		text = token.ReplaceAllLiteralString(text, hidden)
	}
	if strings.Contains(text, "=") { // as above
		text = parameter.ReplaceAllString(text, "${1}"+hidden)
	}
	return text
}

// Body returns the body of a request as text, without them and without the values of members whose
// names may be those of credentials. Where it is not JSON, it ends before the first such value. What
// is not UTF-8 becomes U+FFFD.
func (m Mask) Body(body []byte) string {
	text := strings.ToValidUTF8(string(body), "\uFFFD")
	if json.Valid([]byte(text)) {
		return m.plain(m.json(text, 0))
	}
	if at := assignment.FindStringIndex(text); at != nil {
		text = text[:at[1]] + hidden
	}
	return m.Text(text)
}

// json returns JSON as it is but for what is hidden, also in strings that hold JSON themselves.
func (m Mask) json(raw string, depth int) string {
	inner := strings.TrimSpace(raw)
	switch {
	case depth > maxDepth:
		return `"` + hidden + `"`
	case inner[0] == '"':
		var text string
		_ = json.Unmarshal([]byte(inner), &text) // is JSON
		masked := m.Text(text)
		if json.Valid([]byte(text)) {
			masked = m.json(text, depth+1)
		}
		if masked == text {
			return raw
		}
		quoted, _ := json.Marshal(masked) // never fails
		return string(quoted)
	case inner[0] != '{' && inner[0] != '[':
		return raw
	}
	decoder := json.NewDecoder(strings.NewReader(raw))
	_, _ = decoder.Token() // the bracket; raw is JSON, so that none of this fails
	var b strings.Builder
	copied := 0
	for decoder.More() {
		name := ""
		if inner[0] == '{' {
			key, _ := decoder.Token()
			name, _ = key.(string)
		}
		var value json.RawMessage
		_ = decoder.Decode(&value)
		end := int(decoder.InputOffset())
		b.WriteString(raw[copied : end-len(value)])
		if credential.MatchString(name) {
			value = json.RawMessage(`"` + hidden + `"`)
		}
		b.WriteString(m.json(string(value), depth+1))
		copied = end
	}
	return b.String() + raw[copied:]
}
