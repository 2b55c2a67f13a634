package client

import (
	"context"
	"strings"
	"sync"
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

// A lent token should outlive the run that borrows it: of its life there must be
// this much left, or this share where it is shorter.
const (
	lentLife          = 15 * time.Minute
	lentLifeNumerator = 4
	lentLifeDivisor   = 5
)

// AccessToken returns a token with the given scopes; none means those of the
// Config. It is fetched anew when the present one is too old to lend. An error is
// an *Error.
func (c *Client) AccessToken(ctx context.Context, scopes []string) (*AccessToken, error) {
	cache := c.tokens
	if len(scopes) > 0 {
		cache = c.narrowed.cache(scopes, c.tokens.endpoint)
	}
	tok, err := cache.get(ctx)
	if err == nil && !tok.usableFor(min(lentLife, tok.lifetime()*lentLifeNumerator/lentLifeDivisor), time.Now()) {
		tok, err = cache.await(ctx, tok) // the old one stays for others, should this fail
	}
	if err != nil {
		return nil, err
	}
	return &AccessToken{Value: tok.value, ExpiresAt: tok.expires, Scopes: tok.scopes}, nil
}

// narrowedTokens holds a cache for each set of scopes other than the Config's.
type narrowedTokens struct {
	mu     sync.Mutex
	caches map[string]*tokenCache
}

func (n *narrowedTokens) cache(scopes []string, endpoint *tokenEndpoint) *tokenCache {
	key := strings.Join(scopes, " ")
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.caches == nil {
		n.caches = make(map[string]*tokenCache)
	}
	if n.caches[key] == nil {
		n.caches[key] = &tokenCache{endpoint: endpoint, wanted: scopes}
	}
	return n.caches[key]
}
