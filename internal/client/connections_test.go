package client

import (
	"context"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"terraform-provider-notification/internal/client/wire"
	"terraform-provider-notification/internal/emulator"
)

// openConns counts the connections of a client.
type openConns struct{ dials, now, most atomic.Int32 }

// dial opens a connection with the next dial, and counts it until it is closed. The first 32 take a
// while, so that requests that wait for theirs get one that another has left.
func (o *openConns) dial(next wire.DialFunc) wire.DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		slow := time.Duration(max(33-o.dials.Add(1), 0)) * 50 * time.Millisecond
		time.Sleep(slow + 1) // net/http forgets a connection just before it closes it
		conn, err := next(ctx, network, address)
		if err != nil {
			return nil, err
		}
		o.most.Store(max(o.most.Load(), o.now.Add(1)))
		return &openConn{Conn: conn, count: &o.now}, nil
	}
}

type openConn struct {
	net.Conn

	once  sync.Once
	count *atomic.Int32
}

func (c *openConn) Close() error {
	c.once.Do(func() { c.count.Add(-1) })
	return c.Conn.Close()
}

// More requests than connections wait for one another, and no longer; afterwards each connection is
// used again.
func TestEveryRequestGetsAConnection(t *testing.T) {
	inWorld(t, func(s *emulator.Config, _ *Config) {
		s.Latency = time.Second
	}, func(t *testing.T, w *world) {
		holdToken(w.client)
		for _, requests := range []int{50, 32} {
			began := time.Now()
			together(requests, func() { _ = notSubmitted(t, w.client) }) // the emulator issued no such token
			if took := time.Since(began); took > 4*time.Second || w.Ledger().Connections != 32 {
				t.Errorf("%s, %d connections", took, w.Ledger().Connections)
			}
		}
	})
}

// The wait for one of the connections takes none of the time to answer, and an error tells when
// the request went out, not when it began to wait.
func TestWaitForAConnectionIsNotTimeToAnswer(t *testing.T) {
	inWorld(t, func(s *emulator.Config, c *Config) {
		s.Latency = 2 * time.Second
		c.RequestTimeout = 3 * time.Second
	}, func(t *testing.T, w *world) {
		lookedUp(t, w.client) // with a token
		for faults, want := range map[string]int32{"": 0, "pass*32,reset-after*32": 32} {
			w.setFaults(t, "submission", faults)
			began := time.Now()
			var lost atomic.Int32
			together(64, func() {
				_, err := w.client.SubmitNotification(t.Context(), aNotification(), "")
				if err != nil {
					lost.Add(1)
					if at := failure(t, err).Time.Sub(began); at != 2*time.Second {
						t.Errorf("went out after %s: %v", at, err)
					}
				}
			})
			if lost.Load() != want {
				t.Errorf("%q: %d answers lost, want %d", faults, lost.Load(), want)
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

// A connection is given up before servers usually give it up.
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

// After a server has silently closed a connection, each request to it has a connection of its
// own; what is lost on the first request of a connection is another matter.
func TestClosedConnectionsAreNotUsedAgain(t *testing.T) {
	t.Parallel()
	for faults, want := range map[string]int{
		"close-before":     1 + 9, // after the token's
		"reset-after,pass": 1 + 9,
		"status:500":       1,
		"hang":             1 + 1,
	} {
		t.Run(faults, func(t *testing.T) {
			inWorld(t, nil, func(t *testing.T, w *world) {
				w.setFaults(t, "submission", faults)
				if failed := notSubmitted(t, w.client); !failed.Ambiguous {
					t.Error(failed)
				}
				for range 9 {
					submitted(t, w.client)
				}
				if got := w.Ledger().Connections; got != want {
					t.Errorf("%d connections, want %d", got, want)
				}
				for range 3 {
					lookedUp(t, w.client)
				}
				if want > 2 {
					want += 3
				}
				if got := w.Ledger().Connections; got != want {
					t.Errorf("%d connections after lookups, want %d", got, want)
				}
			})
		})
	}
	t.Run("of a new connection", func(t *testing.T) {
		inWorld(t, nil, func(t *testing.T, w *world) {
			holdToken(w.client)
			w.setFaults(t, "submission", "close-before")
			for range 3 {
				_, _ = w.client.SubmitNotification(t.Context(), aNotification(), "")
			}
			if got := w.Ledger().Connections; got != 2 {
				t.Errorf("%d connections", got)
			}
		})
	})
}

// There are at most 32 connections to a host, idle ones included, also once it has closed one
// silently: the idle ones are closed then.
func TestConnectionsAreCappedAfterASurprise(t *testing.T) {
	inWorld(t, func(s *emulator.Config, _ *Config) {
		s.Latency = time.Second
	}, func(t *testing.T, w *world) {
		fetchToken(t, w.client)
		var open openConns
		c := dialingClient(open.dial(w.network.Dial))
		useTokens(c, w.client.tokens)
		var failed atomic.Int32
		var group sync.WaitGroup
		start := func(requests int) {
			for i := range requests {
				group.Go(func() {
					var err error
					if i%2 == 0 {
						_, err = c.SubmitNotification(t.Context(), aNotification(), "")
					} else {
						_, _, err = c.Studies(t.Context(), "ATLAS")
					}
					if err != nil {
						failed.Add(1)
					}
				})
			}
		}
		start(60)
		group.Wait()
		if failed.Load() > 0 || open.now.Load() != 32 {
			t.Errorf("%d failed, %d connections", failed.Load(), open.now.Load())
		}
		w.setFaults(t, "submission", "reset-before")
		start(32)
		time.Sleep(500 * time.Millisecond) // 31 requests are under way
		start(60)
		group.Wait()
		synctest.Wait()
		if failed.Load() != 1 || open.most.Load() > 32 || open.now.Load() > 0 {
			t.Errorf("%d failed; at most %d connections, %d are left", failed.Load(),
				open.most.Load(), open.now.Load())
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
