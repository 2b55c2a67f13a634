package client

import (
	"context"
	"slices"
	"strings"

	"terraform-provider-notification/internal/client/token"
)

// AccessToken returns a token with the given scopes; none means those of the Config. It has 15
// minutes left, or 4/5 of a shorter life. It is shared: do not change it. An error is an *Error.
func (c *Client) AccessToken(ctx context.Context, scopes []string) (*token.Token, error) {
	cache := c.tokens
	if len(scopes) > 0 {
		empty := token.NewCache(c.issuer, slices.Clone(scopes))
		kept, _ := c.scoped.LoadOrStore(strings.Join(scopes, " "), empty)
		cache = kept.(*token.Cache) //nolint:forcetypeassert // nothing else is stored
	}
	tok, err := cache.GetLasting(ctx)
	if err != nil {
		return nil, c.issuer.failure(ctx, err)
	}
	return tok, nil
}
