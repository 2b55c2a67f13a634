package client

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

const (
	ownKey    = "checkout-1.4.2-canary"
	keyHeader = "Idempotency-Key" // with this header, net/http retries requests itself
)

// The outcome of a submission with a key: an ambiguous attempt is retried, and after one only an
// accepted attempt makes the outcome certain. The id and the time in an error, or in a receipt
// without a notification id, are those of the first ambiguous attempt, if there was one. The error
// does not repeat an id that the server sends back.
func TestOutcomeWithKey(t *testing.T) {
	t.Parallel()
	const (
		page     = "200\n\n<!doctype html>Sign in"
		conflict = "409" // the service is still processing the first request
		logged   = "500\nX-Request-Id: logged"
		later    = "400\nX-Request-Id: later"
		echoed   = "400\nX-Request-Id: " + echo
	)
	for name, test := range map[string]struct {
		responses  []string // followed by ok
		outcome    outcome
		attempts   int
		identified int    // the number of the attempt; 0: a notification id was returned
		text       string // of the error, about the last response, or why there is no id
		onlySignIn bool
	}{
		"accepted":                {nil, accepted, 1, 0, "", false},
		"5xx":                     {[]string{"500", "502", "503", "504"}, accepted, 5, 0, "", false},
		"500, then no id":         {[]string{"500", "202"}, accepted, 2, 1, "the response was empty", false},
		"busy, then 499":          {[]string{"503\nRetry-After: 9", "499"}, accepted, 3, 0, "", false},
		"lost, then conflict":     {[]string{lost, conflict, "429"}, accepted, 4, 0, "", false},
		"lost, then rejected":     {[]string{lost, later}, ambiguous, 2, 1, "400 Bad", false},
		"HTML page, redirect":     {[]string{page, "302\nLocation: //sso.test"}, accepted, 3, 0, "", false},
		"HTML page repeatedly":    {slices.Repeat([]string{page}, 5), ambiguous, 5, 1, "Sign in", true},
		"busy, 500, rejected":     {[]string{"429", logged, "400"}, ambiguous, 3, 2, "400 Bad Request", false},
		"conflict, then rejected": {[]string{conflict, "400"}, ambiguous, 2, 1, "400 Bad Request", false},
		"conflict repeatedly":     {slices.Repeat([]string{conflict}, 5), ambiguous, 5, 1, "409", false},
		"rejected":                {[]string{later}, rejected, 1, 1, "400 Bad Request", false},
		"rejected, with its id":   {[]string{echoed}, rejected, 1, 1, "400 Bad Request", false},
		"429 repeatedly":          {slices.Repeat([]string{"429"}, 5), rejected, 5, 5, "429 Too Many", false},
		"302, then rejected":      {[]string{"302", "400"}, ambiguous, 2, 1, "400 Bad", true},
		"lost, then HTML pages": {append([]string{lost}, slices.Repeat([]string{page}, 4)...), ambiguous,
			5, 1, "Sign in", false},
		"HTML page, then lost": {append([]string{page}, slices.Repeat([]string{lost}, 4)...), ambiguous,
			5, 1, "EOF", false},
		"conflict, then 302": {[]string{conflict, "302\nLocation: //sso.test", "400"}, ambiguous, 3, 1,
			"400 Bad", false},
		"303, then rejected": {[]string{"303\nLocation: //sso.test", "400"}, ambiguous, 2, 1, "400 Bad",
			false},
	} {
		inBubble(t, name, func(t *testing.T) {
			config := testConfig()
			config.IdempotencyKeyHeader = keyHeader
			c, service := scripted(t, config, test.responses...)
			receipt, err := c.SubmitNotification(t.Context(), testNotification(), "")
			checkOutcome(t, receipt, err, test.outcome, test.text)
			if got := len(service.requests); got != test.attempts {
				t.Errorf("%d attempts, want %d", got, test.attempts)
			}
			if test.identified == 0 {
				return
			}
			i := test.identified - 1
			if err == nil { // compared below
				err = &Error{ID: receipt.ID, Time: receipt.Time, Attempts: len(test.responses)}
			}
			failed, id := asError(t, err), attemptID(at(t, service.requests, i)).Request
			_, serverID, _ := strings.Cut(test.responses[i], "X-Request-Id: ")
			if failed.ID.Request != id || failed.ServerID.String() != strings.TrimSuffix(serverID, echo) ||
				!failed.Time.Equal(at(t, service.times, i)) || failed.Attempts != len(test.responses) ||
				failed.OnlySignIn != test.onlySignIn {
				t.Errorf("%+v does not identify request %s; want %+v", *failed, id, test)
			}
		})
	}
}

// The JSON of the first ambiguous response is kept beside a later one, since it may have the id.
func TestFirstJSON(t *testing.T) {
	t.Parallel()
	const first = `{"notification_id":"n-500"}`
	for later, want := range map[string]string{"409\n\n{}": first, "409\n\n" + first: ""} {
		inBubble(t, later, func(t *testing.T) {
			config := testConfig()
			config.IdempotencyKeyHeader = keyHeader
			c, _ := scripted(t, config, "500\n\n"+first, later, later, later, later)
			failed := asError(t, submit(t, c))
			if failed.FirstJSON.String() != want || failed.Status != http.StatusConflict {
				t.Errorf("%+v", failed)
			}
		})
	}
}

// All attempts carry the same key. Errors and the log quote it if it is random, but not if it is the
// user's own, since it may be sensitive then.
func TestKeyOfAllAttempts(t *testing.T) {
	t.Parallel()
	for _, own := range []string{"", ownKey} {
		synctest.Test(t, func(t *testing.T) {
			config := testConfig()
			config.IdempotencyKeyHeader = keyHeader
			c, service := scripted(t, config, "429", lost, "400\n\nkey "+ownKey)
			log := new(bytes.Buffer)
			ctx := tflogtest.RootLogger(t.Context(), log)
			_, err := c.SubmitNotification(ctx, testNotification(), own)
			var keys []string
			for _, r := range service.requests {
				keys = append(keys, r.Header.Get(keyHeader))
			}
			want := wire.Key{Header: keyHeader, Value: keys[0]}
			if own != "" {
				want = wire.Key{Header: keyHeader, Own: true}
			}
			sent, got := cmp.Or(own, want.Value), asError(t, err).Key
			if !slices.Equal(keys, []string{sent, sent, sent}) || got != want {
				t.Errorf("%q: keys %q, the error has %+v, want %+v", own, keys, got, want)
			}
			if own != "" && strings.Contains(err.Error()+log.String(), "canary") ||
				strings.Count(log.String(), `"idempotency_key_header":"`+keyHeader+`"`) != 3 ||
				strings.Contains(log.String(), `"idempotency_key":"`+keys[0]) != (own == "") {
				t.Errorf("%q: %v, log %s", own, err, log)
			}
		})
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
		"no token": {"status:425:0,reset-after,revoke", "pass,status:400", 14 * s,
			"cannot obtain an access token", NoResponse},
		"in a wait": {"status:425:0,reset-after,status:429:9", "", 5 * s, cancelled, Cancelled},
		"before a retry": {"status:425:0,reset-after", "", 6 * s / 10,
			"(EOF), and " + cancelled + " before another attempt", Cancelled},
		"on the wire": {"status:425:0,hang", "", s, cancelled, Cancelled},
		"out of time": {"status:425:0,hang", "", 20 * s, timedOut, TimedOut},
	} {
		inBubble(t, name, func(t *testing.T) {
			config := testConfig()
			config.IdempotencyKeyHeader = keyHeader
			env := newTestEnv(t, config)
			env.setFaults(t, "submission", test.submission)
			env.setFaults(t, "token", test.token)
			ctx, end := context.WithTimeout(t.Context(), 15*s)
			defer end()
			time.AfterFunc(test.cancel, end)
			receipt, err := env.client.SubmitNotification(ctx, testNotification(), ownKey)
			checkOutcome(t, receipt, err, ambiguous, "cannot submit the notification")
			failed := asError(t, err)
			if want := at(t, env.Ledger().Requests, 2).Headers["X-Request-Id"]; failed.ID.Request != want {
				t.Errorf("request id %s, want %s", failed.ID.Request, want)
			}
			if strings.Count(failed.Err.Error(), test.text) != 1 || failed.Reason != test.reason {
				t.Errorf("got %q, reason %d; want %q, %d", failed.Err, failed.Reason, test.text, test.reason)
			}
		})
	}
}

// Without IdempotencyKeyHeader no key is sent, and token requests and lookups never carry one. In
// X-Request-ID a key replaces the request id, which traceparent still has.
func TestOnlySubmissionsHaveKeys(t *testing.T) {
	t.Parallel()
	for _, header := range []string{"", "x-idempotency-key", "x-request-id"} {
		synctest.Test(t, func(t *testing.T) {
			config := testConfig()
			config.IdempotencyKeyHeader = header
			c, service := newClient(t, config)
			idHeader := "X-Request-ID"
			if header == "x-request-id" {
				idHeader = ""
			}
			for _, key := range []string{"", "", ownKey} {
				receipt, err := c.SubmitNotification(t.Context(), testNotification(), key)
				_, id, err2 := c.LookUpStudies(t.Context(), "A")
				if err = errors.Join(err, err2); err != nil {
					t.Fatal(err)
				}
				if id.Header != "X-Request-ID" || receipt.ID.Header != idHeader {
					t.Errorf("with %q: lookup with an id in %q, receipt in %q, want %q", header, id.Header,
						receipt.ID.Header, idHeader)
				}
			}
			var keys []string
			for _, r := range service.requests {
				found := append(r.Header.Values(keyHeader), r.Header.Values("X-Idempotency-Key")...)
				if id := r.Header.Get("X-Request-Id"); id != attemptID(r).Request {
					found = append(found, id)
				}
				if keys = append(keys, found...); len(found) > 0 && r.URL.Path != "/notifications/v1" {
					t.Errorf("%s has the key %q", r.URL, found)
				}
			}
			if header == "" {
				if len(keys) > 0 {
					t.Errorf("without a header: keys %q", keys)
				}
				return
			}
			if len(keys) != 3 || keys[0] == keys[1] || keys[2] != ownKey {
				t.Fatalf("%s: %q, want two random keys and the user's", header, keys)
			}
			if err := uuid.Validate(keys[0]); err != nil {
				t.Errorf("%s: %v", keys[0], err)
			}
		})
	}
}
