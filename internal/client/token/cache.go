package token

import (
	"context"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"golang.org/x/sync/singleflight"
)

// Cache holds the current token for a set of scopes. However many callers need one, at most one
// request for it is under way; its failure is told to those who wait and not remembered. It is safe
// for concurrent use.
type Cache struct {
	issuer Issuer
	scopes []string
	flight singleflight.Group

	mu      sync.Mutex
	current *Token
	// nextEarly is when an early refresh may be tried again after one failed: with the old token
	// still good there is no hurry.
	nextEarly time.Time
}

// NewCache returns an empty cache for tokens with the given scopes; none leaves them to the issuer.
func NewCache(issuer Issuer, scopes []string) *Cache {
	return &Cache{issuer: issuer, scopes: scopes}
}

// Get returns a usable token. It waits only where there is none. An error is that of ctx, which
// ends the wait and not the fetch, or the issuer's.
func (c *Cache) Get(ctx context.Context) (*Token, error) {
	c.mu.Lock()
	tok, early := c.current, !time.Now().Before(c.nextEarly)
	c.mu.Unlock()

	if !tok.usable() {
		return c.await(ctx, nil)
	}
	if early && !tok.fresh() {
		c.fetch(ctx, nil)
	}
	return tok, nil
}

// GetLasting is Get for other programs: a token with 15 minutes left, or 4/5 of a shorter life.
func (c *Cache) GetLasting(ctx context.Context) (*Token, error) {
	tok, err := c.Get(ctx)
	if err != nil || tok.lasting() {
		return tok, err
	}
	return c.await(ctx, tok) // the old one stays for others, should this fail
}

// Invalidate forgets tok, which the service refused. A newer token stays.
func (c *Cache) Invalidate(tok *Token) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == tok {
		c.current = nil
	}
}

// Scopes are those of the current token; nil when there is none or its issuer did not say.
func (c *Cache) Scopes() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == nil {
		return nil
	}
	return c.current.Scopes
}

// await returns a token that is not stale.
func (c *Cache) await(ctx context.Context, stale *Token) (*Token, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err() // nothing new starts
	}
	select {
	case result := <-c.fetch(ctx, stale):
		if result.Err != nil {
			return nil, result.Err
		}
		tok := result.Val.(*Token) //nolint:forcetypeassert // fetch returns nothing else
		if tok == stale {
			return c.await(ctx, stale) // of a fetch that others began and found needless
		}
		return tok, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// fetch starts a request for a token other than stale unless one is under way. Of ctx it keeps the
// values only (the logger): the fetch outlives the caller who happened to be first.
func (c *Cache) fetch(ctx context.Context, stale *Token) <-chan singleflight.Result {
	ctx = context.WithoutCancel(ctx)
	return c.flight.DoChan("", func() (any, error) {
		// Another fetch may have ended between the caller's look and this one.
		c.mu.Lock()
		old := c.current
		c.mu.Unlock()
		if old != stale && old.fresh() {
			return old, nil
		}

		tok, err := c.issuer.Issue(ctx, c.scopes)
		c.mu.Lock()
		defer c.mu.Unlock()
		if err == nil {
			c.current, c.nextEarly = tok, time.Time{}
			return tok, nil
		}
		if old.usable() {
			c.nextEarly = time.Now().Add(old.expiry())
			tflog.Warn(ctx, "Early refresh of the access token failed; the old one is still good",
				map[string]any{"error": err.Error()})
		}
		return nil, err
	})
}
