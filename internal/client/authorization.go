package client

import (
	"context"
	"net/http"
	"time"

	"terraform-provider-notification/internal/client/wire"
)

// authorization adds the access token to each API request.
type authorization struct {
	next   *wire.Transport
	tokens *tokenSource
}

// Send sends request with the current token. After a 401 the service has not processed the request,
// so Send retries it once with a token that was requested after the 401. A token that another
// request obtained before the 401 may have been revoked together with the rejected one: if it is
// rejected too, Send retries once more.
func (a *authorization) Send(ctx context.Context, request wire.Request) *wire.Attempt {
	var rejectedAt time.Time // when the first token was rejected
	for {
		if ctx.Err() != nil {
			return request.NotSent(wire.ContextError(ctx))
		}
		tok, err := a.tokens.Token(ctx)
		if err != nil {
			return request.NotSent(err) // permanent: the issuer has already retried
		}
		request.Header = request.Header.Clone()
		request.Header.Set("Authorization", "Bearer "+tok.Value)
		attempt := a.next.Send(ctx, request)
		if attempt.Status != http.StatusUnauthorized {
			return attempt
		}

		a.tokens.Invalidate(tok)
		if rejectedAt.IsZero() {
			rejectedAt = time.Now()
		} else if !tok.Requested.Before(rejectedAt) {
			return attempt
		}
	}
}
