package token

import (
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

// server is a token endpoint under a fake clock. Its tokens are t1, t2, and so on.
type server struct {
	lifetime, latency time.Duration
	fails             atomic.Bool
	requests          atomic.Int32
}

var errDown = errors.New("the issuer is down")

func (s *server) Issue(ctx context.Context, _ []string) (*Token, error) {
	n, requested := s.requests.Add(1), time.Now()
	time.Sleep(s.latency)
	if s.fails.Load() || ctx.Err() != nil {
		return nil, errDown
	}
	tok := &Token{Value: fmt.Sprintf("t%d", n), Requested: requested}
	if s.lifetime > 0 {
		tok.Expires = requested.Add(s.lifetime)
	}
	return tok, nil
}

// underFakeClock runs test with an empty cache over s.
func underFakeClock(t *testing.T, s *server, test func(t *testing.T, c *Cache)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		test(t, NewCache(s, nil))
		synctest.Wait()
	})
}

// want fails the test unless a token was got, and which.
func want(t *testing.T, value string) func(*Token, error) {
	t.Helper()
	return func(tok *Token, err error) {
		t.Helper()
		if err != nil || tok.Value != value {
			t.Errorf("got %+v, %v, want %s", tok, err, value)
		}
	}
}

func TestOneFetchForAllCallers(t *testing.T) {
	s := &server{lifetime: time.Hour, latency: 2 * time.Second}
	underFakeClock(t, s, func(t *testing.T, c *Cache) {
		var group sync.WaitGroup
		for range 100 {
			group.Go(func() { want(t, "t1")(c.Get(t.Context())) })
		}
		group.Wait()
		want(t, "t1")(c.Get(t.Context()))
		if s.requests.Load() != 1 {
			t.Errorf("%d requests", s.requests.Load())
		}
	})
}

func TestCancellationEndsTheWaitNotTheFetch(t *testing.T) {
	s := &server{lifetime: time.Hour, latency: 5 * time.Second}
	underFakeClock(t, s, func(t *testing.T, c *Cache) {
		began := time.Now()
		first, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		var group sync.WaitGroup
		group.Go(func() {
			synctest.Wait() // the first caller has started the fetch
			want(t, "t1")(c.Get(t.Context()))
			if time.Since(began) != 5*time.Second {
				t.Errorf("the patient caller waited %s", time.Since(began))
			}
		})
		if _, err := c.Get(first); !errors.Is(err, context.Canceled) ||
			time.Since(began) != time.Second {
			t.Errorf("the cancelled caller got %v after %s", err, time.Since(began))
		}
		group.Wait()
		if s.requests.Load() != 1 {
			t.Errorf("%d requests", s.requests.Load())
		}
	})
}

// Nothing new starts for a caller that has gone.
func TestNoFetchAfterCancellation(t *testing.T) {
	s := &server{}
	underFakeClock(t, s, func(t *testing.T, c *Cache) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.Get(ctx); !errors.Is(err, context.Canceled) || s.requests.Load() != 0 {
			t.Errorf("%v, %d requests", err, s.requests.Load())
		}
	})
}

func TestFailuresAreNotCached(t *testing.T) {
	s := &server{}
	underFakeClock(t, s, func(t *testing.T, c *Cache) {
		s.fails.Store(true)
		if _, err := c.Get(t.Context()); !errors.Is(err, errDown) {
			t.Error(err)
		}
		s.fails.Store(false)
		want(t, "t2")(c.Get(t.Context()))
	})
}

// While the old token is good, a failed early refresh disturbs nobody and is not retried with each
// request; a later one that succeeds is as good as any.
func TestFailedEarlyRefreshKeepsTheToken(t *testing.T) {
	s := &server{lifetime: time.Hour}
	underFakeClock(t, s, func(t *testing.T, c *Cache) {
		want(t, "t1")(c.Get(t.Context()))
		s.fails.Store(true)
		time.Sleep(time.Hour - 30*time.Second)
		for range 100 {
			want(t, "t1")(c.Get(t.Context()))
			time.Sleep(100 * time.Millisecond)
		}
		if got := s.requests.Load(); got != 3 {
			t.Errorf("%d requests, want one and an early one every 5 s", got)
		}
		s.fails.Store(false)
		want(t, "t1")(c.Get(t.Context()))
		synctest.Wait()
		time.Sleep(time.Hour - time.Minute) // the next early refresh is not put off
		want(t, "t4")(c.Get(t.Context()))
		synctest.Wait()
		want(t, "t5")(c.Get(t.Context()))
	})
}

// Only the token that was refused is dropped.
func TestInvalidate(t *testing.T) {
	underFakeClock(t, &server{}, func(t *testing.T, c *Cache) {
		if c.Scopes() != nil {
			t.Error(c.Scopes())
		}
		first, err := c.Get(t.Context())
		want(t, "t1")(first, err)
		c.Invalidate(first)
		want(t, "t2")(c.Get(t.Context()))
		c.Invalidate(first)
		want(t, "t2")(c.Get(t.Context()))
	})
}

// A token for other programs has 15 minutes left, or 4/5 of its life; the old one stays for others.
func TestGetLasting(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		lifetime, age time.Duration
		value         string
	}{
		{time.Hour, 45*time.Minute - 1, "t1"},
		{time.Hour, 45 * time.Minute, "t2"},
		{100 * time.Second, 20*time.Second - 1, "t1"},
		{100 * time.Second, 20 * time.Second, "t2"},
		{0, 100 * time.Hour, "t1"},
	} {
		t.Run(fmt.Sprint(test.lifetime, test.age), func(t *testing.T) {
			s := &server{lifetime: test.lifetime}
			underFakeClock(t, s, func(t *testing.T, c *Cache) {
				want(t, "t1")(c.Get(t.Context()))
				time.Sleep(test.age)
				s.fails.Store(true)
				if _, err := c.GetLasting(t.Context()); (err != nil) != (test.value != "t1") {
					t.Error(err)
				}
				want(t, "t1")(c.Get(t.Context()))
				s.fails.Store(false)
				tok, err := c.GetLasting(t.Context())
				if err != nil || (tok.Value == "t1") != (test.value == "t1") {
					t.Errorf("%+v, %v", tok, err)
				}
				want(t, tok.Value)(c.Get(t.Context()))
			})
		})
	}
}

// A lasting token that is asked for while a needless refresh is under way is not the old one.
func TestGetLastingDuringAnotherFetch(t *testing.T) {
	s := &server{lifetime: time.Hour}
	underFakeClock(t, s, func(t *testing.T, c *Cache) {
		want(t, "t1")(c.Get(t.Context()))
		time.Sleep(46 * time.Minute)
		needless := make(chan struct{})
		old := c.current
		c.flight.DoChan("", func() (any, error) { <-needless; return old, nil })
		time.AfterFunc(time.Second, func() { close(needless) })
		want(t, "t2")(c.GetLasting(t.Context()))
	})
}
