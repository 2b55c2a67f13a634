package client

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// A request that was written only in part cannot have been submitted, and is retried. One that was
// written completely is not.
func TestConnectionLostWhileWriting(t *testing.T) {
	t.Parallel()
	const whole = 1 << 20
	for name, test := range map[string]struct {
		size     int   // of the request
		taken    int64 // bytes that the server reads before it closes the connection
		attempts int
		outcome  outcome
	}{
		"at once":                  {20_000, 0, 5, rejected},
		"at once, from the buffer": {10, 0, 5, rejected},
		"in the body":              {20_000, 6000, 5, rejected},
		"after everything":         {20_000, whole, 1, ambiguous},
	} {
		inBubble(t, name, func(t *testing.T) {
			c := dialingClient(func(context.Context, string, string) (net.Conn, error) {
				client, server := net.Pipe()
				go func() {
					from := bufio.NewReader(io.LimitReader(server, test.taken))
					if r, err := http.ReadRequest(from); err == nil {
						_, _ = io.Copy(io.Discard, r.Body)
					}
					_ = server.Close()
				}()
				return client, nil
			})
			request := testNotification()
			request.Channels[0].Fields = map[string]string{"text": strings.Repeat("x", test.size)}
			receipt, err := c.SubmitNotification(t.Context(), request, "")
			checkOutcome(t, receipt, err, test.outcome, "")
			if failed := asError(t, err); failed.Attempts != test.attempts {
				t.Errorf("%+v", failed)
			}
		})
	}
}
