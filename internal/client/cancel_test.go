package client

import (
	"cmp"
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// When and how an operation ends after its caller cancels it or its deadline passes. Each request
// arrives a second late. A submission that was sent has a grace period for its response. A lookup
// has none, since repeating it is harmless.
func TestCancelAndTimeout(t *testing.T) {
	t.Parallel()
	const (
		s, never             = time.Second, time.Hour
		token, submit, study = "token", "submission", "studies" // operations
	)
	const (
		early     = " before a response arrived"
		cancelled = "the operation was cancelled"
		hungUp    = cancelled + early
		brokeOff  = "unexpected EOF, and " + cancelled + " before another attempt"
		timedOut  = "the time for the whole operation was used up"
		tooLate   = timedOut + early
		tooSlow   = "the time limit of one attempt was reached (30s)" + early
		asked     = "the service asked to wait 10s, with only "
		edge      = 22 * s * 10 / 9 // whose last tenth begins after 22 seconds
	)
	reasons := map[string]Reason{
		cancelled: Cancelled, hungUp: Cancelled, brokeOff: Cancelled, timedOut: TimedOut,
		tooLate: TimedOut, tooSlow: NoResponse,
	}
	for name, test := range map[string]struct {
		operation, fault   string
		cancel, deadline   time.Duration
		took               time.Duration
		outcome            outcome
		requests, recorded int
		text               string // of the error
	}{
		// operation, fault, cancel, deadline, duration, outcome, requests, recorded, text
		"before the request":  {submit, "pass", 0, never, 0, rejected, 0, 0, cancelled},
		"on the wire":         {submit, "delay:4s", 2 * s, never, 5 * s, accepted, 1, 1, ""},
		"grace exceeded":      {submit, "delay:20s", 2 * s, never, 8 * s, ambiguous, 1, 1, hungUp},
		"end of the attempt":  {submit, "delay:31s", 25 * s, never, 30 * s, ambiguous, 1, 1, tooSlow},
		"deadline in grace":   {submit, "delay:20s", 2 * s, 5 * s, 5 * s, ambiguous, 1, 1, hungUp},
		"deadline, no grace":  {submit, "delay:20s", never, 5 * s, 5 * s, ambiguous, 1, 1, tooLate},
		"in a wait":           {submit, "status:429:60", 2 * s, never, 2 * s, rejected, 1, 0, cancelled},
		"before a 401":        {submit, "revoke", s / 2, never, s, rejected, 1, 0, cancelled},
		"before a 429":        {submit, "status:429:0", s / 2, never, s, rejected, 1, 0, cancelled},
		"waiting for a token": {token, "hang,repeat", never, 5 * s, 5 * s, rejected, 0, 0, timedOut},
		"lookup":              {study, "delay:4s", 2 * s, never, 2 * s, rejected, 0, 0, hungUp},
		"after a broken body": {study, "truncate,repeat", 11 * s / 10, never, 11 * s / 10, rejected, 0, 0,
			brokeOff},
		// A wait that would reach into the last tenth of the time does not begin.
		"no time after a wait": {submit, "status:425:10,repeat", never, edge, 12 * s, rejected, 2, 0,
			asked + "10s left to begin another attempt"},
		"1 ns after a wait": {submit, "status:425:10,repeat", never, edge + 1, 23 * s, rejected, 3, 0,
			"too little time is left for another attempt"},
	} {
		inBubble(t, name, func(t *testing.T) {
			env := newTestEnv(t, testConfig())
			if test.operation != token {
				fetchToken(t, env.client)
			}
			env.latency.Store(int64(time.Second))
			env.setFaults(t, test.operation, test.fault)
			ctx, end := context.WithTimeout(t.Context(), test.deadline)
			defer end()
			if test.cancel == 0 {
				end()
			}
			time.AfterFunc(test.cancel, end)

			began := time.Now()
			var receipt *Receipt
			var err error
			if test.operation == study {
				_, _, err = env.client.LookUpStudies(ctx, "ATLAS")
			} else {
				receipt, err = env.client.SubmitNotification(ctx, testNotification(), "")
			}
			took, ledger := time.Since(began).Round(time.Millisecond), env.Ledger()
			if took != test.took || ledger.SubmissionRequests != test.requests ||
				ledger.Notifications != test.recorded {
				t.Errorf("took %s, got %+v, want %+v", took, ledger, test)
			}
			checkOutcome(t, receipt, err, test.outcome, test.text)
			if receipt != nil && !receipt.Time.Equal(time.Now()) { // that of the response
				t.Errorf("the receipt has the time %s", receipt.Time)
			}
			if err != nil {
				failed := asError(t, err)
				reason := cmp.Or(reasons[test.text], WaitTooLong)
				cause := failed.Cause()
				if cause.Err.Error() != test.text || failed.Reason != reason ||
					(failed.TokenError != nil) != (test.operation == token) {
					t.Errorf("got %+v, want %q, reason %d", *failed, test.text, reason)
				}
				if test.requests == 0 && test.operation == submit && failed.ID.Request != "" {
					t.Errorf("nothing was sent, but the error has a request id: %v", failed)
				}
			}
			time.Sleep(never) // lets a token request end, which other callers may share
		})
	}
}

// No attempt at a submission begins so late that the end of the time may cut off its response:
// neither after a wait, nor after a slow token request.
func TestLatestAttempt(t *testing.T) {
	t.Parallel()
	for fault, want := range map[string]string{
		"submission=status:429:1,repeat": "429 Too Many Requests: ",
		"token=delay:9500ms":             "too little time was left for a response",
	} {
		for _, header := range []string{"", keyHeader} {
			inBubble(t, fault+" "+header, func(t *testing.T) {
				config := testConfig()
				config.IdempotencyKeyHeader = header
				env := newTestEnv(t, config)
				target, sequence, _ := strings.Cut(fault, "=")
				env.setFaults(t, target, sequence)
				env.latency.Store(int64(time.Second))
				ctx, end := context.WithTimeout(t.Context(), 11*time.Second)
				defer end()
				concurrently(40, func() {
					receipt, err := env.client.SubmitNotification(ctx, testNotification(), "")
					checkOutcome(t, receipt, err, rejected, want)
				})
			})
		}
	}
}

// An attempt without a connection sent nothing: it may be retried, and cancellation ends it at
// once. A dial timeout does not end the operation.
func TestWithoutConnection(t *testing.T) {
	t.Parallel()
	const never, moment = time.Hour, 100 * time.Millisecond // less than any backoff
	cancelled := wire.ErrCancelled.Error()
	noHost := &net.DNSError{Err: "no such host", IsNotFound: true}
	timeout := &net.OpError{Op: "dial", Net: "tcp", Err: context.DeadlineExceeded}
	for name, test := range map[string]struct {
		dialErr          error // nil: dialling hangs
		cancel, deadline time.Duration
		attempts         int
		reason           Reason
		text             string // prefix of the error
	}{
		// error, cancel, deadline, attempts, reason, text
		"no host":      {noHost, never, never, 5, NoResponse, noHost.Error()},
		"dial timeout": {timeout, never, never, 5, NoResponse, "dial: a time limit was reached"},
		"hanging":      {nil, never, never, 5, NoResponse, "there was no connection (the time"},
		"too late": {nil, never, 10 * time.Second, 1, TimedOut,
			"there was no connection (too little time was left"},
		"cancelled": {nil, time.Second, never, 1, Cancelled, cancelled},
		"in a wait": {io.EOF, moment, never, 1, Cancelled,
			"the connection was closed before a response arrived (EOF), and " + cancelled +
				" before another attempt"},
		"no time left": {noHost, never, moment, 1, NoResponse,
			noHost.Error() + "; too little time is left"},
	} {
		inBubble(t, name, func(t *testing.T) {
			config := testConfig()
			config.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
				if test.dialErr != nil {
					return nil, test.dialErr
				}
				<-ctx.Done()
				time.Sleep(time.Second) // the attempt ends first
				return nil, ctx.Err()
			}
			c := New(config)
			presetToken(c)
			ctx, end := context.WithTimeout(t.Context(), test.deadline)
			defer end()
			time.AfterFunc(test.cancel, end)
			began := time.Now()
			receipt, err := c.SubmitNotification(ctx, testNotification(), "")
			checkOutcome(t, receipt, err, rejected, "")
			failed := asError(t, err)
			if failed.Operation != SubmitNotification || failed.Time.IsZero() ||
				failed.Attempts != test.attempts || failed.Reason != test.reason ||
				!strings.HasPrefix(failed.Err.Error(), test.text) {
				t.Errorf("got %+v, want %+v", *failed, test)
			}
			if took := time.Since(began); test.cancel < never && took != test.cancel {
				t.Errorf("ended after %s, want %s", took, test.cancel)
			}
			time.Sleep(time.Minute) // net/http continues dialling
		})
	}
}
