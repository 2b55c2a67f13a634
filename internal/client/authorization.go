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
	issuer *issuer
	tokens *token.Cache
}

// Send sends request with the current token in its header. A 401 says that nothing was done with
// the request, so Send repeats it once with a token that was requested after the 401. A token that
// was requested before the 401, for another request, may have been revoked with the refused one:
// where it is refused too, Send tries once more.
func (a *authorization) Send(ctx context.Context, request wire.Request) *wire.Attempt {
	var refused time.Time // when the first token was refused
	for {
		if ctx.Err() != nil {
			return request.NotSent(wire.ContextError(ctx))
		}
		tok, err := a.issuer.tokenFrom(ctx, a.tokens)
		if err != nil {
			return request.NotSent(err) // permanent: the token request has been retried by itself
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
