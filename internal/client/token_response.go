package client

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
	"golang.org/x/oauth2"

	"github.com/notification/terraform-provider-notification/internal/client/response"
	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// check returns an error unless a 2xx response has a usable token. granted and err are what
// x/oauth2 made of it. The error quotes only an OAuth error in a JSON object: any other part may be
// a token.
func (s *tokenSource) check(attempt *wire.Attempt, granted *oauth2.Token, err error) *Error {
	unusable := func(reason Reason, message string, err error) *Error {
		return newError(ObtainAccessToken, s.request, &failure{
			last: attempt, reason: reason, message: message, unusable: err,
		})
	}
	members, message := membersOf(attempt.Body), response.JSONMessage(attempt.Body)
	isError := anyText(members.Error) != "" || anyText(members.ErrorDescription) != ""
	switch {
	case err != nil && isError && message != "":
		return unusable(OAuthError, message, nil)
	case err != nil:
		return unusable(NoReason, "", noToken(attempt.Body))
	case !isBearer(granted.TokenType):
		secrets := s.request.Secrets.With(granted.AccessToken)
		return unusable(NoReason, "", fmt.Errorf(
			"the token is of type %q; only Bearer tokens can be used", secrets.Quote(granted.TokenType)))
	case !httpguts.ValidHeaderFieldValue(granted.AccessToken):
		return unusable(NoReason, "",
			errors.New("the token contains characters that a header cannot carry"))
	}
	return nil
}

// noToken describes a body without a token by the names of its members: any value may be a token.
func noToken(body []byte) error {
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil || members == nil {
		return errors.New("the response is not a JSON object")
	}
	names := cmp.Or(strings.Join(slices.Sorted(maps.Keys(members)), ", "), "none")
	return errors.New("the response has no usable access_token; its members: " + names)
}

// isBearer reports whether tokenType is Bearer, or what Apigee calls it. Without a type, x/oauth2
// assumes Bearer too.
func isBearer(tokenType string) bool {
	kind := strings.ToLower(strings.Join(strings.Fields(tokenType), ""))
	return kind == "" || kind == "bearer" || kind == "bearertoken"
}

// tokenMembers are the members of a token response that the provider reads, in any form. Of a name
// that occurs twice, in any case, the last one counts.
type tokenMembers struct {
	AccessToken      json.RawMessage `json:"access_token"`
	TokenType        json.RawMessage `json:"token_type"`
	ExpiresIn        json.RawMessage `json:"expires_in"`
	Scope            json.RawMessage `json:"scope"`
	Error            json.RawMessage `json:"error"`
	ErrorDescription json.RawMessage `json:"error_description"`
}

// membersOf returns the members of a JSON object; none of any other body.
func membersOf(body []byte) (members tokenMembers) {
	_ = json.Unmarshal(body, &members)
	return members
}

// jsonString returns a JSON string; empty for any other value.
func jsonString(value json.RawMessage) (content string) {
	_ = json.Unmarshal(value, &content) // on failure, content stays empty
	return content
}

// clean returns the members that x/oauth2 needs, as texts: x/oauth2 rejects a good token if its
// error is false, or if its expires_in is not an integer.
func (m tokenMembers) clean() []byte {
	body, _ := json.Marshal(map[string]string{ // strings can always be encoded
		"access_token": jsonString(m.AccessToken),
		"token_type":   anyText(m.TokenType),
		"error":        anyText(m.Error),
	})
	return body
}

// anyText returns a JSON string, or any other value as it is encoded; empty if value is absent,
// null, false, zero or empty.
func anyText(value json.RawMessage) string {
	if response.IsEmpty(value) {
		return ""
	}
	return cmp.Or(jsonString(value), string(value))
}

// longestLifetime keeps huge numbers of seconds from overflowing.
const longestLifetime = 100 * 365 * 24 * time.Hour

// parseLifetime parses expires_in, a number of seconds (RFC 6749, section 5.1). It may be a string,
// and have a fraction or an exponent. For any other value, parseLifetime returns 0.
func parseLifetime(expiresIn json.RawMessage) time.Duration {
	if quoted := jsonString(expiresIn); quoted != "" {
		expiresIn = json.RawMessage(quoted)
	}
	var seconds float64
	_ = json.Unmarshal(expiresIn, &seconds) // on failure, seconds stays 0
	return time.Duration(min(seconds, longestLifetime.Seconds()) * float64(time.Second))
}

// grantedScopes returns the scopes in a token response: words, or an array of them, as some servers
// send. Without any, the requested ones were granted (RFC 6749, section 5.1). It returns nil for
// scopes in any other form, which are not known.
func grantedScopes(scope json.RawMessage, requested []string) []string {
	var word string
	var words []string
	if len(scope) > 0 && json.Unmarshal(scope, &words) != nil && json.Unmarshal(scope, &word) != nil {
		return nil
	}
	if named := strings.Fields(strings.Join(append(words, word), " ")); len(named) > 0 {
		return named
	}
	return requested
}
