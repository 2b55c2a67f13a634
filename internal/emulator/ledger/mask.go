package ledger

import (
	"encoding/json"
	"net/url"
	"regexp"
	"strconv"
	"strings"
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
	secret    string
	spellings *strings.Replacer // of the secret, as part of a text
}

// NewMask returns the mask of an emulator with that secret. One that is shorter than 8 bytes is
// hidden only where it stands alone: it may be a part of any word.
func NewMask(secret string) Mask {
	var pairs []string
	if len(secret) >= 8 {
		asJSON, _ := json.Marshal(secret) // never fails; escapes <, > and &, as the other does not
		unquote := func(text string) string { return text[1 : len(text)-1] }
		for _, spelling := range []string{
			secret, url.PathEscape(secret), url.QueryEscape(secret),
			unquote(string(asJSON)), unquote(strconv.Quote(secret)),
		} {
			pairs = append(pairs, spelling, hidden)
		}
	}
	return Mask{secret, strings.NewReplacer(pairs...)}
}

// Text returns a text without them, whether it is plain, escaped as in a URL, or JSON.
func (m Mask) Text(text string) string {
	if text == m.secret {
		return hidden
	}
	text = m.spellings.Replace(text)
	if strings.Contains(text, "emu") || strings.Contains(text, "eyJ") { // which is quicker
		text = token.ReplaceAllLiteralString(text, hidden)
	}
	return text
}
