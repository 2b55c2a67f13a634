package client

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/notification/terraform-provider-notification/internal/memnet"
)

// The waits double from 0.5 to 30 seconds, with jitter, unless Retry-After asks for a longer one.
func TestBackoff(t *testing.T) {
	t.Parallel()
	for _, response := range []string{
		"425", "425\nRetry-After: 0", "425\nRetry-After: Fri, 01 Jan 1999 00:00:00 GMT",
	} {
		inBubble(t, response, func(t *testing.T) {
			const s = time.Second
			full := []time.Duration{s / 2, s, 2 * s, 4 * s, 8 * s, 16 * s, 30 * s, 30 * s, 30 * s, 30 * s}
			config := testConfig()
			config.MaxRetries = len(full)
			c, service := scripted(t, config, slices.Repeat([]string{response}, len(full))...)
			mustSubmit(t, c)
			if got, want := len(service.times), len(full)+1; got != want {
				t.Fatalf("%d requests, want %d", got, want)
			}
			waits := map[time.Duration]bool{}
			for i, most := range full {
				wait := at(t, service.times, i+1).Sub(service.times[i])
				waits[wait] = true
				if wait < most/2 || wait >= most {
					t.Errorf("waited %s after attempt %d, want half to all of %s", wait, i+1, most)
				}
			}
			if len(waits) < len(full) {
				t.Errorf("no jitter: %v", waits)
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 500, time.UTC)
	for fields, want := range map[struct{ retryAfter, date string }]time.Duration{
		{"0", ""}:                             0,
		{"120", ""}:                           2 * time.Minute,
		{" 7 ", ""}:                           7 * time.Second,
		{"99999999999999999999", ""}:          longestRetryAfter,
		{"Fri, 02 Jan 2026 03:05:05 GMT", ""}: time.Minute,
		{"Fri, 02 Jan 2026 03:04:05 GMT", ""}: 0, // in the past
		{"Fri, 02 Jan 2026 03:04:06 GMT", ""}: time.Second,
		{"Fri, 31 Dec 9999 23:59:59 GMT", ""}: longestRetryAfter,
		{"", ""}:                              0,
		{"-1", ""}:                            0,
		{"+1", ""}:                            0,
		{"2.997", ""}:                         3 * time.Second,
		{"9.400", ""}:                         10 * time.Second,
		{"7.0", ""}:                           7 * time.Second,
		{"1e3", ""}:                           0,
		{"NaN", ""}:                           0,
		{"9s", ""}:                            0,
		{"9.", ""}:                            0,

		// The server's clock may be ahead or behind.
		{"Fri, 02 Jan 2026 03:14:07 GMT", "Fri, 02 Jan 2026 03:14:05 GMT"}: 2 * time.Second,
		{"Fri, 02 Jan 2026 02:54:07 GMT", "Fri, 02 Jan 2026 02:54:05 GMT"}: 2 * time.Second,
		{"Fri, 02 Jan 2026 03:05:05 GMT", "yesterday"}:                     time.Minute,
		{"7", "Fri, 02 Jan 2026 03:14:05 GMT"}:                             7 * time.Second,
	} {
		header := http.Header{"Retry-After": {fields.retryAfter}, "Date": {fields.date}}
		if wait := retryAfter(header, now); wait != want {
			t.Errorf("%q: got %s, want %s", fields, wait, want)
		}
	}
}

// A 429 that asks for a wait of a second or more does not use up the retries of a submission or a
// lookup: the time limits those. The waits are spread, but no longer after many refusals.
func TestQueue(t *testing.T) {
	t.Parallel()
	const busy, now, other = "429\nRetry-After: 1", "429\nRetry-After: 0", "429"
	const soon, past = "429\nRetry-After: 0.1", "429\nRetry-After: Fri, 01 Jan 1999 00:00:00 GMT"
	for name, test := range map[string]struct {
		call       func(*testing.T, *Client) error
		responses  []string
		maxRetries int
		attempts   int
		succeeds   bool
	}{
		"submission":           {submit, slices.Repeat([]string{busy}, 60), 1, 61, true},
		"lookup":               {lookUp, slices.Repeat([]string{busy, "500"}, 4), 4, 9, true},
		"lookup, 500 counts":   {lookUp, slices.Repeat([]string{busy, "500"}, 5), 4, 10, false},
		"in less than 1 s":     {submit, slices.Repeat([]string{soon}, 60), 1, 61, true},
		"at once counts":       {submit, slices.Repeat([]string{busy, now}, 5), 4, 10, false},
		"a past date counts":   {lookUp, slices.Repeat([]string{past}, 5), 4, 5, false},
		"without the field":    {submit, slices.Repeat([]string{busy, other}, 5), 4, 10, false},
		"425 counts":           {submit, slices.Repeat([]string{"425\nRetry-After: 1"}, 5), 4, 5, false},
		"no retries":           {submit, []string{busy}, 0, 1, false},
		"for longer than 5 m":  {submit, slices.Repeat([]string{"429\nRetry-After: 60"}, 9), 4, 5, false},
		"token requests count": {token, slices.Repeat([]string{busy}, 5), 4, 5, false},
	} {
		inBubble(t, name, func(t *testing.T) {
			config := testConfig()
			config.MaxRetries = test.maxRetries
			c, service := scripted(t, config, test.responses...)
			err := test.call(t, c)
			if got := len(service.requests); got != test.attempts || (err == nil) != test.succeeds {
				t.Errorf("%d attempts, %v, want %+v", got, err, test)
			}
			waits := map[time.Duration]bool{}
			for i, response := range test.responses[:test.attempts-1] {
				wait := at(t, service.times, i+1).Sub(service.times[i])
				waits[wait] = true
				if name == "submission" && response == busy && (wait < time.Second || wait > 3*time.Second/2) {
					t.Errorf("waited %s", wait)
				}
			}
			if name == "submission" && len(waits) < 30 {
				t.Errorf("no jitter: %v", waits)
			}
		})
	}
}

// If the attempts after a response are not sent, the error keeps that response: the service did get
// the request.
func TestResponseIsKept(t *testing.T) {
	t.Parallel()
	const busy = "429\nRetry-After: 2\n\n" + `{"message":"slow down"}`
	for name, test := range map[string]struct {
		lifetime time.Duration // of the access token
		response string
		dialErr  error // of the second dial and those after it
		attempts int
		noToken  bool
		reason   Reason
		text     string
	}{
		"no connection": {time.Hour, busy, errors.New("no route"), 6, false, NoResponse,
			"slow down: no route"},
		"no access token": {time.Second, busy, nil, 2, true, NoResponse,
			"slow down: cannot obtain an access token"},
		"a page": {time.Hour, "200\n\n<!doctype html>Sign in", errors.New("no route"), 5, false, HTMLPage,
			"Sign in: no route"},
	} {
		inBubble(t, name, func(t *testing.T) {
			service := &scriptedService{responses: []string{test.response, "400"}}
			network := memnet.Serve(t, &http.Server{Handler: service, ReadHeaderTimeout: time.Minute})
			config := testConfig()
			config.IdempotencyKeyHeader = keyHeader
			config.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
				if len(service.requests) > 0 && test.dialErr != nil {
					return nil, test.dialErr
				}
				return network.Dial(ctx, "", "")
			}
			c := New(config)
			expires := time.Now().Add(test.lifetime)
			c.tokens.current.Store(&Token{Value: "earlier", Expires: expires, due: expires})
			failed := asError(t, submit(t, c))
			if failed.Reason != test.reason || failed.Attempts != test.attempts ||
				(failed.TokenError != nil) != test.noToken ||
				!strings.Contains(failed.Error(), test.text) {
				t.Errorf("%d attempts, %v", failed.Attempts, failed)
			}
		})
	}
}

func submit(t *testing.T, c *Client) error {
	t.Helper()
	_, err := c.SubmitNotification(t.Context(), testNotification(), "")
	return err
}

func lookUp(t *testing.T, c *Client) error {
	t.Helper()
	_, _, err := c.LookUpStudies(t.Context(), "ATLAS")
	return err
}

func token(t *testing.T, c *Client) error {
	t.Helper()
	_, err := c.ObtainAccessToken(t.Context(), []string{"other"})
	return err
}
