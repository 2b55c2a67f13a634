package client

import (
	"context"
	"net/http"
	"strings"

	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// authorizer adds the access token to each API request.
type authorizer struct {
	next   *wire.Transport
	tokens *tokenCache
}

// Send sends request with the current token. If the service rejects the token, it has not processed
// the request, so Send drops the token and retries the request once.
func (a *authorizer) Send(ctx context.Context, request wire.Request) *wire.Attempt {
	var attempt *wire.Attempt
	for range 2 {
		if ctx.Err() != nil {
			return wire.Unsent(request, wire.ContextError(ctx))
		}
		tok, err := a.tokens.get(ctx)
		if err != nil {
			return wire.Unsent(request, err) // permanent: the token request was retried already
		}
		request.Header = request.Header.Clone()
		request.Header.Set("Authorization", "Bearer "+tok.Value)
		attempt = a.next.Send(ctx, request)
		if !rejectsToken(attempt) {
			break
		}
		a.tokens.reject(tok)
	}
	return attempt
}

// rejectsToken reports whether the service rejected the access token (RFC 6750, section 3.1). Some
// gateways do so with 403.
func rejectsToken(attempt *wire.Attempt) bool {
	challenges := strings.ToLower(strings.Join(attempt.Header.Values("WWW-Authenticate"), ","))
	return attempt.Status == http.StatusUnauthorized ||
		attempt.Status == http.StatusForbidden && strings.Contains(challenges, "invalid_token")
}
