package client

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"terraform-provider-notification/internal/emulator"
)

// Ten callers at a time open ten connections, with TLS too, where http.Transport
// by itself opens up to three times as many.
func TestNoMoreConnectionsThanRequests(t *testing.T) {
	t.Parallel()
	authority := newAuthority(t)
	for name, start := range map[string]func(*httptest.Server){
		"plain": (*httptest.Server).Start,
		"TLS":   (*httptest.Server).StartTLS,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, err := emulator.New(emulator.Config{ClientID: "id", ClientSecret: testSecret, TokenLifetime: time.Hour})
			if err != nil {
				t.Fatal(err)
			}
			var open, most atomic.Int32
			server := httptest.NewUnstartedServer(nil)
			server.Config = e.NewServer()
			server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
				switch state {
				case http.StateNew:
					most.Store(max(most.Load(), open.Add(1))) // of one goroutine
				case http.StateClosed:
					open.Add(-1)
				default:
				}
			}
			server.TLS = &tls.Config{Certificates: []tls.Certificate{authority.issue(t, "127.0.0.1")}}
			start(server)
			t.Cleanup(server.Close)
			config := testConfig(server.URL)
			config.RootCAs = authority.pool()
			c := New(config)
			t.Cleanup(c.transport(t).CloseIdleConnections)

			const callers, each = 10, 30
			var group sync.WaitGroup
			for range callers {
				group.Go(func() {
					for range each {
						if _, err := c.SubmitNotification(t.Context(), aNotification()); err != nil {
							t.Error(err)
						}
					}
				})
			}
			group.Wait()
			if most.Load() > callers {
				t.Errorf("%d connections at once for %d callers", most.Load(), callers)
			}
			if got := len(e.Ledger().Submissions); got != callers*each {
				t.Errorf("%d submissions", got)
			}
		})
	}
}

// An idle connection to one origin does not stand in the way of another origin.
func TestOriginsDoNotShareConnections(t *testing.T) {
	inWorld(t, func(_ *emulator.Config, c *Config) {
		c.TokenURL = mustParse("http://auth.test/oauth2/token")
	}, func(t *testing.T, w *world) {
		began := time.Now()
		if _, err := w.client.SubmitNotification(t.Context(), aNotification()); err != nil || time.Since(began) > 0 {
			t.Errorf("%v after %s", err, time.Since(began))
		}
		if got := w.Ledger().Connections; got != 2 {
			t.Errorf("%d connections", got)
		}
	})
}

// A dial that hangs ends with its attempt; the next one dials anew.
func TestHangingDialDoesNotBlockTheNext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var dials atomic.Int32
		c := scriptedClient(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/oauth2/token" {
				_, _ = fmt.Fprint(w, `{"access_token":"t","token_type":"Bearer"}`)
				return
			}
			_, _ = fmt.Fprint(w, `{"notification_id":"a"}`)
		}, func(config *Config) {
			config.TokenURL = mustParse("http://auth.test/oauth2/token")
			config.RequestTimeout = 5 * time.Second
			dial := config.Dial
			config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				if address == "notifications.test:80" && dials.Add(1) == 1 {
					<-ctx.Done()
					return nil, ctx.Err()
				}
				return dial(ctx, network, address)
			}
		})
		began := time.Now()
		receipt, err := c.SubmitNotification(t.Context(), aNotification())
		if err != nil || receipt.NotificationID != "a" {
			t.Fatal(err)
		}
		if took := time.Since(began); took < 5*time.Second || took > 6*time.Second || dials.Load() != 2 {
			t.Errorf("%d dials in %s", dials.Load(), took)
		}
	})
}

// Requests beyond the connections that there are get one each, however many.
func TestEveryRequestGetsAConnection(t *testing.T) {
	inWorld(t, func(s *emulator.Config, _ *Config) { s.Latency = time.Second }, func(t *testing.T, w *world) {
		if _, err := w.client.tokens.get(t.Context()); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		var group sync.WaitGroup
		for range 50 {
			group.Go(func() {
				if _, err := w.client.SubmitNotification(t.Context(), aNotification()); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		if took := time.Since(began); took != time.Second || w.Ledger().Connections != 50 {
			t.Errorf("%s, %d connections", took, w.Ledger().Connections)
		}
	})
}

// net/http's own repetition of a look-up gets a connection.
func TestReplacedConnection(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var lookUps, dials atomic.Int32
		c := scriptedClient(t, answering(func(w http.ResponseWriter, _ *http.Request) {
			switch lookUps.Add(1) {
			case 1:
				time.Sleep(time.Second)
			case 2:
				panic(http.ErrAbortHandler)
			}
			_, _ = io.WriteString(w, "[]")
		}), func(config *Config) {
			config.MaxRetries = 0
			dial := config.Dial
			config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				if dials.Add(1) == 2 {
					time.Sleep(3 * time.Second)
				}
				return dial(ctx, network, address)
			}
		})
		c.tokens.current = &earlierToken
		var group sync.WaitGroup
		for range 2 {
			group.Go(func() {
				if _, err := c.Studies(t.Context(), "A"); err != nil {
					t.Error(err)
				}
			})
			time.Sleep(100 * time.Millisecond)
		}
		group.Wait()
		time.Sleep(10 * time.Second)
	})
}

// A dial that hangs, and whose request was served by another connection, does not
// keep later requests waiting.
func TestSuperfluousDialThatHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var dials atomic.Int32
		c := scriptedClient(t, answering(func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(time.Second)
			_, _ = io.WriteString(w, "[]")
		}), func(config *Config) {
			dial := config.Dial
			config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				if dials.Add(1) == 2 {
					<-ctx.Done()
					return nil, ctx.Err()
				}
				return dial(ctx, network, address)
			}
		})
		c.tokens.current = &earlierToken
		var group sync.WaitGroup
		for range 2 {
			group.Go(func() { _, _ = c.Studies(t.Context(), "A") })
			time.Sleep(100 * time.Millisecond)
		}
		group.Wait()
		time.Sleep(5 * time.Second) // the idle connection goes
		began := time.Now()
		if _, err := c.Studies(t.Context(), "C"); err != nil || time.Since(began) != time.Second {
			t.Errorf("%v after %s", err, time.Since(began))
		}
	})
}

// Only HTTP/1.1, whatever the server offers.
func TestNoHTTP2(t *testing.T) {
	t.Parallel()
	var proto atomic.Value
	server := httptest.NewUnstartedServer(answering(func(w http.ResponseWriter, r *http.Request) {
		proto.Store(r.Proto)
		_, _ = io.WriteString(w, `[]`)
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	config := testConfig(server.URL)
	config.RootCAs = server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	c := New(config)
	t.Cleanup(c.transport(t).CloseIdleConnections)
	if _, err := c.Studies(t.Context(), "A"); err != nil || proto.Load() != "HTTP/1.1" {
		t.Errorf("%v, %v", proto.Load(), err)
	}
}

// A proxy that refuses says so, once; one that has trouble is asked again.
func TestProxyThatRefuses(t *testing.T) {
	t.Parallel()
	for status, attempts := range map[int]int{http.StatusProxyAuthRequired: 1, http.StatusForbidden: 1, http.StatusServiceUnavailable: 2} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
			t.Cleanup(proxy.Close)
			config := testConfig("https://notifications.test")
			config.MaxRetries = 1
			c := New(config)
			c.transport(t).Proxy = func(*http.Request) (*url.URL, error) { return mustParse(proxy.URL), nil }
			c.tokens.current = &earlierToken
			_, err := c.SubmitNotification(t.Context(), aNotification())
			want := fmt.Sprintf("refused to connect: %d %s", status, http.StatusText(status))
			if failed := failure(t, err); failed.Attempts != attempts || failed.Outcome != NotSubmitted || !strings.Contains(err.Error(), want) {
				t.Errorf("%+v", failed)
			}
		})
	}
}

// A connection is given up before servers usually give it up.
func TestIdleConnectionsAreDropped(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		for _, pause := range []time.Duration{3 * time.Second, 5 * time.Second, 0} {
			if _, err := w.client.Studies(t.Context(), "ATLAS"); err != nil {
				t.Fatal(err)
			}
			time.Sleep(pause)
		}
		if got := w.Ledger().Connections; got != 2 {
			t.Errorf("%d connections, want one for the first 3 s and one after 5 s more", got)
		}
	})
}
