package client

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Each submission has a separate connection: a server may silently close a used one, which would
// make the next submission ambiguous. Lookups and token requests share others. Requests do not wait
// for each other.
func TestConnections(t *testing.T) {
	t.Parallel()
	var others atomic.Int32
	for name, test := range map[string]struct {
		request func(t *testing.T, c *Client)
		after   int32 // connections after 64 requests at once
		more    int32 // for 64 more, one after the other
	}{
		"submissions": {mustSubmit, 64, 64},
		"lookups and tokens": {func(t *testing.T, c *Client) {
			if n := others.Add(1); n%2 == 0 {
				mustLookUp(t, c)
			} else if _, err := c.ObtainAccessToken(t.Context(), []string{strconv.Itoa(int(n))}); err != nil {
				t.Error(err)
			}
		}, 64, 0},
	} {
		inBubble(t, name, func(t *testing.T) {
			env := newTestEnv(t, testConfig())
			fetchToken(t, env.client)
			time.Sleep(time.Minute) // until its connection is closed
			env.latency.Store(int64(time.Second))
			began, before := time.Now(), env.opened.Load()
			concurrently(64, func() { test.request(t, env.client) })
			took, after := time.Since(began), env.opened.Load()
			for range 64 {
				test.request(t, env.client)
			}
			more := env.opened.Load() - after
			if took != time.Second || after-before != test.after || more != test.more {
				t.Errorf("took %s; %d and %d connections, want %+v", took, after-before, more, test)
			}
		})
	}
}

// Once a request has a connection, the server may have accepted it, even if it was written in part.
// If the whole header of a response arrived, its status decides.
func TestConnectionLostWhileWriting(t *testing.T) {
	t.Parallel()
	const whole = 1 << 20
	for name, test := range map[string]struct {
		taken    int64  // bytes that the server reads before it closes the connection
		response string // before that
		outcome  outcome
		text     string // of the error
	}{
		"at once":          {0, "", ambiguous, "closed"},
		"in the body":      {6000, "", ambiguous, "closed"},
		"after 413":        {whole, "HTTP/1.1 413 \r\n\r\n", rejected, "413"},
		"after everything": {whole, "", ambiguous, "closed"},
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
					_, _ = io.WriteString(server, test.response)
					_ = server.Close()
				}()
				return client, nil
			}
			c := New(config)
			presetToken(c)
			request := testNotification()
			request.Channels[0].Fields = map[string]string{"text": strings.Repeat("x", 20_000)}
			receipt, err := c.SubmitNotification(t.Context(), request, "")
			checkOutcome(t, receipt, err, test.outcome, test.text)
			if attempts != 1 {
				t.Errorf("%d attempts", attempts)
			}
		})
	}
}
