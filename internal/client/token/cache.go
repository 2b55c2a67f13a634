// Package token caches access tokens until they expire or are refused.
package token

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"golang.org/x/sync/singleflight"
)

// Token is one access token and what its issuer said of it.
type Token struct {
	Value  string   // a Bearer token
	Scopes []string // those granted; nil when neither request nor response named any

	// The lifetime counts from the request: the issuer's clock started no earlier.
	Requested time.Time
	Expires   time.Time // zero when the response had no usable expires_in: used until refused
}

// due reports whether the token should be renewed: in the last tenth of its lifetime, and in the
// last 30 s of a long one.
func (t *Token) due() bool {
	return t.expiresWithin(min(t.Expires.Sub(t.Requested)/10, 30*time.Second))
}

func (t *Token) expiresWithin(d time.Duration) bool {
	return !t.Expires.IsZero() && time.Until(t.Expires) <= d
}

// Issuer requests access tokens. Without scopes, the server decides which it grants.
type Issuer interface {
	Issue(ctx context.Context, scopes []string) (*Token, error)
}

// Cache holds the current token for a set of scopes. It is safe for concurrent use: at most one
// request for a token is under way. Failed requests are not cached.
type Cache struct {
	issuer  Issuer
	scopes  []string
	renewal singleflight.Group
	current atomic.Pointer[Token] // nil before the first token and after a refusal
}

// NewCache returns an empty cache for tokens with the given scopes, which may be none.
func NewCache(issuer Issuer, scopes []string) *Cache {
	return &Cache{issuer: issuer, scopes: scopes}
}

// Get returns the current token, and waits for another where there is none or it is due. While a
// due token is valid, Get waits for at most half of the time that the token and ctx have left;
// if the renewal fails or takes longer, Get returns the old token. An error is the issuer's or that
// of ctx, which ends the wait but not the request for the token.
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

// valid reports whether tok is still the current token and has not expired. It may be nil.
func (c *Cache) valid(tok *Token) bool {
	return tok != nil && tok == c.current.Load() && !tok.expiresWithin(0)
}

// renew requests a token, or waits for the request that is under way. The request does not end with
// ctx, since other callers may wait for the token too.
func (c *Cache) renew(ctx context.Context) (*Token, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	detached := context.WithoutCancel(ctx)
	renewed := c.renewal.DoChan("", func() (any, error) {
		// Another request may have ended since the caller looked.
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

// Invalidate drops tok, which the service refused, unless a newer token has replaced it.
func (c *Cache) Invalidate(tok *Token) { c.current.CompareAndSwap(tok, nil) }

// Scopes are those of the current token; nil when there is none or nobody named any.
func (c *Cache) Scopes() []string {
	if tok := c.current.Load(); tok != nil {
		return tok.Scopes
	}
	return nil
}
