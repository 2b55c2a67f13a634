package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"terraform-provider-notification/internal/client/wire"
	"terraform-provider-notification/internal/emulator"
)

// level counts what is there at once.
type level struct {
	mu        sync.Mutex
	now, most int
}

func (l *level) add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now += n
	l.most = max(l.most, l.now)
}

// dialledConn counts as open until it is closed.
type dialledConn struct {
	net.Conn

	open *level
	once sync.Once
}

func (c *dialledConn) Close() error {
	c.once.Do(func() { c.open.add(-1) })
	return c.Conn.Close()
}

// At most 32 submissions are under way, each on a connection of its own: a server may drop one that
// was used without a word, and what follows on it would be in doubt. The connection of each is closed when its answer was read,
// also an answer that is longer than what is read of it.
func TestSubmissionsAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var underWay, open level
		var dials atomic.Int32
		c := scriptedClient(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			underWay.add(1)
			time.Sleep(time.Second)
			underWay.add(-1)
			_, _ = fmt.Fprintf(w, `{"notification_id":"x"}%1100000s`, "")
		}), func(config *Config) {
			dial := config.Dial
			config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				dials.Add(1)
				open.add(1)
				conn, err := dial(ctx, network, address)
				return &dialledConn{Conn: conn, open: &open}, err
			}
		})
		holdToken(c)
		began := time.Now()
		together(80, func() { submitted(t, c) })
		synctest.Wait()
		if took := time.Since(began); took != 3*time.Second || underWay.most != 32 {
			t.Errorf("80 submissions of a second took %s, %d at once", took, underWay.most)
		}
		if dials.Load() != 80 || open.now != 0 {
			t.Errorf("%d connections, %d left open", dials.Load(), open.now)
		}
	})
}

// Waiting for its turn takes none of the time of an attempt, and an error tells when the request
// went out, not when it began to wait.
func TestWaitForATurnIsNotTimeToAnswer(t *testing.T) {
	inWorld(t, func(_ *emulator.Config, c *Config) {
		c.RequestTimeout = 1500 * time.Millisecond
	}, func(t *testing.T, w *world) {
		w.late(time.Second)
		fetchToken(t, w.client)
		together(150, func() { submitted(t, w.client) })
		w.setFaults(t, "submission", "pass*32,reset-after*32")
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
		if lost.Load() != 32 {
			t.Errorf("%d answers lost", lost.Load())
		}
	})
}

// What ends while it waits for its turn was not sent, and leaves the turns to others. Lookups wait
// for none.
func TestEndWhileWaitingForATurn(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		cancelled, timeout time.Duration
		ended              error
	}{
		"cancelled":               {5 * time.Second, time.Hour, wire.ErrCancelled},
		"timeouts.create used up": {time.Hour, 5 * time.Second, wire.ErrTimedOut},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, nil, func(t *testing.T, w *world) {
				fetchToken(t, w.client)
				w.setFaults(t, "submission", "delay:20s*32")
				began := time.Now()
				ctx, end := context.WithTimeout(cancelledIn(t, test.cancelled), test.timeout)
				defer end()
				var underWay sync.WaitGroup
				for range 32 {
					underWay.Go(func() { submitted(t, w.client) })
				}
				synctest.Wait()
				together(40, func() {
					_, err := w.client.SubmitNotification(ctx, aNotification(), "")
					if failed := failure(t, err); failed.Ambiguous || !errors.Is(err, test.ended) ||
						failed.Attempts != 1 || time.Since(began) != 5*time.Second {
						t.Errorf("%+v after %s", failed, time.Since(began))
					}
				})
				lookedUp(t, w.client)
				if took := time.Since(began); took != 5*time.Second {
					t.Errorf("the lookup ended after %s", took)
				}
				underWay.Wait()
				received(t, w.Emulator, 32, 32)
				together(32, func() { submitted(t, w.client) })
				if took := time.Since(began); took != 20*time.Second {
					t.Errorf("submissions after them ended after %s", took)
				}
			})
		})
	}
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
		w.late(time.Second)
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

// A dial that hangs ends with its attempt; the next one dials anew.
func TestHangingDialDoesNotBlockTheNext(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		var dials, hanging atomic.Int32
		config := testConfig(testHost)
		config.RequestTimeout = 5 * time.Second
		config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			if dials.Add(1) <= 32 {
				hanging.Add(1)
				defer hanging.Add(-1)
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return w.network.Dial(ctx, network, address)
		}
		c := New(config)
		useTokens(c, w.client.tokens)
		began := time.Now()
		together(32, func() { submitted(t, c) })
		if took := time.Since(began); took > 6*time.Second || hanging.Load() > 0 {
			t.Errorf("%s, %d dials hang", took, hanging.Load())
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
