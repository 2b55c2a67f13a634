package client

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"terraform-provider-notification/internal/emulator"
	"terraform-provider-notification/internal/emulator/emulatortest"
)

// Windows has other error numbers than syscall.ECONNRESET and the like.
const (
	errWSAConnAborted = syscall.Errno(10053) // the error of a write after a reset
	errWSAConnReset   = syscall.Errno(10054)
)

// These faults break real TCP connections.
func TestBrokenConnections(t *testing.T) {
	t.Parallel()
	reset := []error{syscall.ECONNRESET, errWSAConnReset, errWSAConnAborted}
	if runtime.GOOS == "windows" {
		reset = append(reset, io.EOF) // with Wine
	}
	for fault, test := range map[string]struct {
		recorded int
		is       []error // one of these; nil for any
	}{
		"close-before": {0, nil}, // reset if the server did not read it in time
		"close-after":  {1, []error{io.EOF}},
		"reset-before": {0, reset},
		"reset-after":  {1, reset},
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			config := emulatorConfig()
			config.Faults = emulator.Faults{"submission": fault}
			e, root := emulatortest.Serve(t, config)
			c := New(testConfig(root))
			failed := mustNotSubmit(t, c)
			is := func(target error) bool { return errors.Is(failed, target) }
			if !failed.Ambiguous || failed.Attempts != 1 ||
				test.is != nil && !slices.ContainsFunc(test.is, is) {
				t.Errorf("got %+v", failed)
			}
			checkReceived(t, e, 1, test.recorded)
		})
	}
}

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
