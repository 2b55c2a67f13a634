package ledger

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf16"
)

// TokenPrefix begins each token that the emulator issues.
const TokenPrefix = "emu_"

// hidden stands for a credential.
const hidden = "(hidden)"

// token is one that the emulator issues, what [crypto/rand.Text] makes after the prefix; or a JWT.
var token = regexp.MustCompile(`emu(?:_|%5[Ff])[A-Z2-7]{26}|eyJ[\w-]+\.[\w-]+\.[\w-]*`)

// Mask hides the client secret and the tokens of an emulator, and what looks like a JWT, in what
// clients send elsewhere than in the Authorization header.
type Mask struct {
	secret string
	within *regexp.Regexp // the secret as part of a text; nil: it may be a part of any word
}

// NewMask returns the mask of an emulator with that secret. One that is shorter than 8 bytes is
// hidden only where it stands alone.
func NewMask(secret string) Mask {
	m := Mask{secret: secret}
	if len(secret) < 8 {
		return m
	}
	var pattern strings.Builder
	for _, char := range secret { // each may be escaped or not, as in a URL or in JSON
		octets, units := fmt.Sprintf("% x", string(char)), fmt.Sprintf("%04x", utf16.Encode([]rune{char}))
		inURL := "%" + strings.ReplaceAll(octets, " ", "%")
		inJSON := `\\u` + strings.ReplaceAll(strings.Trim(units, "[]"), " ", `\\u`)
		short, _ := json.Marshal(string(char)) // never fails
		fmt.Fprintf(&pattern, `(?:(?i:%s|%s)|%s|\\?%s`, inURL, inJSON,
			regexp.QuoteMeta(string(short[1:len(short)-1])), regexp.QuoteMeta(string(char)))
		if char == ' ' {
			pattern.WriteString(`|\+`)
		}
		pattern.WriteString(")")
	}
	m.within = regexp.MustCompile(pattern.String())
	return m
}

// Text returns a text without them, whether it is plain, escaped as in a URL, or JSON.
func (m Mask) Text(text string) string {
	if text == m.secret {
		return hidden
	}
	if m.within != nil {
		text = m.within.ReplaceAllLiteralString(text, hidden)
	}
	if strings.Contains(text, "emu") || strings.Contains(text, "eyJ") { // which is quicker
		text = token.ReplaceAllLiteralString(text, hidden)
	}
	return text
}
