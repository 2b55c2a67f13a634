package emulator

import (
	"cmp"
	"crypto/rand"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
)

// grant responds to a token request (RFC 6749, sections 2.3.1, 4.4 and 5; service contract, "Access
// tokens"). It grants the scopes that are asked for, or else both.
func (e *Emulator) grant(c *call) *response {
	if rejection := e.checkTokenRequest(c); rejection != nil {
		return rejection
	}
	scopes := []string{scopeWrite, scopeRead}
	if c.form.Has("scope") {
		scopes = strings.Fields(c.form.Get("scope"))
	}
	text, lifetime := "emu_"+rand.Text(), e.config.TokenLifetime
	e.mu.Lock()
	e.tokens[text] = token{scopes, time.Now().Add(cmp.Or(lifetime, math.MaxInt64))}
	e.mu.Unlock()
	granted := map[string]any{
		"access_token": text, "token_type": "Bearer", "scope": strings.Join(scopes, " "),
	}
	if lifetime > 0 {
		granted["expires_in"] = int64(math.Ceil(lifetime.Seconds()))
	}
	return jsonResponse(http.StatusOK, granted).noStore()
}

// checkTokenRequest returns nil if the request gets a token, and otherwise the error response.
func (e *Emulator) checkTokenRequest(c *call) *response {
	repeated := func(values []string) bool { return len(values) > 1 }
	switch {
	case len(c.r.Header.Values("Authorization")) > 0:
		return oauthError(http.StatusUnauthorized, "invalid_client",
			"the credentials belong in the body, not in an Authorization header").
			with("WWW-Authenticate", `Basic realm="notification-emulator"`)
	case c.r.URL.RawQuery != "":
		return c.reject(http.StatusBadRequest, "the parameters belong in the body, not in the query")
	case c.mediaType != formType:
		return c.reject(http.StatusBadRequest, "the Content-Type must be "+formType)
	case c.unreadable != nil:
		return c.unreadable
	case c.form == nil:
		return c.reject(http.StatusBadRequest, "the body is not in form encoding")
	case slices.ContainsFunc(slices.Collect(maps.Values(c.form)), repeated):
		// The name may hold characters that RFC 6749 does not allow in error_description.
		return c.reject(http.StatusBadRequest, "a parameter is repeated")
	case c.form.Has("scope") && strings.TrimSpace(c.form.Get("scope")) == "":
		return c.reject(http.StatusBadRequest, "scope is empty: leave it out")
	case c.form.Get("client_id") != e.config.ClientID,
		c.form.Get("client_secret") != e.config.ClientSecret:
		return oauthError(http.StatusUnauthorized, "invalid_client", "the client is unknown, or its "+
			"secret is wrong or missing; this emulator accepts only the values of its flags -client-id "+
			"and -client-secret, which exec passes on in NOTIFICATION_*")
	case c.form.Get("grant_type") == "":
		return c.reject(http.StatusBadRequest, "grant_type is missing")
	case c.form.Get("grant_type") != "client_credentials":
		return oauthError(http.StatusBadRequest, "unsupported_grant_type",
			"grant_type must be client_credentials")
	}
	return nil
}

// The scopes that the emulator requires to submit and to look up.
const (
	scopeWrite = "notifications.write"
	scopeRead  = "notifications.read"
)

// authorize returns nil if the request carries a valid token with the scope, and otherwise the
// error response, with the challenge of RFC 6750 section 3.
func (e *Emulator) authorize(c *call, scope string) *response {
	reject := func(why string) *response {
		return problem(http.StatusUnauthorized, why).with("WWW-Authenticate",
			fmt.Sprintf("Bearer error=%q, error_description=%q", "invalid_token", why))
	}
	values := c.r.Header.Values("Authorization")
	scheme, text, _ := strings.Cut(c.r.Header.Get("Authorization"), " ")
	e.mu.Lock()
	issued, known := e.tokens[text]
	e.mu.Unlock()
	switch {
	case len(values) == 0:
		return reject("the Authorization header is missing")
	case len(values) > 1:
		return reject("there is more than one Authorization header")
	case !strings.EqualFold(scheme, "Bearer") || text == "":
		return reject("the Authorization header does not hold a bearer token")
	case !known:
		return reject("the token is unknown, or has been revoked")
	case !time.Now().Before(issued.expires):
		return reject("the token has expired")
	case !slices.Contains(issued.scopes, scope):
		return problem(http.StatusForbidden, "the token lacks the scope "+scope).with(
			"WWW-Authenticate", fmt.Sprintf("Bearer error=%q, scope=%q", "insufficient_scope", scope))
	}
	return nil
}
