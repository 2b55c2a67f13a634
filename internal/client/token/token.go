// Package token keeps access tokens for as long as they are good.
//
// Its promise: one request however many callers wait, refreshed before anyone has to wait in
// mid-run, and never a token that was refused or is about to expire.
package token

import (
	"context"
	"time"
)

// Issuer issues access tokens. No scopes leave them to the issuer.
type Issuer interface {
	Issue(ctx context.Context, scopes []string) (*Token, error)
}

// Token is one access token and what its issuer said of it.
type Token struct {
	Value   string    // a Bearer token
	Scopes  []string  // those granted; nil when neither request nor answer named any
	Expires time.Time // zero when the answer had no usable expires_in: good until refused

	// Requested is when the request for it was made. Its lifetime counts from there: the issuer's
	// clock started no earlier.
	Requested time.Time
}

// The margins scale with the lifetime, so that a token of 5 s is used for 4 s rather than fetched
// for each request, and one of an hour for 59 minutes.
const (
	refreshFraction = 5               // refreshing begins when 1/5 of the life is left,
	refreshMargin   = time.Minute     // but not earlier than a minute before its end
	expiryFraction  = 20              // no request starts with less than 1/20 of it left,
	expiryMargin    = 5 * time.Second // or 5 s: it has to arrive before the end

	// A token for other programs should outlive the run: of its life there must be this much left,
	// or 4/5 where it is shorter.
	lastingLife = 15 * time.Minute
)

func (t *Token) lifetime() time.Duration { return t.Expires.Sub(t.Requested) }

// hasLeft reports whether the token has more than d of its life left.
func (t *Token) hasLeft(d time.Duration) bool {
	return t.Expires.IsZero() || time.Until(t.Expires) > d
}

// fresh reports whether there is a token that can be used without a thought of the next one.
func (t *Token) fresh() bool {
	return t != nil && t.hasLeft(min(t.lifetime()/refreshFraction, refreshMargin))
}

// usable reports whether there is a token that can still be used.
func (t *Token) usable() bool { return t != nil && t.hasLeft(t.expiry()) }

// expiry is how long before its end the token is not used any more.
func (t *Token) expiry() time.Duration { return min(t.lifetime()/expiryFraction, expiryMargin) }

// lasting reports whether the token is good for other programs.
func (t *Token) lasting() bool { return t.hasLeft(min(t.lifetime()/5*4, lastingLife)) }
