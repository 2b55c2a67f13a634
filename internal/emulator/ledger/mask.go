package ledger

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
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
	spellings []string // of the secret, as part of a text
}

// NewMask returns the mask of an emulator with that secret. One that is shorter than 8 bytes is
// hidden only where it stands alone: it may be a part of any word.
func NewMask(secret string) Mask {
	m := Mask{secret: secret}
	if len(secret) >= 8 {
		asJSON, _ := json.Marshal(secret) // never fails; escapes <, > and &, as Quote does not
		quoted := strconv.Quote(secret)
		m.spellings = slices.Compact([]string{ // mostly they are the same
			secret, url.PathEscape(secret), url.QueryEscape(secret),
			string(asJSON[1 : len(asJSON)-1]), quoted[1 : len(quoted)-1],
		})
	}
	return m
}

// Text returns a text without them, whether it is plain, escaped as in a URL, or JSON.
func (m Mask) Text(text string) string {
	if text == m.secret {
		return hidden
	}
	for _, spelling := range m.spellings {
		text = strings.ReplaceAll(text, spelling, hidden)
	}
	if strings.Contains(text, "emu") || strings.Contains(text, "eyJ") { // which is quicker
		text = token.ReplaceAllLiteralString(text, hidden)
	}
	return text
}
