package client

import (
	"context"
	"slices"
	"strings"
	"time"

	"terraform-provider-notification/internal/client/token"
)

// AccessToken is a token for calls that others make.
type AccessToken struct {
	Value     string    // a Bearer token
	ExpiresAt time.Time // zero when the issuer did not say
	Scopes    []string  // those granted; nil when neither request nor answer named any
}

// AccessToken returns a token with the given scopes; none means those of the Config. It has 15
// minutes left, or 4/5 of a shorter life. An error is an *Error.
func (c *Client) AccessToken(ctx context.Context, scopes []string) (*AccessToken, error) {
	cache := c.tokens
	if len(scopes) > 0 {
		empty := token.NewCache(c.issuer, slices.Clone(scopes))
		kept, _ := c.scoped.LoadOrStore(strings.Join(scopes, " "), empty)
		cache = kept.(*token.Cache) //nolint:forcetypeassert // nothing else is stored
	}
	tok, err := cache.GetLasting(ctx)
	if err != nil {
		return nil, tokenError(ctx, c.tokenURL, err)
	}
	return &AccessToken{Value: tok.Value, ExpiresAt: tok.Expires, Scopes: tok.Scopes}, nil
}
