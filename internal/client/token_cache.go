package client

import (
	"context"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// Token is a Bearer access token.
type Token struct {
	Value  string
	Scopes []string // the granted scopes; nil if neither request nor response named any

	Expires time.Time // zero without a usable expires_in: the token is used until it is rejected
	due     time.Time // when to renew it; zero if Expires is zero
}

// tokenCache holds the current token for a set of scopes. It is safe for concurrent use, and makes
// at most one token request at a time. It does not cache failures.
type tokenCache struct {
	source  *tokenSource
	scopes  []string
	renewal singleflight.Group
	current atomic.Pointer[Token] // nil before the first token and after reject
}

// get returns a valid token for a request. One that is due for renewal is used at once, while one
// renewal runs in the background. An error is an *Error.
func (c *tokenCache) get(ctx context.Context) (*Token, error) {
	tok := c.current.Load()
	if tok == nil || isPast(tok.Expires) {
		return c.await(ctx)
	}
	if isPast(tok.due) {
		c.renew(ctx)
	}
	return tok, nil
}

// fresh returns a token that is not due for renewal, to be given away. If it cannot obtain one
// while the old one is valid, it returns that. An error is an *Error.
func (c *tokenCache) fresh(ctx context.Context) (*Token, error) {
	old := c.current.Load()
	if old != nil && !isPast(old.due) {
		return old, nil
	}
	tok, err := c.await(ctx)
	if err != nil && old != nil && old == c.current.Load() && !isPast(old.Expires) {
		return old, nil
	}
	return tok, err
}

// await waits for a renewal. Cancelling ctx ends the wait but not the token request.
func (c *tokenCache) await(ctx context.Context) (*Token, error) {
	if ctx.Err() != nil {
		return nil, c.source.unsent(wire.ContextError(ctx))
	}
	select {
	case renewed := <-c.renew(ctx):
		tok, _ := renewed.Val.(*Token)
		return tok, renewed.Err
	case <-ctx.Done():
		return nil, c.source.unsent(wire.ContextError(ctx))
	}
}

// renew requests a token, unless such a request is in flight. ctx does not cancel the request,
// since other callers may wait for the token too.
func (c *tokenCache) renew(ctx context.Context) <-chan singleflight.Result {
	detached := context.WithoutCancel(ctx)
	return c.renewal.DoChan("", func() (any, error) {
		// Another caller may have renewed the token in the meantime.
		if tok := c.current.Load(); tok != nil && !isPast(tok.due) {
			return tok, nil
		}
		tok, err := c.source.fetch(detached, c.scopes)
		if err != nil {
			return nil, err
		}
		c.current.Store(tok)
		return tok, nil
	})
}

// isPast reports whether t has been reached. The zero time never is.
func isPast(t time.Time) bool { return !t.IsZero() && !time.Now().Before(t) }

// reject drops tok, which the service rejected, unless a newer token has replaced it.
func (c *tokenCache) reject(tok *Token) { c.current.CompareAndSwap(tok, nil) }
