package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"terraform-provider-notification/internal/emulator"
)

// answering is a service with tokens that answers everything else with handler.
func answering(handler http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/oauth2/token" {
			_, _ = fmt.Fprint(w, `{"access_token":"earlier","token_type":"Bearer"}`)
			return
		}
		handler(w, r)
	}
}

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

// What an accepted answer is called does not unsend the notification.
func TestAcceptedAnswersCalledHTML(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		``:                                "the answer was empty",
		`{"notification_id":"3f25`:        "is not a JSON object",
		`{"notification_id":"3f25"}`:      "",
		"\xef\xbb\xbf{\"status\":\"ok\"}": "has no member notification_id",
	} {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := scriptedClient(t, answering(func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "text/html; charset=utf-8")
					w.WriteHeader(http.StatusAccepted)
					_, _ = io.WriteString(w, body)
				}), nil)
				receipt, err := c.SubmitNotification(t.Context(), aNotification())
				if err != nil || (receipt.MissingID == "") != (want == "") || !strings.Contains(receipt.MissingID, want) {
					t.Errorf("%+v, %v", receipt, err)
				}
			})
		})
	}
}

// A switch to another protocol is an answer like any other, and ends.
func TestSwitchingProtocols(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := scriptedClient(t, answering(func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")
			_, _ = io.Copy(io.Discard, conn)
			_ = conn.Close()
		}), nil)
		_, err := c.SubmitNotification(t.Context(), aNotification())
		if failed := failure(t, err); failed.Outcome != PossiblySubmitted || failed.Status != http.StatusSwitchingProtocols {
			t.Errorf("%+v", failed)
		}
	})
}

// A connection that the server had closed took nothing, also where TLS said
// goodbye on it.
func TestIdleConnectionClosedByTheServer(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(answering(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"notification_id":"x"}`) }))
	t.Cleanup(server.Close)
	config := testConfig(server.URL)
	config.RootCAs = server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	config.MaxRetries = 1
	var conns []*endingConn
	config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		ending := &endingConn{Conn: conn, ended: make(chan struct{})}
		conns = append(conns, ending)
		return ending, err
	}
	c := New(config)
	t.Cleanup(c.transport(t).CloseIdleConnections)
	if _, err := c.SubmitNotification(t.Context(), aNotification()); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) {
		once.Do(func() { // just when it is chosen
			conns[0].end(t)
			<-conns[0].closed()
		})
	}})
	if _, err := c.SubmitNotification(ctx, aNotification()); err != nil {
		t.Error(err)
	}
}

// endingConn can come to its end as if the server had closed it.
type endingConn struct {
	net.Conn

	once  sync.Once
	eof   atomic.Bool
	ended chan struct{}
}

func (c *endingConn) end(t *testing.T) {
	c.eof.Store(true)
	if err := c.SetReadDeadline(time.Unix(1, 0)); err != nil {
		t.Error(err)
	}
}

func (c *endingConn) closed() <-chan struct{} { return c.ended }

func (c *endingConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.eof.Load() {
		return 0, io.EOF
	}
	return n, err
}

func (c *endingConn) Close() error {
	defer c.once.Do(func() { close(c.ended) })
	return c.Conn.Close()
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

// The time in an error is that of the request, not of the wait for its token.
func TestTimeOfTheRequest(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		w.setFaults(t, "token", "delay:25s")
		w.setFaults(t, "submission", "status:500")
		began := time.Now()
		_, err := w.client.SubmitNotification(t.Context(), aNotification())
		if got := failure(t, err).Time.Sub(began); got != 25*time.Second {
			t.Errorf("%s after the beginning", got)
		}
	})
}

// A dial that times out by itself is a network error: the operation goes on.
func TestDialTimeoutIsRepeated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var dials atomic.Int32
		c := scriptedClient(t, answering(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"notification_id":"x"}`) }), func(config *Config) {
			dial := config.Dial
			config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
				if dials.Add(1) <= 2 {
					return nil, &net.OpError{Op: "dial", Net: "tcp", Err: context.DeadlineExceeded}
				}
				return dial(ctx, network, address)
			}
		})
		if _, err := c.SubmitNotification(t.Context(), aNotification()); err != nil || dials.Load() != 3 {
			t.Errorf("%d dials, %v", dials.Load(), err)
		}
	})
}

// With no attempt left nobody speaks of a wait, and with one left and no time for
// it the reason of the last failure is told.
func TestLastWords(t *testing.T) {
	t.Run("no attempt left", func(t *testing.T) {
		inWorld(t, func(_ *emulator.Config, c *Config) { c.MaxRetries = 0 }, func(t *testing.T, w *world) {
			w.setFaults(t, "submission", "status:429:600")
			_, err := w.client.SubmitNotification(t.Context(), aNotification())
			if strings.Contains(err.Error(), "next attempt") {
				t.Error(err)
			}
		})
	})
	t.Run("no time left", func(t *testing.T) {
		inWorld(t, nil, func(t *testing.T, w *world) {
			refused := errors.New("connection refused")
			c := newClientDialing(w.client, func(context.Context, string, string) (net.Conn, error) { return nil, refused })
			c.tokens.current = &earlierToken
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			defer cancel()
			_, err := c.SubmitNotification(ctx, aNotification())
			if !errors.Is(err, refused) || !strings.Contains(err.Error(), "connection refused; the next attempt would be due in") {
				t.Error(err)
			}
		})
	})
}

// A redirect to something that is no address is the status that came, without the
// query that it may hold.
func TestUnreadableLocation(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := scriptedClient(t, answering(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://%zz/?token=canary")
			w.WriteHeader(http.StatusFound)
		}), nil)
		_, err := c.SubmitNotification(t.Context(), aNotification())
		if failed := failure(t, err); failed.Status != http.StatusFound || strings.Contains(err.Error(), "canary") {
			t.Error(err)
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

// What is sensitive in one notification is not quoted, however the service spells it.
func TestSecretFieldsAreNotQuoted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := scriptedClient(t, answering(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Request-Id", "id-abc/def+gh==")
			w.WriteHeader(http.StatusUnprocessableEntity)
			_, _ = io.WriteString(w, `{"unknown":"abc\/def+gh== abc\u002fdef+gh== abc%2fdef%2bgh%3d%3d"}`)
		}), nil)
		request := aNotification()
		request.Channels[0].SecretFields = map[string]string{"pin": "abc/def+gh==", "n": "1"}
		_, err := c.SubmitNotification(t.Context(), request)
		if text := err.Error(); strings.Contains(text, "abc") || strings.Count(text, "***") != 4 {
			t.Error(text)
		}
	})
}

// A proxy that refuses says so, once.
func TestProxyThatRefuses(t *testing.T) {
	t.Parallel()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusProxyAuthRequired) }))
	t.Cleanup(proxy.Close)
	c := New(testConfig("https://notifications.test"))
	c.transport(t).Proxy = func(*http.Request) (*url.URL, error) { return mustParse(proxy.URL), nil }
	c.tokens.current = &earlierToken
	_, err := c.SubmitNotification(t.Context(), aNotification())
	if failed := failure(t, err); failed.Attempts != 1 || !strings.Contains(err.Error(), "the proxy 127.0.0.1:") || !strings.Contains(err.Error(), "407 Proxy Authentication Required") {
		t.Errorf("%+v", failed)
	}
}
