package client

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The repetitions of a token request are not repeated by the request that waits
// for the token.
func TestTokenRequestsAreNotRepeatedTwice(t *testing.T) {
	t.Parallel()
	for name, operate := range map[string]func(context.Context, *Client) error{
		"submission": func(ctx context.Context, c *Client) error {
			_, err := c.SubmitNotification(ctx, aNotification())
			return err
		},
		"look-up": func(ctx context.Context, c *Client) error { _, err := c.Studies(ctx, "ATLAS"); return err },
		"lending": func(ctx context.Context, c *Client) error { _, err := c.AccessToken(ctx, nil); return err },
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
				if _, err := w.client.Studies(t.Context(), "ATLAS"); err != nil && failure(t, err).Operation != FetchToken {
					t.Error(err)
				}
			})
		}
		group.Wait()
	})
}

// A token that is too old to lend stays good for the provider's own requests.
func TestLendingKeepsTheToken(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		first, err := w.client.AccessToken(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		again, err := w.client.AccessToken(t.Context(), nil)
		if err != nil || again.Value != first.Value || w.Ledger().TokenRequests != 1 {
			t.Errorf("a young token was fetched anew: %v", err)
		}
		time.Sleep(50 * time.Minute)
		w.setFaults(t, "token", "oauth:invalid_client,repeat")
		if _, err := w.client.AccessToken(t.Context(), nil); failure(t, err).Code != "invalid_client" {
			t.Error(err)
		}
		if _, err := w.client.SubmitNotification(t.Context(), aNotification()); err != nil {
			t.Error(err)
		}
		w.setFaults(t, "token", "")
		renewed, err := w.client.AccessToken(t.Context(), nil)
		if err != nil || renewed.Value == first.Value || time.Until(renewed.ExpiresAt) < 59*time.Minute {
			t.Errorf("%+v, %v", renewed, err)
		}
		narrowed, err := w.client.AccessToken(t.Context(), []string{"notifications.read"})
		if err != nil || narrowed.Value == renewed.Value || len(narrowed.Scopes) != 1 {
			t.Errorf("%+v, %v", narrowed, err)
		}
	})
}
