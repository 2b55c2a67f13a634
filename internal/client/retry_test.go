package client

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"terraform-provider-notification/internal/client/wire"
	"terraform-provider-notification/internal/emulator"
)

// Retry-After is kept to, and the backoff without it grows and varies.
func TestWaits(t *testing.T) {
	inWorld(t, func(_ *emulator.Config, c *Config) {
		c.MaxRetries = 3
	}, func(t *testing.T, w *world) {
		w.setFaults(t, "submission", "status:429:7,status:503:30,status:425")
		began := time.Now()
		submitted(t, w.client)
		waited := time.Since(began) - 37*time.Second
		if third := firstBackoff << 2; waited < third/2 || waited > third+time.Second {
			t.Errorf("the wait after 37 s of Retry-After was %s, want half to all of %s", waited,
				third)
		}
	})
}

// After the last retry the answer counts, and nobody speaks of a wait. A deadline that would pass
// during a wait ends the operation at once.
func TestRetriesEnd(t *testing.T) {
	t.Parallel()
	t.Run("none", func(t *testing.T) {
		inWorld(t, func(_ *emulator.Config, c *Config) {
			c.MaxRetries = 0
		}, func(t *testing.T, w *world) {
			w.setFaults(t, "submission", "status:429:600,repeat")
			if failed := notSubmitted(t, w.client); failed.Attempts != 1 || failed.Status != 429 ||
				failed.Err != nil || w.Ledger().SubmissionRequests != 1 {
				t.Errorf("got %+v", failed)
			}
		})
	})
	for deadline, test := range map[time.Duration]struct {
		took     time.Duration
		attempts int
		left     string
	}{
		20 * time.Second:     {10 * time.Second, 2, "10 seconds"}, // no time is left after the wait
		20*time.Second + 1:   {20 * time.Second, 3, "1ns"},
		25 * time.Second:     {20 * time.Second, 3, "5 seconds"},
		30*time.Second + 1e9: {30 * time.Second, 4, "1 second"},
	} {
		t.Run(deadline.String(), func(t *testing.T) {
			inWorld(t, nil, func(t *testing.T, w *world) {
				w.setFaults(t, "submission", "status:429:10,repeat")
				ctx, cancel := context.WithTimeout(t.Context(), deadline)
				defer cancel()
				began := time.Now()
				_, err := w.client.SubmitNotification(ctx, aNotification(), "")
				failed := failure(t, err)
				if took := time.Since(began); took != test.took ||
					failed.Attempts != test.attempts || failed.Status != 429 {
					t.Errorf("gave up after %s with %+v", took, failed)
				}
				want := "the service asked to wait 10 seconds, with only " + test.left + " left"
				if failed.Err.Error() != want {
					t.Errorf("%q", failed.Err)
				}
			})
		})
	}
}

// The backoff doubles from half a second up to half a minute, with jitter.
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

// What ends a wait is the reason, not the failure before it.
func TestCancelledWhileNothingAnswers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := dialingClient(failing(io.ErrNoProgress))
		ctx := cancelledIn(t, 100*time.Millisecond)
		_, err := c.SubmitNotification(ctx, aNotification(), "")
		failed := failure(t, err)
		alone := failed.Err.Error() == wire.ErrCancelled.Error()
		if !alone || failed.Time.IsZero() || failed.Ambiguous {
			t.Errorf("%+v", failed)
		}
	})
}

// What ends an operation is told once, be it during an attempt or a wait.
func TestEndUnderAKey(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		fault  string
		cancel time.Duration
		cause  error
	}{
		"cancelled while waiting for a response": {"hang", time.Second, wire.ErrCancelled},
		"out of time for a response":             {"hang", time.Hour, wire.ErrTimedOut},
		"cancelled before a retry": {
			"status:500,status:429:9", 5 * time.Second, wire.ErrCancelled,
		},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(_ *emulator.Config, c *Config) {
				withKeys(c)
			}, func(t *testing.T, w *world) {
				w.setFaults(t, "submission", test.fault)
				ctx, cancel := context.WithTimeout(cancelledIn(t, test.cancel), 15*time.Second)
				defer cancel()
				_, err := w.client.SubmitNotification(ctx, aNotification(), "")
				if failed := failure(t, err); !failed.Ambiguous || failed.Stopped != nil ||
					failed.Err.Error() != test.cause.Error() {
					t.Errorf("%+v", failed)
				}
			})
		})
	}
}

// Where no time is left for another attempt, the reason of the last failure is told too.
func TestNoTimeLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		refused := errors.New("connection refused")
		c := dialingClient(failing(refused))
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err := c.SubmitNotification(ctx, aNotification(), "")
		const text = "connection refused; the next attempt is due in"
		if !errors.Is(err, refused) || !strings.Contains(err.Error(), text) {
			t.Error(err)
		}
	})
}

// The end of an operation is told also where an answer broke off before.
func TestCancelledAfterABrokenAnswer(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		w.setFaults(t, "studies", "truncate,repeat")
		ctx := cancelledIn(t, 100*time.Millisecond)
		_, _, err := w.client.Studies(ctx, "ATLAS")
		if failed := failure(t, err); !failed.Cancelled() || failed.Attempts != 1 {
			t.Errorf("%+v", failed)
		}
	})
}
