package token

import (
	"fmt"
	"testing"
	"time"
)

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
