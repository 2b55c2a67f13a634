package token

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server is an Issuer under a fake clock. Its tokens are t1, t2, and so on.
type server struct {
	lifetime, latency time.Duration
	down              bool
	requests          atomic.Int32
}

var errDown = errors.New("the issuer is down")

func (s *server) Issue(ctx context.Context, _ []string) (*Token, error) {
	n, requested := s.requests.Add(1), time.Now()
	time.Sleep(s.latency)
	if s.down || ctx.Err() != nil {
		return nil, errDown
	}
	tok := &Token{Value: fmt.Sprintf("t%d", n), Requested: requested}
	if s.lifetime > 0 {
		tok.Expires = requested.Add(s.lifetime)
	}
	return tok, nil
}

// underFakeClock runs test with an empty cache, and checks the number of requests to s.
func underFakeClock(t *testing.T, s *server, requests int32, test func(t *testing.T, c *Cache)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		test(t, NewCache(s, nil))
		synctest.Wait()
		if got := s.requests.Load(); got != requests {
			t.Errorf("%d requests, want %d", got, requests)
		}
	})
}

// checkToken fails the test unless Get returns the token with the given value.
func checkToken(t *testing.T, c *Cache, value string) {
	t.Helper()
	if tok, err := c.Get(t.Context()); err != nil || tok.Value != value {
		t.Errorf("got %+v, %v, want %s", tok, err, value)
	}
}

// A caller that is cancelled stops waiting. The others share one request.
func TestCallersShareOneRequest(t *testing.T) {
	t.Parallel()
	s := &server{lifetime: time.Hour, latency: 30500 * time.Millisecond}
	underFakeClock(t, s, 1, func(t *testing.T, c *Cache) {
		began := time.Now()
		var group sync.WaitGroup
		for i := range 50 {
			patience := time.Duration(i+1) * time.Second // the first is cancelled first
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(patience, cancel)
			group.Go(func() {
				tok, err := c.Get(ctx)
				waited := time.Since(began)
				if patience > s.latency && (err != nil || tok.Value != "t1" || waited != s.latency) ||
					patience < s.latency && (!errors.Is(err, context.Canceled) || waited != patience) {
					t.Errorf("a caller with %s got %+v, %v after %s; the token takes %s", patience, tok, err,
						waited, s.latency)
				}
			})
			synctest.Wait()
		}
		group.Wait()
		checkToken(t, c, "t1")
	})
}

// A cancelled caller starts no request, and a failure is not cached.
func TestFailuresAreNotCached(t *testing.T) {
	t.Parallel()
	s := &server{down: true}
	underFakeClock(t, s, 2, func(t *testing.T, c *Cache) {
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.Get(gone); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if _, err := c.Get(t.Context()); !errors.Is(err, errDown) {
			t.Error(err)
		}
		s.down = false
		checkToken(t, c, "t2")
	})
}

// A token is renewed in the last tenth of its lifetime, but no earlier than 30 s before it expires,
// by one request for which all callers wait.
func TestRenewalBeforeExpiry(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		lifetime, age time.Duration
		value         string
	}{
		{5 * time.Second, 4500*time.Millisecond - 1, "t1"},
		{5 * time.Second, 4500 * time.Millisecond, "t2"},
		{time.Hour, time.Hour - 30*time.Second - 1, "t1"},
		{time.Hour, time.Hour - 30*time.Second, "t2"},
		{0, 100 * time.Hour, "t1"},
	} {
		requests := map[string]int32{"t1": 1, "t2": 2}[test.value]
		s := &server{lifetime: test.lifetime}
		underFakeClock(t, s, requests, func(t *testing.T, c *Cache) {
			checkToken(t, c, "t1")
			time.Sleep(test.age)
			s.latency = 100 * time.Millisecond
			var group sync.WaitGroup
			for range 50 {
				group.Go(func() { checkToken(t, c, test.value) })
			}
			group.Wait()
		})
	}
}

// While a token is valid, callers do not depend on its renewal: neither on one that fails, nor on
// one that takes more than half of the time that the token or the caller has left.
func TestRenewalOfValidToken(t *testing.T) {
	t.Parallel()
	const sec, never = time.Second, time.Hour
	for name, test := range map[string]struct {
		expired  bool // whether the old token has expired; if not, 20 s are left
		latency  time.Duration
		down     bool
		timeout  time.Duration // the caller's; 0 for none
		rejected time.Duration // when the old token is rejected; 0 for never

		value    string // of the caller's token; empty for an error
		waited   time.Duration
		requests int32 // 2 unless set
	}{
		"in time":             {latency: sec, value: "t2", waited: sec},
		"fails":               {latency: sec, down: true, value: "t1", waited: sec},
		"slow":                {latency: never, value: "t1", waited: 10 * sec},
		"slow, short timeout": {latency: never, timeout: 4 * sec, value: "t1", waited: 2 * sec},
		"slow, long timeout":  {latency: never, timeout: 300 * sec, value: "t1", waited: 10 * sec},

		"expired, in time": {expired: true, latency: 15 * sec, value: "t2", waited: 15 * sec},
		"expired, fails":   {expired: true, latency: 15 * sec, down: true, waited: 15 * sec},
		"expired, slow":    {expired: true, latency: never, timeout: 4 * sec, waited: 4 * sec},

		"rejected, in time": {latency: 15 * sec, rejected: sec, value: "t2", waited: 15 * sec},
		"rejected, fails":   {latency: 5 * sec, down: true, rejected: sec, waited: 10 * sec, requests: 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &server{lifetime: time.Hour}
			underFakeClock(t, s, cmp.Or(test.requests, 2), func(t *testing.T, c *Cache) {
				old, err := c.Get(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(s.lifetime - 20*sec)
				if test.expired {
					time.Sleep(20 * sec)
				}
				s.latency, s.down = test.latency, test.down
				ctx, cancel := t.Context(), context.CancelFunc(func() {})
				if test.timeout > 0 {
					ctx, cancel = context.WithTimeout(ctx, test.timeout)
				}
				defer cancel()
				if test.rejected > 0 {
					time.AfterFunc(test.rejected, func() { c.Invalidate(old) })
				}
				began := time.Now()
				tok, err := c.Get(ctx)
				if waited := time.Since(began); waited != test.waited ||
					(err == nil) != (test.value != "") || err == nil && tok.Value != test.value {
					t.Errorf("got %+v, %v after %s, want %+v", tok, err, waited, test)
				}
				time.Sleep(test.latency) // the caller does not end the request
				if c.current.Load() == old && !test.down {
					t.Error("the new token is not cached")
				}
			})
		})
	}
}

// Invalidate drops only the token that it is given.
func TestInvalidate(t *testing.T) {
	t.Parallel()
	underFakeClock(t, &server{}, 2, func(t *testing.T, c *Cache) {
		checkToken(t, c, "t1")
		first := c.current.Load()
		c.Invalidate(first)
		if c.Scopes() != nil {
			t.Error(c.Scopes())
		}
		checkToken(t, c, "t2")
		c.Invalidate(first)
		checkToken(t, c, "t2")
		// A caller that found no token may call renew just after another caller has renewed it.
		if got, err := c.renew(t.Context()); err != nil || got != c.current.Load() {
			t.Errorf("%+v, %v", got, err)
		}
	})
}
