package emulator

import (
	"errors"
	"maps"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// unknownClient is for somebody whose module has credentials of its own.
const unknownClient = "the client is unknown, or its secret is wrong or missing; this emulator " +
	"knows those of its flags -client-id and -client-secret, which exec passes on in NOTIFICATION_*"

// tokenResponse is the token response of the service's page, section 2.
type tokenResponse struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type"`
	ExpiresIn   int64  `json:"expires_in,omitempty"`
	Scope       string `json:"scope"`
}

// grant responds to a token request by the rules of RFC 6749, sections 2.3.1, 4.4 and 5, of which it
// keeps to the strict side: credentials in the body only.
func (s *service) grant(x *exchange) response {
	if refusal := checkTokenRequest(x); refusal != nil {
		return *refusal
	}
	if x.form.Get("client_id") != s.config.ClientID ||
		x.form.Get("client_secret") != s.config.ClientSecret {
		return oauthError(http.StatusUnauthorized, "invalid_client", unknownClient)
	}
	switch x.form.Get("grant_type") {
	case "client_credentials":
	case "":
		return x.refuse(http.StatusBadRequest, "grant_type is missing")
	default:
		return oauthError(http.StatusBadRequest, "unsupported_grant_type",
			"grant_type must be client_credentials")
	}
	scopes, err := s.grantable(x.form)
	if err != nil {
		return oauthError(http.StatusBadRequest, "invalid_scope", err.Error())
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	return jsonResponse(http.StatusOK, "application/json", tokenResponse{
		AccessToken: s.tokens.issue(scopes, s.config.TokenLifetime),
		TokenType:   "Bearer",
		ExpiresIn:   int64(math.Ceil(s.config.TokenLifetime.Seconds())),
		Scope:       strings.Join(scopes, " "),
	}).noStore()
}

// checkTokenRequest returns nil when the request is well-formed, and otherwise the refusal.
func checkTokenRequest(x *exchange) *response {
	repeated := func(values []string) bool { return len(values) > 1 }
	var r response
	switch {
	case len(x.r.Header.Values("Authorization")) > 0:
		r = oauthError(http.StatusUnauthorized, "invalid_client",
			"the credentials belong in the body, not in an Authorization header").
			with("WWW-Authenticate", `Basic realm="notification-emulator"`)
	case x.r.URL.RawQuery != "":
		r = x.refuse(http.StatusBadRequest, "the parameters belong in the body, not in the query")
	case x.mediaType != formType:
		r = x.refuse(http.StatusBadRequest, "the Content-Type must be "+formType)
	case x.bodyErr != nil:
		r = x.bodyProblem()
	case x.form == nil:
		r = x.refuse(http.StatusBadRequest, "the body is not in form encoding")
	case slices.ContainsFunc(slices.Collect(maps.Values(x.form)), repeated):
		// Its name may hold what an error_description must not (RFC 6749).
		r = x.refuse(http.StatusBadRequest, "a parameter is repeated")
	case x.form.Has("scope") && x.form.Get("scope") == "":
		r = x.refuse(http.StatusBadRequest, "scope is empty: leave it out")
	default:
		return nil
	}
	return &r
}

// grantable returns the scopes that the request gets: what it asks for, or everything there is.
func (s *service) grantable(form url.Values) ([]string, error) {
	switch {
	case !form.Has("scope") && len(s.config.Scopes) > 0:
		return s.config.Scopes, nil
	case !form.Has("scope"):
		return []string{scopeWrite, scopeRead}, nil
	}
	scopes := strings.Split(form.Get("scope"), " ")
	for _, scope := range scopes {
		if !isScope(scope) {
			return nil, errors.New("scope is not a list of scopes with one space between them")
		}
		if len(s.config.Scopes) > 0 && !slices.Contains(s.config.Scopes, scope) {
			return nil, errors.New("this scope cannot be granted: " + scope)
		}
	}
	return scopes, nil
}
