package client

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"terraform-provider-notification/internal/client/wire"
	"terraform-provider-notification/internal/emulator"
)

const (
	ownKey    = "checkout-1.4.2-canary"
	keyHeader = "Idempotency-Key" // with this header, net/http retries requests itself
)

func withKeys(config *Config) { config.IdempotencyKeyHeader = keyHeader }

// The outcome of a submission with a key: an ambiguous attempt is retried, and after one only an
// accepted attempt makes the outcome certain. An error has the ids of the first ambiguous attempt.
func TestOutcomeWithKey(t *testing.T) {
	t.Parallel()
	const (
		empty  = "202"
		page   = "200\n\n<!doctype html>Sign in"
		logged = "500\nX-Request-Id: logged"
		echo   = "400\nX-Request-Id: later\n\nkey " + ownKey
	)
	for _, test := range []struct {
		responses []string // followed by ok
		outcome   outcome
		attempts  int
		quoted    int // number of the attempt whose ids an error has
		serverID  string
	}{
		{[]string{ok}, accepted, 1, 0, ""},
		{[]string{lost, ok}, accepted, 2, 0, ""},
		{[]string{"500", "502", "503", "504", ok}, accepted, 5, 0, ""},
		{[]string{"500", empty}, accepted, 2, 0, ""},
		{[]string{lost, "409", "429", ok}, accepted, 4, 0, ""}, // 409: still processing the first request
		{[]string{lost, echo}, ambiguous, 2, 1, ""},
		{[]string{logged, echo}, ambiguous, 2, 1, "logged"},
		{[]string{"500", page}, ambiguous, 2, 1, ""},
		{[]string{"429", logged, echo}, ambiguous, 3, 2, "logged"},
		{[]string{"409", "409", "409", "409", "409"}, ambiguous, 5, 1, ""},
		{[]string{"409", "400"}, ambiguous, 2, 1, ""},
		{[]string{echo}, rejected, 1, 1, "later"},
		{[]string{"429", "429", "429", "429", "429"}, rejected, 5, 5, ""},
	} {
		for _, own := range []string{"", ownKey} {
			inBubble(t, fmt.Sprintf("%q %s", test.responses, own), func(t *testing.T) {
				service := &scriptedService{responses: test.responses}
				c := scriptedClient(t, service, withKeys)
				presetToken(c)
				ctx, log := captureLog(t)
				receipt, err := c.SubmitNotification(ctx, testNotification(), own)
				if logged := log.String(); strings.Contains(logged, "canary") ||
					!strings.Contains(logged, `"idempotency_key_header":"`+keyHeader+`"`) ||
					strings.Contains(logged, `"idempotency_key":"`) != (own == "") {
					t.Error(logged) // contains the header name, but only random keys
				}
				ids := map[string]bool{}
				for _, r := range service.requests {
					ids[requestID(r)] = true
					sent, first := r.Header.Get(keyHeader), service.requests[0].Header.Get(keyHeader)
					if sent != first || own != "" && sent != own || len(sent) < 20 {
						t.Errorf("key %q, first %q", sent, first)
					}
				}
				if len(service.requests) != test.attempts || len(ids) != test.attempts {
					t.Errorf("%d attempts with %d ids, want %d", len(service.requests), len(ids), test.attempts)
				}
				if test.outcome == accepted {
					if err != nil {
						t.Error(err)
					}
					return
				}
				checkOutcome(t, receipt, err, test.outcome, "cannot submit the notification")
				failed := asError(t, err)
				quotedRequest := service.requests[test.quoted-1]
				type quotation struct {
					Attempts          int
					Request, ServerID string
					Time              time.Time
					Key               wire.Key
				}
				key := wire.Key{Header: keyHeader, Value: quotedRequest.Header.Get(keyHeader)}
				if own != "" { // which may be sensitive
					key.Value, key.UserChosen = "", true
				}
				if diff := cmp.Diff(quotation{
					test.attempts, requestID(quotedRequest), test.serverID, service.times[test.quoted-1], key,
				}, quotation{
					failed.Attempts, failed.ID.Request, failed.ServerID.String(), failed.Time, failed.Key,
				}); diff != "" {
					t.Errorf("the error quotes, want (-), got (+):\n%s", diff)
				}
				if own != "" && strings.Contains(err.Error(), "canary") {
					t.Errorf("the error has the user's key: %v", err)
				}
			})
		}
	}
}

// The reason for the end of an operation appears once in the error, and does not hide why there was
// no response to the ambiguous attempt, which is the second one here.
func TestCancelAfterAmbiguousAttempt(t *testing.T) {
	t.Parallel()
	const s = time.Second
	cancelled, timedOut := wire.ErrCancelled.Error(), wire.ErrTimedOut.Error()
	for name, test := range map[string]struct {
		submission, token string        // faults
		cancel            time.Duration // when the caller cancels
		text              string        // of the error
		reason            Reason
	}{
		"no token": {"status:429:0,reset-after,revoke", "pass,status:400", 14 * s,
			"cannot obtain an access token", NoResponse},
		"in a wait": {"status:429:0,reset-after,status:429:9", "", 5 * s, cancelled, Cancelled},
		"before a retry": {"status:429:0,reset-after", "", 6 * s / 10,
			"(EOF), and " + cancelled + " before another attempt", Cancelled},
		"on the wire": {"status:429:0,hang", "", s, cancelled, Cancelled},
		"out of time": {"status:429:0,hang", "", 20 * s, timedOut, TimedOut},
	} {
		t.Run(name, func(t *testing.T) {
			change := func(_ *emulator.Config, c *Config) { withKeys(c) }
			withTestEnv(t, change, func(t *testing.T, env *testEnv) {
				env.setFaults(t, "submission", test.submission)
				env.setFaults(t, "token", test.token)
				ctx, end := context.WithTimeout(t.Context(), 15*s)
				defer end()
				time.AfterFunc(test.cancel, end)
				_, err := env.client.SubmitNotification(ctx, testNotification(), ownKey)
				failed := asError(t, err)
				if !failed.Ambiguous || failed.Operation != SubmitNotification ||
					!strings.Contains(env.Ledger().Requests[2].Headers["Traceparent"], failed.ID.Request) ||
					strings.Count(failed.Err.Error(), test.text) != 1 ||
					failed.Reason != test.reason {
					t.Errorf("got %v (ambiguous: %t, request id %s, reason %d), want %q (reason %d) with the "+
						"id of the second submission", failed, failed.Ambiguous, failed.ID.Request,
						failed.Reason, test.text, test.reason)
				}
			})
		})
	}
}

// Without IdempotencyKeyHeader no key is sent, and token requests and lookups never carry one. In
// X-Request-ID a key replaces the request id, which traceparent still has.
func TestOnlySubmissionsHaveKeys(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"", "x-idempotency-key", "x-request-id"} {
		synctest.Test(t, func(t *testing.T) {
			service := new(scriptedService)
			c := scriptedClient(t, service, func(config *Config) {
				config.IdempotencyKeyHeader = header
			})
			idHeader := "X-Request-ID"
			if header == "x-request-id" {
				idHeader = ""
			}
			for _, key := range []string{"", "", ownKey} {
				receipt, err := c.SubmitNotification(t.Context(), testNotification(), key)
				_, id, err2 := c.Studies(t.Context(), "A")
				if err = errors.Join(err, err2); err != nil || id.Header != "X-Request-ID" ||
					receipt.ID.Header != idHeader {
					t.Errorf("with %q: receipt %+v, want an id in %q; lookup %+v; %v", header, receipt, idHeader,
						id, err)
				}
			}
			var keys []string
			for _, r := range service.requests {
				sent := append(r.Header.Values(keyHeader), r.Header.Values("X-Idempotency-Key")...)
				if id := r.Header.Get("X-Request-Id"); id != requestID(r) {
					sent = append(sent, id)
				}
				if keys = append(keys, sent...); len(sent) > 0 && r.URL.Path != "/notifications/v1" {
					t.Errorf("%s has the key %q", r.URL, sent)
				}
			}
			if header == "" && len(keys) > 0 || header != "" && (len(keys) != 3 ||
				uuid.Validate(keys[0]) != nil || keys[0] == keys[1] || keys[2] != ownKey) {
				t.Errorf("%q: %q", header, keys)
			}
		})
	}
}

// Without a token this run submitted nothing, but an earlier run may have used the same key.
func TestKeyWithoutToken(t *testing.T) {
	t.Parallel()
	for key, own := range map[string]bool{ownKey: true, "": false} {
		synctest.Test(t, func(t *testing.T) {
			c := scriptedClient(t, &scriptedService{responses: []string{"401"}}, withKeys)
			_, err := c.SubmitNotification(t.Context(), testNotification(), key)
			failed := asError(t, err)
			if failed.Operation != FetchToken || failed.Key.UserChosen != own || failed.Key.Value != "" {
				t.Errorf("%q: %v; key %+v, want it to be the user's: %t", key, failed, failed.Key, own)
			}
		})
	}
}
