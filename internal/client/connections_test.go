package client

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"terraform-provider-notification/internal/emulator"
)

// At most 32 submissions are under way, each on a connection of its own: a server may drop one that
// was used without a word, and what follows on it would be in doubt.
func TestSubmissionsAreBounded(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		fetchToken(t, w.client)
		w.late()
		for submissions, want := range map[int]time.Duration{64: 2 * time.Second, 65: 3 * time.Second} {
			began, before := time.Now(), w.Ledger().Connections
			together(submissions, func() { submitted(t, w.client) })
			if took := time.Since(began); took != want ||
				w.Ledger().Connections != before+submissions {
				t.Errorf("%d submissions took %s, with %d connections", submissions, took,
					w.Ledger().Connections-before)
			}
		}
	})
}

// Waiting for its turn takes none of the time of an attempt, and an error tells when the request
// went out, not when it began to wait.
func TestWaitForATurnIsNotTimeToAnswer(t *testing.T) {
	inWorld(t, func(_ *emulator.Config, c *Config) {
		c.RequestTimeout = 1500 * time.Millisecond
	}, func(t *testing.T, w *world) {
		w.late()
		fetchToken(t, w.client)
		w.setFaults(t, "submission", "pass*63,reset-after")
		began := time.Now()
		var lost atomic.Int32
		together(64, func() {
			_, err := w.client.SubmitNotification(t.Context(), aNotification(), "")
			if err != nil {
				lost.Add(1)
				if at := failure(t, err).Time.Sub(began); at != time.Second {
					t.Errorf("went out after %s: %v", at, err)
				}
			}
		})
		received(t, w.Emulator, 64, 64)
		if lost.Load() != 1 {
			t.Errorf("%d responses lost", lost.Load())
		}
	})
}

// What ends while it waits for its turn was not sent, and leaves the turns to others. Lookups wait
// for none.
func TestEndWhileWaitingForATurn(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		fetchToken(t, w.client)
		w.setFaults(t, "submission", "delay:20s*32")
		began := time.Now()
		var underWay sync.WaitGroup
		for range 32 {
			underWay.Go(func() { submitted(t, w.client) })
		}
		synctest.Wait()
		ctx, end := context.WithTimeout(t.Context(), 5*time.Second)
		defer end()
		together(40, func() {
			_, err := w.client.SubmitNotification(ctx, aNotification(), "")
			if failed := failure(t, err); failed.Ambiguous || !failed.TimedOut() ||
				failed.Attempts != 1 || time.Since(began) != 5*time.Second {
				t.Errorf("%+v after %s", failed, time.Since(began))
			}
		})
		lookedUp(t, w.client)
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("the lookup ended after %s", took)
		}
		underWay.Wait()
		together(32, func() { submitted(t, w.client) })
		if took := time.Since(began); took != 20*time.Second {
			t.Errorf("submissions after them ended after %s", took)
		}
		received(t, w.Emulator, 64, 64)
	})
}

// A submission that waits before its next attempt leaves its turn to others.
func TestWaitBetweenAttemptsTakesNoTurn(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		w.setFaults(t, "submission", "status:429:60*32")
		var waiting sync.WaitGroup
		for range 32 {
			waiting.Go(func() { submitted(t, w.client) })
		}
		synctest.Wait()
		began := time.Now()
		submitted(t, w.client)
		if took := time.Since(began); took != 0 {
			t.Errorf("waited %s", took)
		}
		waiting.Wait()
	})
}

// Tokens and lookups share connections, at most 32 to a host.
func TestPooledConnectionsAreBounded(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		w.late()
		fetchToken(t, w.client)
		for range 2 {
			began := time.Now()
			together(64, func() { lookedUp(t, w.client) })
			if took := time.Since(began); took != 2*time.Second || w.Ledger().Connections != 32 {
				t.Errorf("%s, %d connections", took, w.Ledger().Connections)
			}
		}
	})
}

// A pooled connection is given up before servers usually give it up.
func TestIdleConnectionsAreDropped(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		for _, pause := range []time.Duration{3 * time.Second, 5 * time.Second, 0} {
			lookedUp(t, w.client)
			time.Sleep(pause)
		}
		if got := w.Ledger().Connections; got != 2 {
			t.Errorf("%d connections, want one for the first 3 s and one after 5 s more", got)
		}
	})
}
