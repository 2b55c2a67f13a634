package ledger

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// credentials are parts of the names that headers, parameters and members with a credential may
// have: gateways have keys under many names.
const credentials = `auth|cookie|token|secret|passw|session|jwt|signature|apikey|[-_]key\b`

// TokenPrefix begins each token that the emulator issues.
const TokenPrefix = "emu_"

// hidden stands for a credential.
const hidden = "(hidden)"

var (
	mayBeCredential = regexp.MustCompile(`(?i)` + credentials + `|^sig$|^code$`).MatchString
	// credentialMember finds what may be one in JSON, also where that is cut off.
	credentialMember = regexp.MustCompile(`(?i)("[^"]*(?:` + credentials + `)[^"]*"\s*:\s*)` +
		`(?:"(?:[^"\\]|\\.)*"?|\[[^\]]*\]?|\{[^}]*\}?|[^\s",}\]]+)`)
	// credentialParameter finds what may be one in a form.
	credentialParameter = regexp.MustCompile(`(?i)([^&;=\s"]*(?:` + credentials + `)[^&;=\s"]*=)[^&;\s"]+`)
	// issuedToken is what [crypto/rand.Text] makes, after the prefix.
	issuedToken = regexp.MustCompile(TokenPrefix + `[A-Z2-7]{26}`)
)

// Mask hides credentials in what clients send elsewhere than in the Authorization header: the
// tokens that the emulator issues, and its client secret.
type Mask struct {
	secret    string
	spellings []string // of the secret, as part of a text
}

// NewMask returns the mask of an emulator with that client secret. One that is shorter than 8 bytes
// is hidden only where it stands alone: it may be a part of any word.
func NewMask(secret string) Mask {
	m := Mask{secret: secret}
	if len(secret) >= 8 {
		asJSON, _ := json.Marshal(secret)      // never fails
		m.spellings = slices.Compact([]string{ // mostly they are the same
			secret, url.PathEscape(secret), url.QueryEscape(secret), string(asJSON[1 : len(asJSON)-1]),
		})
	}
	return m
}

// Text returns a text without them.
func (m Mask) Text(text string) string {
	if text == m.secret {
		return hidden
	}
	for _, spelling := range m.spellings {
		text = strings.ReplaceAll(text, spelling, hidden)
	}
	if strings.Contains(text, TokenPrefix) { // which is quicker
		text = issuedToken.ReplaceAllLiteralString(text, hidden)
	}
	return text
}

// Body returns the body of a request as text, without them and without the values of members and
// parameters whose names may be those of credentials. What is not UTF-8 becomes U+FFFD.
func (m Mask) Body(body []byte) string {
	text := strings.ToValidUTF8(string(body), "\uFFFD")
	text = credentialMember.ReplaceAllString(text, `${1}"`+hidden+`"`)
	return m.Text(credentialParameter.ReplaceAllString(text, `${1}`+hidden))
}
