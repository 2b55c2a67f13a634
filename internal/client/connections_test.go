package client

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"terraform-provider-notification/internal/emulator"
)

// At most 32 submissions and 32 other requests are in flight. Waiting for one of these slots does
// not count towards the timeout of an attempt. Each submission has a separate connection: a server
// may silently close a used one, which would make the next submission ambiguous.
func TestConcurrentAttemptsAreLimited(t *testing.T) {
	t.Parallel()
	requestToken := func(t *testing.T, c *Client, scope string) {
		if _, err := c.AccessToken(t.Context(), []string{scope}); err != nil {
			t.Error(err)
		}
	}
	var tokens, others atomic.Int32
	for name, test := range map[string]struct {
		request     func(t *testing.T, c *Client)
		connections int32 // for 65 requests
	}{
		"submissions": {mustSubmit, 65},
		"lookups":     {mustLookUp, 32},
		"tokens": {func(t *testing.T, c *Client) {
			requestToken(t, c, strconv.Itoa(int(tokens.Add(1))))
		}, 32},
		"lookups and tokens": {func(t *testing.T, c *Client) {
			if n := others.Add(1); n%2 == 0 {
				mustLookUp(t, c)
			} else {
				requestToken(t, c, strconv.Itoa(int(n)))
			}
		}, 32},
	} {
		t.Run(name, func(t *testing.T) {
			withTestEnv(t, func(_ *emulator.Config, c *Config) {
				c.RequestTimeout = 1500 * time.Millisecond
			}, func(t *testing.T, env *testEnv) {
				fetchToken(t, env.client)
				time.Sleep(time.Minute) // until its connection is closed
				env.latency = time.Second
				began, before := time.Now(), env.opened.Load()
				concurrently(65, func() { test.request(t, env.client) })
				if took, opened := time.Since(began), env.opened.Load()-before; took !=
					3*time.Second || opened != test.connections {
					t.Errorf("took %s, with %d connections, want 3s and %d", took, opened, test.connections)
				}
			})
		})
	}
}

// A submission that is cancelled while it waits for a slot was not sent, and leaves the slots to
// others. Lookups do not need one of these slots.
func TestCancelWhileWaitingForSlot(t *testing.T) {
	withTestEnv(t, nil, func(t *testing.T, env *testEnv) {
		fetchToken(t, env.client)
		env.setFaults(t, "submission", "delay:20s*32")
		began := time.Now()
		var underWay sync.WaitGroup
		for range 32 {
			underWay.Go(func() { mustSubmit(t, env.client) })
		}
		synctest.Wait()
		ctx, end := context.WithTimeout(t.Context(), 5*time.Second)
		defer end()
		concurrently(40, func() {
			_, err := env.client.SubmitNotification(ctx, testNotification(), "")
			if failed := asError(t, err); failed.Ambiguous || failed.Reason != TimedOut ||
				failed.Attempts != 1 || time.Since(began) != 5*time.Second {
				t.Errorf("%+v after %s", failed, time.Since(began))
			}
		})
		mustLookUp(t, env.client)
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("the lookup ended after %s", took)
		}
		underWay.Wait()
		concurrently(32, func() { mustSubmit(t, env.client) })
		if took := time.Since(began); took != 20*time.Second {
			t.Errorf("submissions after them ended after %s", took)
		}
		checkReceived(t, env.Emulator, 64, 64)
	})
}

// A submission that waits before its next attempt occupies no slot.
func TestWaitBetweenAttemptsNeedsNoSlot(t *testing.T) {
	withTestEnv(t, nil, func(t *testing.T, env *testEnv) {
		env.setFaults(t, "submission", "status:429:60*32")
		var waiting sync.WaitGroup
		for range 32 {
			waiting.Go(func() { mustSubmit(t, env.client) })
		}
		synctest.Wait()
		began := time.Now()
		mustSubmit(t, env.client)
		if took := time.Since(began); took != 0 {
			t.Errorf("waited %s", took)
		}
		waiting.Wait()
	})
}

// When writing fails, what the server sent before is still read: it may have accepted the request.
func TestResponseBeforeFailedWrite(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		response string
		attempts int
		outcome  outcome
		text     string // of the error, or why there is no id
	}{
		{"", 5, rejected, "connection reset by peer"},
		{"HTTP/1.1 201 Created\r\nContent-", 1, ambiguous, ""},
		{"HTTP/1.1 413 \r\n\r\n", 1, rejected, "413"},
		{"HTTP/1.1 201 \r\n\r\n{}", 1, accepted, "no member notification_id"},
	} {
		inBubble(t, test.response, func(t *testing.T) {
			attempts := 0
			c := dialingClient(func(context.Context, string, string) (net.Conn, error) {
				attempts++
				return &resetConn{response: test.response}, nil
			})
			receipt, err := c.SubmitNotification(t.Context(), testNotification(), "")
			checkOutcome(t, receipt, err, test.outcome, test.text)
			if attempts != test.attempts {
				t.Errorf("%d attempts, want %d", attempts, test.attempts)
			}
		})
	}
}

// resetConn is a connection whose server sends a response and resets the connection. Its client
// notices that when it writes, before it reads.
type resetConn struct {
	net.Conn

	response string
}

func (c *resetConn) Write([]byte) (int, error) { return 0, syscall.ECONNRESET }

func (c *resetConn) Read(p []byte) (int, error) {
	time.Sleep(time.Millisecond)
	n := copy(p, c.response)
	if c.response = c.response[n:]; n == 0 {
		return 0, syscall.ECONNRESET
	}
	return n, nil
}

func (c *resetConn) Close() error { return nil }

// A request that was written only in part cannot have been submitted, and is retried. One that was
// written completely is not, nor is one for which a byte of a response arrived: the server may have
// accepted it before it had read all of it. If the whole header arrived, its status decides.
func TestConnectionLostWhileWriting(t *testing.T) {
	t.Parallel()
	const whole = 1 << 20
	for name, test := range map[string]struct {
		size     int    // of the request
		taken    int64  // bytes that the server reads before it closes the connection
		response string // before that
		attempts int
		outcome  outcome
	}{
		"at once, from the buffer":      {10, 0, "", 5, rejected},
		"in the body":                   {20_000, 6000, "", 5, rejected},
		"in the body, after one byte":   {20_000, 6000, "H", 1, ambiguous},
		"in the body, in the header":    {20_000, 6000, "HTTP/1.1 201 Created\r\nContent-", 1, ambiguous},
		"in the body, after the header": {20_000, 6000, "HTTP/1.1 413 \r\n\r\n", 1, rejected},
		"after everything":              {20_000, whole, "", 1, ambiguous},
	} {
		inBubble(t, name, func(t *testing.T) {
			c := dialingClient(func(context.Context, string, string) (net.Conn, error) {
				client, server := net.Pipe()
				go func() {
					from := bufio.NewReader(io.LimitReader(server, test.taken))
					if r, err := http.ReadRequest(from); err == nil {
						_, _ = io.Copy(io.Discard, r.Body)
					}
					_, _ = io.WriteString(server, test.response)
					time.Sleep(time.Second)
					_ = server.Close()
				}()
				return client, nil
			})
			request := testNotification()
			request.Channels[0].Fields = map[string]string{"text": strings.Repeat("x", test.size)}
			receipt, err := c.SubmitNotification(t.Context(), request, "")
			checkOutcome(t, receipt, err, test.outcome, "")
			if failed := asError(t, err); failed.Attempts != test.attempts {
				t.Errorf("%+v, want %d attempts", *failed, test.attempts)
			}
		})
	}
}
