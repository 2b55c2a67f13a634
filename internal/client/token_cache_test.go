package client

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/notification/terraform-provider-notification/internal/client/redact"
	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// tokenServer is a sender that issues the tokens t1, t2, and so on, under a fake clock.
type tokenServer struct {
	lifetime, latency time.Duration
	body              string // of each response, in place of such a token; may be empty
	down              bool
	requests          atomic.Int32
}

func (s *tokenServer) Send(ctx context.Context, request wire.Request) *wire.Attempt {
	attempt := &wire.Attempt{URL: request.URL, Began: time.Now(), Status: http.StatusOK}
	n := s.requests.Add(1)
	time.Sleep(s.latency)
	if s.down || ctx.Err() != nil {
		attempt.Status = http.StatusForbidden
	}
	token := fmt.Sprintf(`{"access_token":"t%d","expires_in":%g}`, n, s.lifetime.Seconds())
	attempt.Body = []byte(cmp.Or(s.body, token))
	return attempt
}

// newTokenCache returns an empty cache of tokens that s issues.
func newTokenCache(s *tokenServer) *tokenCache {
	secrets := new(redact.Secrets).With(testSecret)
	return &tokenCache{source: newTokenSource(s, testConfig(), secrets)}
}

// checkToken fails the test unless get returns the token with the given value, whose number is that
// of the requests so far.
func checkToken(t *testing.T, c *tokenCache, value string) {
	t.Helper()
	if tok, err := c.get(t.Context()); err != nil || tok.Value != value {
		t.Errorf("got %+v, %v, want %s", tok, err, value)
	}
}

// A cancelled caller starts no request, and a failure is not cached.
func TestTokenFailuresAreNotCached(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &tokenServer{down: true}
		c := newTokenCache(s)
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.get(gone); asError(t, err).Reason != Cancelled {
			t.Error(err)
		}
		synctest.Wait() // for a request, if there were one
		if _, err := c.get(t.Context()); asError(t, err).Status != http.StatusForbidden {
			t.Error(err)
		}
		s.down = false
		checkToken(t, c, "t2")
	})
}

// A token is due for renewal in the last tenth of its lifetime, but no earlier than 30 s before it
// expires. Requests use it meanwhile, and one renewal runs in the background.
func TestRenewalBeforeExpiry(t *testing.T) {
	t.Parallel()
	const latency = 100 * time.Millisecond
	for _, test := range []struct {
		lifetime, age time.Duration
		due           bool
	}{
		{5 * time.Second, 4500*time.Millisecond - 1, false},
		{5 * time.Second, 4500 * time.Millisecond, true},
		{time.Hour, time.Hour - 30*time.Second - 1, false},
		{time.Hour, time.Hour - 30*time.Second, true},
		{0, 100 * time.Hour, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := &tokenServer{lifetime: test.lifetime}
			c := newTokenCache(s)
			checkToken(t, c, "t1")
			time.Sleep(test.age)
			s.latency = latency
			asked := time.Now()
			concurrently(10, func() { checkToken(t, c, "t1") })
			if waited := time.Since(asked); waited != 0 {
				t.Errorf("%+v: waited %s", test, waited)
			}
			time.Sleep(2 * latency)
			if renewed := c.current.Load().Value == "t2"; renewed != test.due || s.requests.Load() > 2 {
				t.Errorf("%+v: renewed %t, %d requests", test, renewed, s.requests.Load())
			}
		})
	}
}

// While a token is valid, no request waits for the token endpoint. Whoever gives the token away
// waits, but not beyond the end of its call, and does not depend on a renewal that fails.
func TestRenewalOfValidToken(t *testing.T) {
	t.Parallel()
	const sec, hangs = time.Second, 4 * time.Minute
	for name, test := range map[string]struct {
		fresh    bool // whether the token is to be given away
		expired  bool // whether the old token has expired; if not, 20 s are left
		latency  time.Duration
		down     bool
		timeout  time.Duration // the caller's; 0 for none
		rejected time.Duration // when the old token is rejected; 0 for never

		value  string // of the caller's token; empty for an error
		waited time.Duration
	}{
		"valid, hangs": {latency: hangs, value: "t1"},
		"valid, fails": {down: true, value: "t1"},

		"expired, in time": {expired: true, latency: 15 * sec, value: "t2", waited: 15 * sec},
		"expired, fails":   {expired: true, latency: 15 * sec, down: true, waited: 15 * sec},
		"expired, hangs":   {expired: true, latency: hangs, timeout: 4 * sec, waited: 4 * sec},

		"fresh, in time":        {fresh: true, latency: 15 * sec, value: "t2", waited: 15 * sec},
		"fresh, fails":          {fresh: true, latency: 19 * sec, down: true, value: "t1", waited: 19 * sec},
		"fresh, fails too late": {fresh: true, latency: 20 * sec, down: true, waited: 20 * sec},
		"fresh, hangs":          {fresh: true, latency: hangs, timeout: 19 * sec, value: "t1", waited: 19 * sec},
		"fresh, hangs too long": {fresh: true, latency: hangs, timeout: 20 * sec, waited: 20 * sec},
		"fresh, rejected, in time": {fresh: true, latency: 15 * sec, rejected: sec, value: "t2",
			waited: 15 * sec},
		"fresh, rejected, fails": {fresh: true, latency: 5 * sec, down: true, rejected: sec,
			waited: 5 * sec},
	} {
		inBubble(t, name, func(t *testing.T) {
			s := &tokenServer{lifetime: time.Hour}
			c := newTokenCache(s)
			checkToken(t, c, "t1")
			old := c.current.Load()
			time.Sleep(s.lifetime - 20*sec)
			if test.expired {
				time.Sleep(20 * sec)
			}
			s.latency, s.down = test.latency, test.down
			ctx, cancel := context.WithTimeout(t.Context(), cmp.Or(test.timeout, time.Hour))
			defer cancel()
			if test.rejected > 0 {
				time.AfterFunc(test.rejected, func() { c.reject(old) })
			}
			began, get := time.Now(), c.get
			if test.fresh {
				get = c.fresh
			}
			tok, err := get(ctx)
			if waited := time.Since(began); waited != test.waited ||
				(err == nil) != (test.value != "") || err == nil && tok.Value != test.value {
				t.Errorf("got %+v, %v after %s, want %+v", tok, err, waited, test)
			}
			time.Sleep(test.latency + 1) // the caller does not end the request
			if got := s.requests.Load(); got != 2 || c.current.Load() == old && !test.down {
				t.Errorf("%d requests, want 2; or the new token is not cached", got)
			}
		})
	}
}

// A caller that found no token may ask for one just after another caller got it.
func TestRenewalFindsNewToken(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := newTokenCache(new(tokenServer))
		checkToken(t, c, "t1")
		if got := <-c.renew(t.Context()); got.Err != nil || got.Val != c.current.Load() {
			t.Errorf("%+v", got)
		}
		checkToken(t, c, "t1")
	})
}
