package client

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"terraform-provider-notification/internal/client/wire"
	"terraform-provider-notification/internal/emulator"
)

// How an operation ends that its caller cancels, or that runs out of time: when, in how many
// requests, and with what reason, which is told once. A submission that is on the wire has a grace,
// in which its response may still come. A lookup is safe to retry, and has none.
func TestEndOfOperation(t *testing.T) {
	t.Parallel()
	const (
		s      = time.Second
		waited = "the service asked to wait 10 seconds, with only "
	)
	cancelled, timedOut := wire.ErrCancelled.Error(), wire.ErrTimedOut.Error()
	late := func(w *world) { w.late(time.Second) }
	slow := func(w *world) { w.slow("/notifications/v1", 4*time.Second) }
	for name, test := range map[string]struct {
		token, submission, lookup string        // faults; where lookup has one, it is the operation
		prepare                   func(*world)  // nil: nothing
		cancel, deadline          time.Duration // 0 for never
		timeout                   time.Duration // of an attempt, unless 0
		keys                      bool

		took               time.Duration
		outcome            outcome
		requests, recorded int
		text               string // of the error
	}{
		"before anything": {
			cancel: 1, submission: "pass", prepare: func(*world) { time.Sleep(2) },
			outcome: rejected, text: cancelled,
		},
		"on the wire": {
			submission: "delay:4s", cancel: s, took: 4 * s,
			outcome: accepted, requests: 1, recorded: 1,
		},
		"on the wire, slow body": {
			submission: "pass", prepare: slow, cancel: s, took: 4 * s,
			outcome: accepted, requests: 1, recorded: 1,
		},
		"longer than the grace": {
			submission: "delay:20s", cancel: s, took: 11 * s,
			outcome: ambiguous, requests: 1, recorded: 1, text: cancelled,
		},
		"grace within the attempt": {
			submission: "delay:20s", cancel: s, timeout: 3 * s, took: 3 * s,
			outcome: ambiguous, requests: 1, recorded: 1,
			text: "the time limit of one attempt was reached (3 seconds)",
		},
		"grace within the deadline": {
			submission: "delay:20s", cancel: s, deadline: 5 * s, took: 5 * s,
			outcome: ambiguous, requests: 1, recorded: 1, text: cancelled,
		},
		"deadline without grace": {
			submission: "delay:20s", deadline: 5 * s, took: 5 * s,
			outcome: ambiguous, requests: 1, recorded: 1, text: timedOut,
		},
		"during a wait": {
			submission: "status:429:60", cancel: s, took: s,
			outcome: rejected, requests: 1, text: cancelled,
		},
		"nothing new after a 401": {
			submission: "revoke", prepare: late, cancel: s / 2, took: s,
			outcome: rejected, requests: 1, text: cancelled,
		},
		"nothing new after a 503": {
			submission: "status:503:0", prepare: late, cancel: s / 2, took: s,
			outcome: rejected, requests: 1, text: cancelled,
		},
		"while waiting for the token": {
			token: "hang,repeat", deadline: 5 * s, took: 5 * s, outcome: rejected, text: timedOut,
		},
		"lookup": {lookup: "delay:4s", cancel: s, took: s, outcome: rejected, text: cancelled},
		"after a lookup that was cut off": {
			lookup: "truncate,repeat", cancel: s / 10, took: s / 10, outcome: rejected,
			text: cancelled,
		},
		"without a deadline": { // DefaultTimeout
			lookup: "hang,repeat", timeout: time.Hour, took: 5 * time.Minute, outcome: rejected,
			text: timedOut,
		},

		// A wait that would take all the time that is left does not begin.
		"no time after the wait": {
			submission: "status:429:10,repeat", deadline: 20 * s, took: 10 * s,
			outcome: rejected, requests: 2, text: waited + "10 seconds left",
		},
		"hardly any time after the wait": {
			submission: "status:429:10,repeat", deadline: 20*s + 1, took: 20 * s,
			outcome: rejected, requests: 3, text: waited + "1ns left",
		},
		"no time for the wait": {
			submission: "status:429:10,repeat", deadline: 25 * s, took: 20 * s,
			outcome: rejected, requests: 3, text: waited + "5 seconds left",
		},

		"under a key, cancelled during an attempt": {
			submission: "hang", keys: true, cancel: s, took: 11 * s,
			outcome: ambiguous, requests: 1, text: cancelled,
		},
		"under a key, out of time during an attempt": {
			submission: "hang", keys: true, deadline: 15 * s, took: 15 * s,
			outcome: ambiguous, requests: 1, text: timedOut,
		},
		"under a key, cancelled during a wait": {
			submission: "status:500,status:429:9", keys: true, cancel: 5 * s, took: 5 * s,
			outcome: ambiguous, requests: 2, text: cancelled,
		},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(_ *emulator.Config, c *Config) {
				if test.keys {
					withKeys(c)
				}
				if test.timeout > 0 {
					c.RequestTimeout = test.timeout
				}
			}, func(t *testing.T, w *world) {
				if test.token == "" {
					fetchToken(t, w.client)
				}
				w.setFaults(t, "token", test.token)
				w.setFaults(t, "submission", test.submission)
				w.setFaults(t, "studies", test.lookup)
				ctx := context.WithoutCancel(t.Context())
				if test.cancel > 0 {
					ctx = cancelledIn(t, test.cancel)
				}
				if test.deadline > 0 {
					var end context.CancelFunc
					ctx, end = context.WithTimeout(ctx, test.deadline)
					defer end()
				}
				if test.prepare != nil {
					test.prepare(w)
				}

				began := time.Now()
				var receipt *Receipt
				var err error
				if test.lookup != "" {
					_, _, err = w.client.Studies(ctx, "ATLAS")
				} else {
					receipt, err = w.client.SubmitNotification(ctx, aNotification(), "")
				}
				if took := time.Since(began); took.Round(time.Millisecond) != test.took {
					t.Errorf("took %s, want %s", took, test.took)
				}
				received(t, w.Emulator, test.requests, test.recorded)
				checkOutcome(t, receipt, err, test.outcome, test.text)
				if err != nil {
					failed := failure(t, err)
					if failed.Err.Error() != test.text || failed.Stopped != nil ||
						failed.Cancelled() != (test.text == cancelled) ||
						failed.TimedOut() != (test.text == timedOut) ||
						(failed.Operation == FetchToken) != (test.token != "") {
						t.Errorf("%+v", *failed)
					}
				}
				time.Sleep(DefaultTimeout) // the request for a token goes on for others
			})
		})
	}
}

// What has no connection was not sent: it may be retried, and cancellation ends it at once. A dial
// that times out by itself does not end the operation.
func TestWithoutConnection(t *testing.T) {
	t.Parallel()
	hang := func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		time.Sleep(time.Second) // the attempt ends first
		return nil, ctx.Err()
	}
	noHost := &net.DNSError{Err: "no such host", IsNotFound: true}
	timeout := &net.OpError{Op: "dial", Net: "tcp", Err: context.DeadlineExceeded}
	for name, test := range map[string]struct {
		dial             wire.DialFunc
		cancel, deadline time.Duration

		attempts int
		is       error
		text     string // the error's begins so
	}{
		"no host":       {failing(noHost), 0, 0, 5, noHost, "lookup : no such host"},
		"dial timeout":  {failing(timeout), 0, 0, 5, timeout, "dial tcp: context deadline exceeded"},
		"hanging":       {hang, 0, 0, 5, wire.ErrAttemptTimeout, "there was no connection: the time limit"},
		"cancelled":     {hang, time.Second, 0, 1, wire.ErrCancelled, "the operation was cancelled"},
		"in a wait":     {failing(io.EOF), 100 * time.Millisecond, 0, 1, wire.ErrCancelled, "the operation was cancelled"},
		"no time to go": {failing(noHost), 0, 100 * time.Millisecond, 1, noHost, "lookup : no such host; the next attempt is due in"},
	} {
		inBubble(t, name, func(t *testing.T) {
			c := dialingClient(test.dial)
			ctx := t.Context()
			if test.cancel > 0 {
				ctx = cancelledIn(t, test.cancel)
			}
			if test.deadline > 0 {
				var end context.CancelFunc
				ctx, end = context.WithTimeout(ctx, test.deadline)
				defer end()
			}
			began := time.Now()
			_, err := c.SubmitNotification(ctx, aNotification(), "")
			failed := failure(t, err)
			if failed.Ambiguous || failed.Operation != SubmitNotification ||
				failed.Attempts != test.attempts || failed.Time.IsZero() ||
				!errors.Is(err, test.is) || !strings.HasPrefix(failed.Err.Error(), test.text) ||
				test.cancel > 0 && time.Since(began) != test.cancel {
				t.Errorf("%+v after %s", *failed, time.Since(began))
			}
			time.Sleep(time.Minute) // net/http goes on dialling for a while
		})
	}
}
