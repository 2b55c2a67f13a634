package client

import (
	"context"
	"net/http"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

	"terraform-provider-notification/internal/client/token"
	"terraform-provider-notification/internal/client/wire"
)

// authorization adds the access token to each request. Endpoint methods never see it.
type authorization struct {
	next     *wire.Transport
	tokens   *token.Cache
	tokenURL string // for errors
}

// Send sends request with the current token. A 401 says that nothing was done with the request, so
// it is retried once with a new token: one that was requested after the first 401, since a token
// that was already on its way then may have been revoked with the first.
func (a *authorization) Send(ctx context.Context, request wire.Request) (*wire.Answer, error) {
	header := request.Header
	var refused time.Time
	for {
		if ctx.Err() != nil {
			return nil, &wire.Error{Err: wire.ContextError(ctx), Sent: time.Now(), Permanent: true}
		}
		tok, err := a.tokens.Get(ctx)
		if err != nil {
			return nil, tokenError(ctx, a.tokenURL, err)
		}
		request.Header = header.Clone()
		request.Header.Set("Authorization", "Bearer "+tok.Value)
		ans, err := a.next.Send(tflog.MaskLogStrings(ctx, tok.Value), request)
		if err != nil || ans.Status != http.StatusUnauthorized {
			return ans, err
		}

		a.tokens.Invalidate(tok)
		if !refused.IsZero() && !tok.Requested.Before(refused) {
			return ans, nil
		}
		if refused.IsZero() {
			refused = time.Now()
		}
	}
}
