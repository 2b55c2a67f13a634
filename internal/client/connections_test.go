package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
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

// dialledConn keeps what was written to it, and counts as open until it is closed.
type dialledConn struct {
	net.Conn

	open  *level
	once  sync.Once
	wrote bytes.Buffer
}

func (c *dialledConn) Write(p []byte) (int, error) {
	c.wrote.Write(p)
	return c.Conn.Write(p)
}

func (c *dialledConn) Close() error {
	c.once.Do(func() { c.open.add(-1) })
	return c.Conn.Close()
}

// dialled are all connections of a client.
type dialled struct {
	open  level
	mu    sync.Mutex
	conns []*dialledConn
}

func (d *dialled) dial(next wire.DialFunc) wire.DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := next(ctx, network, address)
		if err != nil {
			return nil, err
		}
		d.open.add(1)
		d.mu.Lock()
		defer d.mu.Unlock()
		d.conns = append(d.conns, &dialledConn{Conn: conn, open: &d.open})
		return d.conns[len(d.conns)-1], nil
	}
}

// At most 32 submissions are under way. The connection of each is closed when its answer was read,
// also an answer that is longer than what is read of it.
func TestSubmissionsAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var underWay level
		var network dialled
		c := scriptedClient(t, func(w http.ResponseWriter, _ *http.Request) {
			underWay.add(1)
			time.Sleep(time.Second)
			underWay.add(-1)
			_, _ = fmt.Fprintf(w, `{"notification_id":"x"}%1100000s`, "")
		}, func(config *Config) { config.Dial = network.dial(config.Dial) })
		holdToken(c)
		began := time.Now()
		together(80, func() { submitted(t, c) })
		synctest.Wait()
		if took := time.Since(began); took != 3*time.Second || underWay.most != 32 {
			t.Errorf("80 submissions of a second took %s, %d at once", took, underWay.most)
		}
		if len(network.conns) != 80 || network.open.now != 0 {
			t.Errorf("%d connections, %d left open", len(network.conns), network.open.now)
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

// A server that answers one request a connection, and drops the next without a word, loses no
// submission: none travels on a connection that was used, and nothing follows one on its own.
func TestServerThatClosesSilently(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var network dialled
		c := scriptedClient(t, func(w http.ResponseWriter, _ *http.Request) {
			conn, pending, err := http.NewResponseController(w).Hijack()
			if err != nil {
				panic(err)
			}
			defer func() { _ = conn.Close() }()
			const body = `{"access_token":"earlier","expires_in":1,"notification_id":"x"}`
			_, _ = fmt.Fprintf(conn, "HTTP/1.1 201 Created\r\nContent-Length: %d\r\n\r\n%s", len(body),
				body)
			_ = conn.SetReadDeadline(time.Now().Add(time.Second))
			_, _ = io.ReadAtLeast(pending, make([]byte, 1000), 100) // of the next request
		}, func(config *Config) { config.Dial = network.dial(config.Dial) })
		for range 48 {
			submitted(t, c) // with a token of its own
			time.Sleep(2 * time.Second)
		}
		var alone int
		for _, conn := range network.conns {
			switch text := conn.wrote.String(); {
			case strings.Count(text, " HTTP/1.1\r\n") == 1 &&
				strings.Contains(text, "POST /notifications/v1 "):
				alone++
			case strings.Contains(text, "POST /notifications/v1 "):
				t.Errorf("one connection: %s", text)
			}
		}
		if alone != 48 {
			t.Errorf("%d submissions on connections of their own", alone)
		}
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

// An attempt that got no connection says so, and its request was not sent.
func TestNoConnectionInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := dialingClient(func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			time.Sleep(time.Second) // the attempt ends first
			return nil, ctx.Err()
		})
		failed := notSubmitted(t, c)
		const want = ": there was no connection: " +
			"the time limit of one attempt was reached (30 seconds)"
		if failed.Ambiguous || !strings.Contains(failed.Error(), want) {
			t.Errorf("%+v", failed)
		}
		time.Sleep(time.Minute) // until the last dial ends
	})
}
