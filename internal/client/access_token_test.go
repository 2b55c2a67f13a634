package client

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The retries of a token request are not retried by the request that waits for the token.
func TestTokenRequestsAreNotRetriedTwice(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var dials atomic.Int32
		config := testConfig(testHost)
		config.Dial = func(context.Context, string, string) (net.Conn, error) {
			dials.Add(1)
			return nil, errors.New("connection refused")
		}
		c := New(config)
		_, err := c.AccessToken(t.Context(), nil)
		for _, failed := range []*Error{failure(t, err), notSubmitted(t, c)} {
			if failed.Operation != FetchToken || failed.Attempts != 5 {
				t.Errorf("%+v", failed)
			}
		}
		if dials.Load() != 10 {
			t.Errorf("%d dials", dials.Load())
		}
	})
}

// A refusal of the token is told to all who wait for it, and not changed by them.
func TestForbiddenTokenForMany(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		w.setFaults(t, "token", "status:403")
		together(10, func() {
			if _, _, err := w.client.Studies(t.Context(), "ATLAS"); err != nil &&
				failure(t, err).Operation != FetchToken {
				t.Error(err)
			}
		})
	})
}

// Other scopes have tokens of their own, one for each set of them.
func TestScopedTokens(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		values := make(map[string]bool)
		const read, write = "notifications.read", "notifications.write"
		for _, scopes := range [][]string{nil, {read}, {write}, {}, {read}} {
			tok, err := w.client.AccessToken(t.Context(), scopes)
			if err != nil || len(scopes) > 0 && !slices.Equal(tok.Scopes, scopes) ||
				time.Until(tok.Expires) != time.Hour {
				t.Errorf("%+v, %v", tok, err)
				continue
			}
			values[tok.Value] = true
		}
		if len(values) != 3 || w.Ledger().TokenRequests != 3 {
			t.Errorf("%d tokens of %d requests", len(values), w.Ledger().TokenRequests)
		}
		time.Sleep(50 * time.Minute) // too short for others, and good for the provider
		submitted(t, w.client)
		if got := w.Ledger().TokenRequests; got != 3 {
			t.Errorf("%d requests", got)
		}
		if tok, err := w.client.AccessToken(t.Context(), nil); err != nil ||
			time.Until(tok.Expires) != time.Hour {
			t.Errorf("%+v, %v", tok, err)
		}
	})
}
