package emulator

import (
	"crypto/rand"
	"errors"
	"maps"
	"math"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// sweepTokens is how many tokens there are before those that are no longer valid are forgotten, and
// become unknown.
const sweepTokens = 1000

// The scopes that the API's endpoints need, as seen in the service's page.
const (
	scopeWrite = "notifications.write"
	scopeRead  = "notifications.read"
)

// unknownClient is for somebody whose module has credentials of its own.
const unknownClient = "the client is unknown, or its secret is wrong or missing; this emulator " +
	"knows those of its flags -client-id and -client-secret, which exec passes on in NOTIFICATION_*"

// token is what is known of one access token.
type token struct {
	scopes  []string
	expires time.Time // zero: never
	revoked bool
}

// tokenAnswer is the token response of the service's page, section 2.
type tokenAnswer struct {
	AccessToken string `json:"access_token,omitempty"`
	TokenType   string `json:"token_type"`
	ExpiresIn   int64  `json:"expires_in,omitempty"`
	Scope       string `json:"scope"`
}

// grant answers a token request by the rules of RFC 6749, sections 2.3.1, 4.4 and 5, of which it
// keeps to the strict side: credentials in the body only.
func (e *Emulator) grant(x *exchange) answer {
	form, refusal := readTokenRequest(x)
	if refusal != nil {
		return *refusal
	}
	if form.Get("client_id") != e.config.ClientID || form.Get("client_secret") != e.config.ClientSecret {
		return oauthError(http.StatusUnauthorized, "invalid_client", unknownClient)
	}
	switch form.Get("grant_type") {
	case "client_credentials":
	case "":
		return x.refuse(http.StatusBadRequest, "grant_type is missing")
	default:
		return oauthError(http.StatusBadRequest, "unsupported_grant_type",
			"grant_type must be client_credentials")
	}
	scopes, err := e.grantable(form)
	if err != nil {
		return oauthError(http.StatusBadRequest, "invalid_scope", err.Error())
	}

	response := tokenAnswer{TokenType: "Bearer", Scope: strings.Join(scopes, " ")}
	lifetime := e.config.TokenLifetime
	switch x.fault.name {
	case "lifetime":
		lifetime = x.fault.duration
	case "wrong-type":
		response.TokenType = "mac"
	}
	response.ExpiresIn = int64(math.Ceil(lifetime.Seconds()))
	if x.fault.name != "no-token" {
		response.AccessToken = e.issue(scopes, lifetime)
	}
	a := jsonAnswer(http.StatusOK, "application/json", response)
	noStore(a.header)
	return a
}

// readTokenRequest returns the parameters of a well-formed token request, or the answer to one that
// is not.
func readTokenRequest(x *exchange) (url.Values, *answer) {
	refuse := func(why string) (url.Values, *answer) {
		a := x.refuse(http.StatusBadRequest, why)
		return nil, &a
	}
	if len(x.r.Header.Values("Authorization")) > 0 {
		a := oauthError(http.StatusUnauthorized, "invalid_client",
			"the credentials belong in the body, not in an Authorization header")
		a.header.Set("WWW-Authenticate", `Basic realm="notification-emulator"`)
		return nil, &a
	}
	if x.r.URL.RawQuery != "" {
		return refuse("the parameters belong in the body, not in the query")
	}
	if !isForm(x.r) {
		return refuse("the Content-Type must be application/x-www-form-urlencoded")
	}
	if x.bodyErr != nil {
		a := x.bodyProblem()
		return nil, &a
	}
	form, err := url.ParseQuery(string(x.body))
	if err != nil {
		return refuse("the body is not in form encoding")
	}
	for _, values := range form {
		if len(values) > 1 { // its name may hold what an error_description must not (RFC 6749)
			return refuse("a parameter is repeated")
		}
	}
	if form.Has("scope") && form.Get("scope") == "" {
		return refuse("scope is empty: leave it out")
	}
	return form, nil
}

func isForm(r *http.Request) bool {
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && mediaType == "application/x-www-form-urlencoded"
}

// grantable returns the scopes that the request gets: what it asks for, or everything there is.
func (e *Emulator) grantable(form url.Values) ([]string, error) {
	if !form.Has("scope") {
		if len(e.config.Scopes) > 0 {
			return e.config.Scopes, nil
		}
		return []string{scopeWrite, scopeRead}, nil
	}
	scopes := strings.Split(form.Get("scope"), " ")
	for _, scope := range scopes {
		if !isScope(scope) {
			return nil, errors.New("scope is not a list of scopes with one space between them")
		}
		if len(e.config.Scopes) > 0 && !slices.Contains(e.config.Scopes, scope) {
			return nil, errors.New("this scope cannot be granted: " + scope)
		}
	}
	return scopes, nil
}

// isScope says whether text is a scope-token of RFC 6749 section 3.3.
func isScope(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r <= ' ' || r > '~' || r == '"' || r == '\\'
	})
}

func (e *Emulator) issue(scopes []string, lifetime time.Duration) string {
	t := token{scopes: scopes}
	if lifetime > 0 {
		t.expires = e.now().Add(lifetime)
	}
	text := "emu_" + rand.Text()

	e.mu.Lock()
	defer e.mu.Unlock()
	e.tokens[text] = t
	e.book.tokensIssued++
	if len(e.tokens) >= e.sweepAt {
		maps.DeleteFunc(e.tokens, func(_ string, t token) bool { return !t.valid(e.now()) })
		e.sweepAt = max(sweepTokens, 2*len(e.tokens))
	}
	return text
}

func (t token) valid(now time.Time) bool {
	return !t.revoked && (t.expires.IsZero() || now.Before(t.expires))
}

// RevokeTokens makes every token issued so far invalid. New ones can be obtained as before.
func (e *Emulator) RevokeTokens() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for text, t := range e.tokens {
		t.revoked = true
		e.tokens[text] = t
	}
	e.announce()
}
