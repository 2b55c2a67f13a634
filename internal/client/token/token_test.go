package token

import (
	"fmt"
	"testing"
	"time"
)

// Requests every 50 ms never wait for a token after the first, and tokens are fetched about as
// often as they expire.
func TestRefreshScalesWithTheLifetime(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		lifetime, run time.Duration
		want          int32
	}{
		{time.Second, 20 * time.Second, 26},     // each used for 0.8 s
		{5 * time.Second, 60 * time.Second, 16}, // 4 s
		{time.Hour, 2 * time.Hour, 3},           // 59 minutes
		{0, 48 * time.Hour, 1},                  // no expires_in
	} {
		t.Run(test.lifetime.String(), func(t *testing.T) {
			s := &server{lifetime: test.lifetime, latency: 20 * time.Millisecond}
			underFakeClock(t, s, func(t *testing.T, c *Cache) {
				want(t, "t1")(c.Get(t.Context()))
				step := max(50*time.Millisecond, test.run/20000)
				for began := time.Now(); time.Since(began) < test.run; time.Sleep(step) {
					asked := time.Now()
					tok, err := c.Get(t.Context())
					if err != nil || time.Since(asked) > 0 {
						t.Fatalf("%v, waited %s for a token after %s", err, time.Since(asked),
							time.Since(began))
					}
					if !tok.Expires.IsZero() && !time.Now().Before(tok.Expires) {
						t.Fatalf("got a token that expired at %s", tok.Expires)
					}
				}
				if got := s.requests.Load(); got < test.want-1 || got > test.want+1 {
					t.Errorf("%d requests in %s, want %d or one more or less", got, test.run,
						test.want)
				}
			})
		})
	}
}

// The margins of a token of 100 s: it is refreshed when 20 s are left, and not used when 5 s are. A
// token of an hour is refreshed a minute before its end.
func TestMargins(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		lifetime, age time.Duration
		value         string // of the token
		requests      int32
		waits         bool
	}{
		{100 * time.Second, 80*time.Second - 1, "t1", 1, false},
		{100 * time.Second, 80 * time.Second, "t1", 2, false},
		{100 * time.Second, 95*time.Second - 1, "t1", 2, false},
		{100 * time.Second, 95 * time.Second, "t2", 2, true},
		{10 * time.Second, 9*time.Second + 500*time.Millisecond - 1, "t1", 2, false},
		{10 * time.Second, 9*time.Second + 500*time.Millisecond, "t2", 2, true},
		{time.Hour, 59*time.Minute - 1, "t1", 1, false},
		{time.Hour, 59 * time.Minute, "t1", 2, false},
		{time.Hour, time.Hour - 5*time.Second, "t2", 2, true},
	} {
		t.Run(fmt.Sprint(test.lifetime, test.age), func(t *testing.T) {
			s := &server{lifetime: test.lifetime}
			underFakeClock(t, s, func(t *testing.T, c *Cache) {
				want(t, "t1")(c.Get(t.Context()))
				time.Sleep(test.age)
				s.latency = time.Second
				asked := time.Now()
				want(t, test.value)(c.Get(t.Context()))
				if waited := time.Since(asked); waited > 0 != test.waits {
					t.Errorf("waited %s", waited)
				}
				time.Sleep(2 * time.Second)
				if s.requests.Load() != test.requests {
					t.Errorf("%d requests", s.requests.Load())
				}
			})
		})
	}
}
