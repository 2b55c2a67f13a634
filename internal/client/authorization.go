package client

import (
	"context"
	"net/http"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"terraform-provider-notification/internal/client/token"
	"terraform-provider-notification/internal/client/wire"
)

// authorization adds the access token to each request. Operations never see it.
type authorization struct {
	next   *wire.Transport
	issuer *issuer // for errors
	tokens *token.Cache
}

// Send sends request with the current token in its header. A 401 says that nothing was done with
// the request, so it is retried once with a new token: one that was requested after the first 401,
// since a token that was already on its way then may have been revoked with the first.
func (a *authorization) Send(ctx context.Context, request wire.Request) *wire.Attempt {
	var refused time.Time // when the first token was
	for {
		if ctx.Err() != nil {
			return request.NotSent(wire.ContextError(ctx))
		}
		tok, err := a.tokens.Get(ctx)
		if err != nil {
			// The request for the token has had retries of its own.
			return request.NotSent(a.issuer.failure(ctx, err))
		}
		request.Header = request.Header.Clone()
		request.Header.Set("Authorization", "Bearer "+tok.Value)
		attempt := a.next.Send(tflog.MaskLogStrings(ctx, tok.Value), request)
		if attempt.Status != http.StatusUnauthorized {
			return attempt
		}

		a.tokens.Invalidate(tok)
		if refused.IsZero() {
			refused = time.Now()
		} else if !tok.Requested.Before(refused) {
			return attempt
		}
	}
}
