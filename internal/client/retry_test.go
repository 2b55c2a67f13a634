package client

import (
	"net/http"
	"testing"
	"time"

	"terraform-provider-notification/internal/emulator"
)

// Waits follow Retry-After. Without it they grow, with jitter.
func TestWaitBetweenAttempts(t *testing.T) {
	withTestEnv(t, func(_ *emulator.Config, c *Config) {
		c.MaxRetries = 3
	}, func(t *testing.T, env *testEnv) {
		env.setFaults(t, "submission", "status:429:7,status:503:30,status:425")
		began := time.Now()
		mustSubmit(t, env.client)
		waited := time.Since(began) - 37*time.Second
		if third := firstBackoff << 2; waited < third/2 || waited > third+time.Second {
			t.Errorf("the wait after 37 s of Retry-After was %s, want half to all of %s", waited,
				third)
		}
	})
}

// The backoff doubles from 0.5 to 30 seconds, with jitter.
func TestBackoff(t *testing.T) {
	t.Parallel()
	for attempt, full := range map[int]time.Duration{
		1: firstBackoff, 2: 2 * firstBackoff, 6: 32 * firstBackoff, 7: maxBackoff, 100: maxBackoff,
	} {
		waits := make(map[time.Duration]bool)
		for range 50 {
			wait := backoff(attempt)
			waits[wait] = true
			if wait < full/2 || wait >= full {
				t.Errorf("%s after attempt %d", wait, attempt)
			}
		}
		if len(waits) == 1 {
			t.Errorf("no jitter after attempt %d", attempt)
		}
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 500, time.UTC)
	for value, want := range map[string]time.Duration{
		"0":                             0,
		"120":                           2 * time.Minute,
		" 7 ":                           7 * time.Second,
		"99999999999999999999":          longestRetryAfter,
		"999999999999":                  longestRetryAfter,
		"Fri, 02 Jan 2026 03:05:05 GMT": time.Minute - 500,
		"Fri, 02 Jan 2026 03:04:05 GMT": 0, // in the past
		"Fri, 31 Dec 9999 23:59:59 GMT": longestRetryAfter,
		"":                              -1,
		"-1":                            -1,
		"soon":                          -1,
	} {
		wait, ok := retryAfter(http.Header{"Retry-After": {value}}, now)
		if ok != (want >= 0) || ok && wait != want {
			t.Errorf("%q: got %s, %t, want %s", value, wait, ok, want)
		}
	}
}
