// Package token caches access tokens until they expire or the service rejects them.
package token

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"golang.org/x/sync/singleflight"
)

// Token is a Bearer access token.
type Token struct {
	Value  string
	Scopes []string // the granted scopes; nil if neither request nor response named any

	// The lifetime counts from Requested, since the token was issued no earlier.
	Requested time.Time
	Expires   time.Time // zero without a usable expires_in: the token is used until it is rejected
}

// due reports whether the token should be renewed: in the last tenth of its lifetime, but no
// earlier than 30 s before it expires.
func (t *Token) due() bool {
	return t.expiresWithin(min(t.Expires.Sub(t.Requested)/10, 30*time.Second))
}

func (t *Token) expiresWithin(d time.Duration) bool {
	return !t.Expires.IsZero() && time.Until(t.Expires) <= d
}

// Issuer requests access tokens. Without scopes, the server decides which scopes it grants.
type Issuer interface {
	Issue(ctx context.Context, scopes []string) (*Token, error)
}

// Cache holds the current token for a set of scopes. It is safe for concurrent use, and makes at
// most one token request at a time. It does not cache failures.
type Cache struct {
	issuer  Issuer
	scopes  []string
	renewal singleflight.Group
	current atomic.Pointer[Token] // nil before the first token and after Invalidate
}

// NewCache returns an empty cache for tokens with the given scopes, if any.
func NewCache(issuer Issuer, scopes []string) *Cache {
	return &Cache{issuer: issuer, scopes: scopes}
}

// Get returns the current token, or a new one if there is none or it is due for renewal. For a
// token that is due but valid, Get waits at most half of the time that the token and ctx have left;
// if the renewal fails or takes longer, it returns the old token. An error is the issuer's or
// ctx.Err(). Cancelling ctx ends the wait but not the token request.
func (c *Cache) Get(ctx context.Context) (*Token, error) {
	old := c.current.Load()
	if old != nil && !old.due() {
		return old, nil
	}
	if c.valid(old) {
		left := time.Until(old.Expires)
		if deadline, ok := ctx.Deadline(); ok {
			left = min(left, time.Until(deadline))
		}
		half, cancel := context.WithTimeout(ctx, left/2)
		defer cancel()
		tok, err := c.renew(half)
		if err == nil {
			return tok, nil
		}
		if c.valid(old) && ctx.Err() == nil {
			tflog.Warn(ctx, "Could not renew the access token, which is still valid",
				map[string]any{"error": err.Error()})
			return old, nil
		}
	}
	return c.renew(ctx)
}

// valid reports whether tok, which may be nil, is still the current token and has not expired.
func (c *Cache) valid(tok *Token) bool {
	return tok != nil && tok == c.current.Load() && !tok.expiresWithin(0)
}

// renew requests a token, or waits for the token request in flight. ctx does not cancel the
// request, since other callers may wait for the token too.
func (c *Cache) renew(ctx context.Context) (*Token, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	detached := context.WithoutCancel(ctx)
	renewed := c.renewal.DoChan("", func() (any, error) {
		// Another caller may have renewed the token in the meantime.
		if tok := c.current.Load(); tok != nil && !tok.due() {
			return tok, nil
		}
		tok, err := c.issuer.Issue(detached, c.scopes)
		if err != nil {
			return nil, err
		}
		c.current.Store(tok)
		return tok, nil
	})
	select {
	case result := <-renewed:
		tok, _ := result.Val.(*Token)
		return tok, result.Err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Invalidate drops tok, which the service rejected, unless a newer token has replaced it.
func (c *Cache) Invalidate(tok *Token) { c.current.CompareAndSwap(tok, nil) }

// Scopes returns the scopes of the current token; nil if there is no token or they are unknown.
func (c *Cache) Scopes() []string {
	if tok := c.current.Load(); tok != nil {
		return tok.Scopes
	}
	return nil
}
