package emulator

import (
	"crypto/rand"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// The scopes that the API's endpoints need, as seen in the service's page.
const (
	scopeWrite = "notifications.write"
	scopeRead  = "notifications.read"
)

// sweepTokens is how many more tokens there are each time before those that are no longer valid are
// forgotten, and become unknown.
const sweepTokens = 1000

// token is what is known of one access token.
type token struct {
	scopes  []string
	expires time.Time // zero: never
	revoked bool
}

func (t token) valid() bool {
	return !t.revoked && (t.expires.IsZero() || time.Now().Before(t.expires))
}

// tokens are those that were issued. The lock of the service guards them.
type tokens map[string]token

// issue returns a new token. A lifetime of zero means that it never expires.
func (t tokens) issue(scopes []string, lifetime time.Duration) string {
	issued := token{scopes: scopes}
	if lifetime > 0 {
		issued.expires = time.Now().Add(lifetime)
	}
	if len(t)%sweepTokens == sweepTokens-1 {
		maps.DeleteFunc(t, func(_ string, t token) bool { return !t.valid() })
	}
	text := "emu_" + rand.Text()
	t[text] = issued
	return text
}

func (t tokens) revoke() {
	for text, issued := range t {
		issued.revoked = true
		t[text] = issued
	}
}

// authorize returns nil when the header carries a valid token with the scope, and otherwise the
// refusal, with the challenge of RFC 6750 section 3.
func (t tokens) authorize(header http.Header, scope string) *response {
	refuse := func(why string) *response {
		r := problem(http.StatusUnauthorized, why).with("WWW-Authenticate",
			fmt.Sprintf("Bearer error=%q, error_description=%q", "invalid_token", why))
		return &r
	}
	values := header.Values("Authorization")
	scheme, text, _ := strings.Cut(header.Get("Authorization"), " ")
	issued, known := t[text]
	switch {
	case len(values) == 0:
		return refuse("the Authorization header is missing")
	case len(values) > 1:
		return refuse("there is more than one Authorization header")
	case !strings.EqualFold(scheme, "Bearer") || text == "":
		return refuse("the Authorization header does not hold a bearer token")
	case !known:
		return refuse("the token is unknown")
	case issued.revoked:
		return refuse("the token has been revoked")
	case !issued.valid():
		return refuse("the token has expired")
	case !slices.Contains(issued.scopes, scope):
		r := problem(http.StatusForbidden, "the token lacks the scope "+scope).with(
			"WWW-Authenticate", fmt.Sprintf("Bearer error=%q, scope=%q", "insufficient_scope", scope))
		return &r
	}
	return nil
}

// isScope says whether text is a scope-token of RFC 6749 section 3.3.
func isScope(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r > '~' || r == '"' || r == '\\'
	})
}
