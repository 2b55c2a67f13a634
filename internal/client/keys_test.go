package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"

	"terraform-provider-notification/internal/client/wire"
	"terraform-provider-notification/internal/emulator"
)

const (
	ownKey    = "checkout-1.4.2-canary"
	keyHeader = "Idempotency-Key" // with which net/http repeats requests where it can
)

func withKeys(config *Config) { config.IdempotencyKeyHeader = keyHeader }

// What a submission under a key comes to: an unknown outcome is retried, and once there was one,
// nothing but an acceptance ends the doubt. An error quotes the first attempt in doubt, whatever
// came after it.
func TestOutcomeUnderAKey(t *testing.T) {
	t.Parallel()
	const (
		empty  = "202"
		page   = "200\n\n<!doctype html>Sign in"
		logged = "500\nX-Request-Id: logged"
		echo   = "400\nX-Request-Id: later\n\nkey " + ownKey
	)
	for _, test := range []struct {
		responses []string // and then ok
		outcome   outcome
		attempts  int
		doubt     int // the attempt that an error quotes
		serverID  string
	}{
		{[]string{ok}, accepted, 1, 0, ""},
		{[]string{empty}, accepted, 1, 0, ""},
		{[]string{lost, ok}, accepted, 2, 0, ""},
		{[]string{"500", "502", "503", "504", ok}, accepted, 5, 0, ""},
		{[]string{"500", empty}, accepted, 2, 0, ""},
		{[]string{"303", "408", ok}, accepted, 3, 0, ""},
		{[]string{"409", "409", ok}, accepted, 3, 0, ""}, // busy with the first request
		{[]string{lost, "409", "429", ok}, accepted, 4, 0, ""},
		{[]string{"429", ok}, accepted, 2, 0, ""},
		{[]string{lost, lost, lost, lost, "500"}, ambiguous, 5, 1, ""},
		{[]string{lost, echo}, ambiguous, 2, 1, ""},
		{[]string{logged, echo}, ambiguous, 2, 1, "logged"},
		{[]string{"500", page}, ambiguous, 2, 1, ""},
		{[]string{"429", logged, echo}, ambiguous, 3, 2, "logged"},
		{[]string{"429", lost, "400"}, ambiguous, 3, 2, ""},
		{[]string{"500", "429", "429", "429", "429"}, ambiguous, 5, 1, ""},
		{[]string{"500", "409", "409", "409", "409"}, ambiguous, 5, 1, ""},
		{[]string{"409", "409", "409", "409", "409"}, ambiguous, 5, 1, ""},
		{[]string{"409", "400"}, ambiguous, 2, 1, ""},
		{[]string{echo}, rejected, 1, 1, "later"},
		{[]string{page}, rejected, 1, 1, ""},
		{[]string{"429", "429", "429", "429", "429"}, rejected, 5, 5, ""},
	} {
		for _, key := range []string{"", ownKey} {
			inBubble(t, fmt.Sprintf("%q %s", test.responses, key), func(t *testing.T) {
				service := &script{responses: test.responses}
				c := scriptedClient(t, service, withKeys)
				holdToken(c)
				receipt, err := c.SubmitNotification(t.Context(), aNotification(), key)
				ids := map[string]bool{}
				for _, r := range service.requests {
					ids[requestID(r)] = true
					sent, first := r.Header.Get(keyHeader), service.requests[0].Header.Get(keyHeader)
					if sent != first || key != "" && sent != key || len(sent) < 20 {
						t.Errorf("key %q, first %q", sent, first)
					}
				}
				if len(service.requests) != test.attempts || len(ids) != test.attempts {
					t.Errorf("%d attempts with %d ids", len(service.requests), len(ids))
				}
				if err == nil {
					checkOutcome(t, receipt, nil, test.outcome, receipt.MissingID.String())
					return
				}
				checkOutcome(t, nil, err, test.outcome, "cannot submit the notification")
				failed := failure(t, err)
				doubted := service.requests[test.doubt-1]
				if failed.Attempts != test.attempts || failed.ID.Request != requestID(doubted) ||
					!failed.Time.Equal(service.times[test.doubt-1]) ||
					failed.ServerID.String() != test.serverID {
					t.Errorf("%+v, want %v", *failed, doubted.Header)
				}
				quoted := doubted.Header.Get(keyHeader) // unless it is the user's own
				if key != "" {
					quoted = ""
				}
				if want := (wire.Key{Header: keyHeader, Value: quoted, Own: key != ""}); failed.Key !=
					want || key != "" && strings.Contains(err.Error(), "canary") {
					t.Errorf("%+v: %v", failed.Key, err)
				}
			})
		}
	}
}

// requestID is that of a traceparent.
func requestID(r *http.Request) string {
	return strings.Split(r.Header.Get("Traceparent"), "-")[2]
}

// What ends an operation is told once, and does not hide why there was no response to the attempt
// in doubt: the second one here.
func TestEndInDoubt(t *testing.T) {
	t.Parallel()
	const s = time.Second
	cancelled, timedOut := wire.ErrCancelled.Error(), wire.ErrTimedOut.Error()
	for name, test := range map[string]struct {
		submission, token string        // faults
		cancel            time.Duration // when the caller gives up
		text              string        // of the error
		stopped           bool          // whether the end is told apart from the reason
	}{
		"no token":       {"status:429:0,close-after,revoke", "pass,status:400", 14 * s, "cannot obtain an access token", false},
		"in a wait":      {"status:429:0,close-after,status:429:9", "", 5 * s, cancelled, false},
		"before a retry": {"status:429:0,close-after", "", s / 10, "EOF", true},
		"on the wire":    {"status:429:0,hang", "", s, cancelled, false},
		"out of time":    {"status:429:0,hang", "", 20 * s, timedOut, false},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(_ *emulator.Config, c *Config) {
				withKeys(c)
			}, func(t *testing.T, w *world) {
				w.setFaults(t, "submission", test.submission)
				w.setFaults(t, "token", test.token)
				ctx, end := context.WithTimeout(cancelledIn(t, test.cancel), 15*s)
				defer end()
				_, err := w.client.SubmitNotification(ctx, aNotification(), ownKey)
				failed := failure(t, err)
				if !failed.Ambiguous || failed.Operation != SubmitNotification ||
					failed.ID.Request != w.Ledger().Requests[2].RequestID ||
					!strings.Contains(failed.Err.Error(), test.text) ||
					(failed.Stopped != nil) != test.stopped ||
					test.stopped && !errors.Is(failed.Stopped, wire.ErrCancelled) {
					t.Errorf("%+v", *failed)
				}
			})
		})
	}
}

// Each attempt is one request on the wire, although net/http would repeat what carries such a
// header when its connection breaks.
func TestNoRepetitionBehindTheBack(t *testing.T) {
	inWorld(t, func(_ *emulator.Config, c *Config) {
		withKeys(c)
		c.MaxRetries = 0
	}, func(t *testing.T, w *world) {
		for _, fault := range []string{"pass,close-before", "pass,reset-after", "pass,close-after"} {
			w.setFaults(t, "submission", fault)
			before := w.Ledger().SubmissionRequests
			for range 2 {
				_, _ = w.client.SubmitNotification(t.Context(), aNotification(), ownKey)
			}
			if got := w.Ledger().SubmissionRequests - before; got != 2 {
				t.Errorf("%s: %d requests for 2 attempts", fault, got)
			}
		}
	})
}

// Without the setting there is no key, whoever asks for one; tokens and lookups never have one.
func TestKeysAreOfSubmissionsOnly(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"", "x-idempotency-key"} {
		synctest.Test(t, func(t *testing.T) {
			service := new(script)
			c := scriptedClient(t, service, func(config *Config) {
				config.IdempotencyKeyHeader = header
			})
			for _, key := range []string{"", "", ownKey} {
				_, err := c.SubmitNotification(t.Context(), aNotification(), key)
				_, _, err2 := c.Studies(t.Context(), "A")
				if err = errors.Join(err, err2); err != nil {
					t.Error(err)
				}
			}
			var sent []string
			for _, r := range service.requests {
				keys := append(r.Header.Values("X-Idempotency-Key"), r.Header.Values(keyHeader)...)
				if sent = append(sent, keys...); len(keys) > 0 && r.URL.Path != "/notifications/v1" {
					t.Errorf("%s has the key %q", r.URL, keys)
				}
			}
			if header == "" && len(sent) > 0 || header != "" &&
				(len(sent) != 3 || sent[0] == sent[1] || sent[2] != ownKey ||
					uuid.Validate(sent[0]) != nil) {
				t.Errorf("%q: %q", header, sent)
			}
		})
	}
}

// The log names the header; of the keys it has random ones only.
func TestLoggedKeys(t *testing.T) {
	inWorld(t, func(_ *emulator.Config, c *Config) { withKeys(c) }, func(t *testing.T, w *world) {
		for _, key := range []string{"", ownKey} {
			ctx, lines := logging(t)
			if _, err := w.client.SubmitNotification(ctx, aNotification(), key); err != nil {
				t.Error(err)
			}
			if !strings.Contains(lines.String(), `"idempotency_key_header":"`+keyHeader+`"`) ||
				strings.Contains(lines.String(), `"idempotency_key":"`) != (key == "") ||
				strings.Contains(lines.String(), "canary") {
				t.Error(lines.String())
			}
		}
	})
}
