package emulator

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// authorize returns nil when the request carries a good token with the scope, and otherwise the
// refusal, with the challenge of RFC 6750 section 3.
func (e *Emulator) authorize(r *http.Request, scope string) *answer {
	refuse := func(why string) *answer {
		a := problem(http.StatusUnauthorized, why)
		a.header.Set("WWW-Authenticate", fmt.Sprintf("Bearer error=%q, error_description=%q", "invalid_token", why))
		return &a
	}
	values := r.Header.Values("Authorization")
	scheme, text, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	switch {
	case len(values) == 0:
		return refuse("the Authorization header is missing")
	case len(values) > 1:
		return refuse("there is more than one Authorization header")
	case !strings.EqualFold(scheme, "Bearer") || text == "":
		return refuse("the Authorization header does not hold a bearer token")
	}

	e.mu.Lock()
	t, known := e.tokens[text]
	e.mu.Unlock()
	switch {
	case !known:
		return refuse("the token is unknown")
	case t.revoked:
		return refuse("the token has been revoked")
	case !t.valid(e.now()):
		return refuse("the token has expired")
	case !slices.Contains(t.scopes, scope):
		a := problem(http.StatusForbidden, "the token lacks the scope "+scope)
		a.header.Set("WWW-Authenticate", fmt.Sprintf("Bearer error=%q, scope=%q", "insufficient_scope", scope))
		return &a
	}
	return nil
}
