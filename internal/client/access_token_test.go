package client

import (
	"context"
	"errors"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The retries of a token request are not retried by the request that waits for the token.
func TestTokenRequestsAreNotRetriedTwice(t *testing.T) {
	t.Parallel()
	for name, operate := range map[string]func(context.Context, *Client) error{
		"submission": func(ctx context.Context, c *Client) error {
			_, err := c.SubmitNotification(ctx, aNotification(), "")
			return err
		},
		"for others": func(ctx context.Context, c *Client) error {
			_, err := c.AccessToken(ctx, nil)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var dials atomic.Int32
				config := testConfig(testHost)
				config.Dial = func(context.Context, string, string) (net.Conn, error) {
					dials.Add(1)
					return nil, errors.New("connection refused")
				}
				failed := failure(t, operate(t.Context(), New(config)))
				if dials.Load() != 5 || failed.Operation != FetchToken || failed.Attempts != 5 {
					t.Errorf("%d dials, %+v", dials.Load(), failed)
				}
			})
		})
	}
}

// A refusal of the token is told to all who wait for it, and not changed by them.
func TestForbiddenTokenForMany(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		w.setFaults(t, "token", "status:403")
		var group sync.WaitGroup
		for range 10 {
			group.Go(func() {
				if _, _, err := w.client.Studies(t.Context(), "ATLAS"); err != nil &&
					failure(t, err).Operation != FetchToken {
					t.Error(err)
				}
			})
		}
		group.Wait()
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
		if _, err := w.client.SubmitNotification(t.Context(), aNotification(), ""); err != nil ||
			w.Ledger().TokenRequests != 3 {
			t.Errorf("%v, %d requests", err, w.Ledger().TokenRequests)
		}
		if tok, err := w.client.AccessToken(t.Context(), nil); err != nil ||
			time.Until(tok.Expires) != time.Hour {
			t.Errorf("%+v, %v", tok, err)
		}
	})
}
