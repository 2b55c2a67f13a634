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
)

// At most 32 submissions and 32 other requests are in flight. Waiting for one of these slots does
// not count towards the timeout of an attempt. Each submission has a separate connection: a server
// may silently close a used one, which would make the next submission ambiguous.
func TestConcurrentAttemptsAreLimited(t *testing.T) {
	t.Parallel()
	var others atomic.Int32
	for name, test := range map[string]struct {
		request     func(t *testing.T, c *Client)
		connections int32 // for 65 requests
	}{
		"submissions": {mustSubmit, 65},
		"lookups and tokens": {func(t *testing.T, c *Client) {
			if n := others.Add(1); n%2 == 0 {
				mustLookUp(t, c)
			} else if _, err := c.AccessToken(t.Context(), []string{strconv.Itoa(int(n))}); err != nil {
				t.Error(err)
			}
		}, 32},
	} {
		inBubble(t, name, func(t *testing.T) {
			config := testConfig()
			config.RequestTimeout = 1500 * time.Millisecond
			env := newTestEnv(t, config)
			fetchToken(t, env.client)
			time.Sleep(time.Minute) // until its connection is closed
			env.latency.Store(int64(time.Second))
			began, before := time.Now(), env.opened.Load()
			concurrently(65, func() { test.request(t, env.client) })
			took, opened := time.Since(began), env.opened.Load()-before
			if took != 3*time.Second || opened != test.connections {
				t.Errorf("took %s, want 3s; %d connections, want %d", took, opened, test.connections)
			}
		})
	}
}

// A submission that is cancelled while it waits for a slot was not sent, and leaves the slots to
// others. Lookups do not need one of these slots.
func TestCancelWhileWaitingForSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		env := newTestEnv(t, testConfig())
		fetchToken(t, env.client)
		env.setFaults(t, "submission", "delay:20s*32")
		began := time.Now()
		var underWay sync.WaitGroup
		underWay.Go(func() { concurrently(32, func() { mustSubmit(t, env.client) }) })
		synctest.Wait()
		ctx, end := context.WithTimeout(t.Context(), 5*time.Second)
		defer end()
		concurrently(40, func() {
			_, err := env.client.SubmitNotification(ctx, testNotification(), "")
			checkOutcome(t, nil, err, rejected, "the time for the whole operation was used up")
			if took := time.Since(began); asError(t, err).Attempts != 1 || took != 5*time.Second {
				t.Errorf("%v after %s", err, took)
			}
		})
		mustLookUp(t, env.client)
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("the lookup ended after %s", took)
		}
		underWay.Wait()
		concurrently(32, func() { mustSubmit(t, env.client) })
		took, ledger := time.Since(began), env.Ledger()
		if took != 20*time.Second || ledger.SubmissionRequests != 64 || ledger.Notifications != 64 {
			t.Errorf("submissions after them ended after %s, got %+v", took, ledger)
		}
	})
}

// A submission that waits before its next attempt occupies no slot.
func TestWaitBetweenAttemptsNeedsNoSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		env := newTestEnv(t, testConfig())
		env.setFaults(t, "submission", "status:429:60*32")
		var waiting sync.WaitGroup
		waiting.Go(func() { concurrently(32, func() { mustSubmit(t, env.client) }) })
		synctest.Wait()
		began := time.Now()
		mustSubmit(t, env.client)
		if took := time.Since(began); took != 0 {
			t.Errorf("waited %s", took)
		}
		waiting.Wait()
	})
}

// A request that was written only in part cannot have been submitted, and is retried. One that was
// written completely is not, nor is one for which a byte of a response arrived: the server may have
// accepted it before it had read all of it. If the whole header arrived, its status decides. What
// the server sent is read even if writing fails before.
func TestConnectionLostWhileWriting(t *testing.T) {
	t.Parallel()
	const whole, noID = 1 << 20, "no member notification_id"
	for name, test := range map[string]struct {
		size     int    // of the request
		taken    int64  // bytes that the server reads before it closes the connection; -1: writing fails
		response string // before that
		attempts int
		outcome  outcome
		text     string // of the error, or why there is no id
	}{
		// size, bytes taken, response, attempts, outcome, text
		"at once, from the buffer":      {10, 0, "", 5, rejected, "closed"},
		"in the body":                   {20_000, 6000, "", 5, rejected, "closed"},
		"in the body, after one byte":   {20_000, 6000, "H", 1, ambiguous, "closed"},
		"in the body, after the header": {20_000, 6000, "HTTP/1.1 413 \r\n\r\n", 1, rejected, "413"},
		"after everything":              {20_000, whole, "", 1, ambiguous, "closed"},

		"reset":                   {10, -1, "", 5, rejected, "closed"},
		"reset, in the header":    {10, -1, "HTTP/1.1 201 Created\r\nContent-", 1, ambiguous, ""},
		"reset, after a response": {10, -1, "HTTP/1.1 201 \r\n\r\n{}", 1, accepted, noID},
	} {
		inBubble(t, name, func(t *testing.T) {
			attempts := 0
			config := testConfig()
			config.Dial = func(context.Context, string, string) (net.Conn, error) {
				attempts++
				client, server := net.Pipe()
				go func() {
					from := bufio.NewReader(io.LimitReader(server, test.taken))
					if r, err := http.ReadRequest(from); err == nil {
						_, _ = io.Copy(io.Discard, r.Body)
					}
					time.Sleep(time.Millisecond) // for the write that fails
					_, _ = io.WriteString(server, test.response)
					time.Sleep(50 * time.Millisecond)
					_ = server.Close()
				}()
				if test.taken < 0 {
					return &resetConn{client}, nil
				}
				return client, nil
			}
			c := New(config)
			presetToken(c)
			request := testNotification()
			request.Channels[0].Fields = map[string]string{"text": strings.Repeat("x", test.size)}
			receipt, err := c.SubmitNotification(t.Context(), request, "")
			checkOutcome(t, receipt, err, test.outcome, test.text)
			if attempts != test.attempts {
				t.Errorf("%d attempts, want %d", attempts, test.attempts)
			}
		})
	}
}

// resetConn is a connection that was reset, but from which a response may still be read.
type resetConn struct{ net.Conn }

func (*resetConn) Write([]byte) (int, error) { return 0, syscall.ECONNRESET }
