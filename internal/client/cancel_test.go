package client

import (
	"context"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"terraform-provider-notification/internal/emulator"
)

func TestCancellation(t *testing.T) {
	t.Parallel()
	const s = time.Second
	late := func(w *world) { w.late(time.Second) }
	slow := func(w *world) { w.slow("/notifications/v1", 4*time.Second) }
	for name, test := range map[string]struct {
		fault              string
		cancelAfter        time.Duration
		timeout, deadline  time.Duration
		want               time.Duration
		submitted          bool
		ambiguous          bool
		requests, recorded int
		prepare            func(*world) // nil: nothing
	}{
		"before anything":           {"pass", 0, 0, 0, 0, false, false, 0, 0, nil},
		"on the wire":               {"delay:4s", s, 0, 0, 4 * s, true, false, 1, 1, nil},
		"on the wire, slow body":    {"pass", s, 0, 0, 4 * s, true, false, 1, 1, slow},
		"longer than the grace":     {"delay:20s", s, 0, 0, 11 * s, false, true, 1, 1, nil},
		"grace within the attempt":  {"delay:20s", s, 3 * s, 0, 3 * s, false, true, 1, 1, nil},
		"grace within the deadline": {"delay:20s", s, 0, 5 * s, 5 * s, false, true, 1, 1, nil},
		"deadline without grace":    {"delay:20s", time.Hour, 0, 5 * s, 5 * s, false, true, 1, 1, nil},
		"during a wait":             {"status:429:60", s, 0, 0, s, false, false, 1, 0, nil},
		"nothing new after a 401":   {"revoke", s / 2, 0, 0, s, false, false, 1, 0, late},
		"nothing new after a 503":   {"status:503:0", s / 2, 0, 0, s, false, false, 1, 0, late},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(_ *emulator.Config, c *Config) {
				if test.timeout > 0 {
					c.RequestTimeout = test.timeout
				}
			}, func(t *testing.T, w *world) {
				fetchToken(t, w.client)
				if test.prepare != nil {
					test.prepare(w)
				}
				w.setFaults(t, "submission", test.fault)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if test.deadline > 0 {
					ctx, cancel = context.WithTimeout(ctx, test.deadline)
					defer cancel()
				}
				if test.cancelAfter == 0 {
					cancel()
				}
				defer time.AfterFunc(test.cancelAfter, cancel).Stop()

				began := time.Now()
				receipt, err := w.client.SubmitNotification(ctx, aNotification(), "")
				if took := time.Since(began).Round(time.Millisecond); took != test.want {
					t.Errorf("took %s, want %s", took, test.want)
				}
				received(t, w.Emulator, test.requests, test.recorded)
				if test.submitted {
					if err != nil || receipt.NotificationID == "" {
						t.Errorf("got %+v, %v", receipt, err)
					}
					return
				}
				failed := failure(t, err)
				if failed.Ambiguous != test.ambiguous {
					t.Errorf("ambiguous: %t, %v", failed.Ambiguous, err)
				}
				if test.cancelAfter < time.Hour && test.deadline == 0 && test.timeout == 0 &&
					!failed.Cancelled() {
					t.Errorf("does not say that it was cancelled: %v", err)
				}
			})
		})
	}
}

// A lookup is safe to retry: cancellation ends it at once.
func TestCancelledLookupHasNoGrace(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		w.setFaults(t, "studies", "delay:4s")
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		defer time.AfterFunc(time.Second, cancel).Stop()
		began := time.Now()
		_, _, err := w.client.Studies(ctx, "ATLAS")
		if took := time.Since(began); took != time.Second || !failure(t, err).Cancelled() {
			t.Errorf("%v after %s", err, took)
		}
	})
}

// The wait for a token ends with the operation's time, and nothing was sent.
func TestTokenWaitWithinTheDeadline(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		w.setFaults(t, "token", "hang,repeat")
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		began := time.Now()
		_, err := w.client.SubmitNotification(ctx, aNotification(), "")
		failed := failure(t, err)
		if took := time.Since(began); took != 5*time.Second || !failed.TimedOut() ||
			failed.Ambiguous || failed.Operation != FetchToken {
			t.Errorf("after %s: %+v", took, failed)
		}
		if got := w.Ledger().SubmissionRequests; got != 0 {
			t.Errorf("%d submissions", got)
		}
		time.Sleep(DefaultTimeout) // the fetch goes on for others
	})
}

// What has no connection yet is not on the wire: cancellation ends it at once.
func TestCancelledDialHasNoGrace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := dialingClient(func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		began := time.Now()
		_, err := c.SubmitNotification(cancelledIn(t, time.Second), aNotification(), "")
		if failed := failure(t, err); time.Since(began) != time.Second || !failed.Cancelled() ||
			failed.Ambiguous {
			t.Errorf("%v after %s", err, time.Since(began))
		}
		time.Sleep(time.Minute) // net/http goes on dialling for a while
	})
}
