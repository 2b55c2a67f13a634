package client

import (
	"context"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"golang.org/x/sync/singleflight"
)

// token is one access token and what its issuer said of it.
type token struct {
	value string

	// scopes are those granted; nil when neither request nor answer named any.
	scopes []string

	// requested is when the request for it was made. Its lifetime counts from
	// there: the issuer's clock started no earlier.
	requested time.Time

	// expires is zero when the answer had no expires_in: good until refused.
	expires time.Time
}

// usableFor reports whether the token has more than d of its life left at now.
func (t *token) usableFor(d time.Duration, now time.Time) bool {
	return t != nil && (t.expires.IsZero() || t.expires.Sub(now) > d)
}

// The margins scale with the lifetime, so that a token of 5 s is used for 4 s
// rather than fetched for each request, and one of an hour for 59 minutes.
const (
	refreshFraction = 5               // refreshing begins when 1/5 of the life is left,
	refreshMargin   = time.Minute     // but not earlier than a minute before its end
	expiryFraction  = 20              // no request starts with less than 1/20 of it left,
	expiryMargin    = 5 * time.Second // or 5 s: it has to arrive before the end
)

func (t *token) lifetime() time.Duration { return t.expires.Sub(t.requested) }

// fresh reports whether the token can be used without a thought of the next.
func (t *token) fresh(now time.Time) bool {
	return t != nil && t.usableFor(min(t.lifetime()/refreshFraction, refreshMargin), now)
}

// usable reports whether the token can still be used.
func (t *token) usable(now time.Time) bool {
	return t != nil && t.usableFor(min(t.lifetime()/expiryFraction, expiryMargin), now)
}

// tokenCache holds the current token. However many callers want one, at most one
// request for it is under way; its failure is told to those who wait and not
// remembered.
type tokenCache struct {
	endpoint *tokenEndpoint
	wanted   []string // the scopes to request
	flight   singleflight.Group

	mu      sync.Mutex
	current *token
	// nextEarly is when an early refresh may be tried again after one failed:
	// with the old token still good there is no hurry.
	nextEarly time.Time
}

// get returns a usable token. It waits only where there is none; ctx ends that
// wait, not the fetch that others may wait for too.
func (c *tokenCache) get(ctx context.Context) (*token, error) {
	if ctx.Err() != nil {
		return nil, c.endpoint.failure(ended(ctx))
	}
	now := time.Now()
	c.mu.Lock()
	tok, early := c.current, !now.Before(c.nextEarly)
	c.mu.Unlock()

	switch {
	case tok.fresh(now):
		return tok, nil
	case tok.usable(now):
		if early {
			c.fetch(ctx, nil)
		}
		return tok, nil
	}
	return c.await(ctx, nil)
}

// await returns a token that is not stale. ctx ends the wait only.
func (c *tokenCache) await(ctx context.Context, stale *token) (*token, error) {
	select {
	case result := <-c.fetch(ctx, stale):
		if result.Err != nil {
			return nil, result.Err
		}
		tok := result.Val.(*token) //nolint:forcetypeassert // fetch returns nothing else
		if tok == stale {
			return c.await(ctx, stale) // of a fetch that others began and found needless
		}
		return tok, nil
	case <-ctx.Done():
		return nil, c.endpoint.failure(ended(ctx))
	}
}

// fetch starts a request for a token other than stale unless one is under way. Of
// ctx it keeps the values only (the logger): the fetch outlives the caller who
// happened to be first.
func (c *tokenCache) fetch(ctx context.Context, stale *token) <-chan singleflight.Result {
	ctx = context.WithoutCancel(ctx)
	return c.flight.DoChan("", func() (any, error) {
		// Another fetch may have ended between the caller's look and this one.
		now := time.Now()
		c.mu.Lock()
		old := c.current
		c.mu.Unlock()
		if old != stale && old.fresh(now) {
			return old, nil
		}

		tok, err := c.endpoint.exchange(ctx, c.wanted)
		c.mu.Lock()
		defer c.mu.Unlock()
		if err != nil {
			if old.usable(time.Now()) {
				c.nextEarly = time.Now().Add(min(old.lifetime()/expiryFraction, expiryMargin))
				tflog.Warn(ctx, "Early refresh of the access token failed; the present one is still good", map[string]any{"error": err.Error()})
			}
			return nil, err
		}
		c.current, c.nextEarly = tok, time.Time{}
		return tok, nil
	})
}

// drop forgets tok, which the service refused. A newer token stays.
func (c *tokenCache) drop(tok *token) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == tok {
		c.current = nil
	}
}

// scopes are those of the current token; nil when there is none or its issuer did
// not say.
func (c *tokenCache) scopes() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current == nil {
		return nil
	}
	return c.current.scopes
}
