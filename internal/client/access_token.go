package client

import (
	"context"
	"time"
)

// AccessToken is a token for calls that others make.
type AccessToken struct {
	Value string // a Bearer token

	// ExpiresAt is zero when the issuer did not say.
	ExpiresAt time.Time

	// Scopes are those granted; nil when neither request nor answer named any.
	Scopes []string
}

// AccessToken returns a token with the given scopes; none means those of the Config. It has 15
// minutes left, or 4/5 of a shorter life. An error is an *Error.
func (c *Client) AccessToken(ctx context.Context, scopes []string) (*AccessToken, error) {
	cache := c.tokens
	if len(scopes) > 0 {
		cache = c.scoped.cache(scopes, c.endpoint)
	}
	tok, err := cache.GetLasting(ctx)
	if err != nil {
		return nil, tokenError(ctx, c.tokenURL, err)
	}
	return &AccessToken{Value: tok.Value, ExpiresAt: tok.Expires, Scopes: tok.Scopes}, nil
}
