package client

import (
	"context"
	"errors"
	"io"
	"net"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"terraform-provider-notification/internal/emulator"
	"terraform-provider-notification/internal/emulator/emulatortest"
)

// Windows' own numbers of errors, which syscall.ECONNRESET and the like do not match there.
const (
	errWSAConnAborted = syscall.Errno(10053) // what a write meets after a reset
	errWSAConnReset   = syscall.Errno(10054)
)

// Real connections that really break.
func TestBrokenConnections(t *testing.T) {
	t.Parallel()
	reset := []error{syscall.ECONNRESET, errWSAConnReset, errWSAConnAborted}
	if runtime.GOOS == "windows" {
		reset = append(reset, io.EOF) // with wine, by which Windows is tried elsewhere
	}
	for fault, test := range map[string]struct {
		recorded int
		is       []error // any of them
	}{
		"close-before": {0, nil}, // reset where it was not read in time
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
			failed := notSubmitted(t, c)
			is := func(target error) bool { return errors.Is(failed, target) }
			if !failed.Ambiguous || failed.Attempts != 1 ||
				test.is != nil && !slices.ContainsFunc(test.is, is) {
				t.Errorf("got %+v", failed)
			}
			received(t, e, 1, test.recorded)
		})
	}
}

// A request of which only a part was written cannot have been submitted, and is retried; one that
// was written whole is not.
func TestConnectionLostWhileWriting(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		size      int // of the request
		allow     int // bytes that the connection takes before it breaks
		attempts  int
		ambiguous bool
	}{
		"at once":                  {20_000, 0, 5, false},
		"at once, from the buffer": {10, 0, 5, false},
		"in the body":              {20_000, 6000, 5, false},
		"after everything":         {20_000, 1 << 20, 1, true},
	} {
		inBubble(t, name, func(t *testing.T) {
			c := dialingClient(func(context.Context, string, string) (net.Conn, error) {
				return &breakingConn{left: test.allow, broken: make(chan struct{})}, nil
			})
			request := aNotification()
			request.Channels[0].Fields = map[string]string{"text": strings.Repeat("x", test.size)}
			_, err := c.SubmitNotification(t.Context(), request, "")
			if failed := failure(t, err); failed.Attempts != test.attempts ||
				failed.Ambiguous != test.ambiguous {
				t.Errorf("%+v", failed)
			}
		})
	}
}

// breakingConn takes some bytes and breaks; when it has taken a whole request it breaks as well.
type breakingConn struct {
	net.Conn

	left   int
	broken chan struct{}
}

func (c *breakingConn) Write(p []byte) (int, error) {
	if len(p) > c.left {
		n := c.left
		c.left = 0
		return n, errors.New("broken pipe")
	}
	c.left -= len(p)
	if strings.HasSuffix(string(p), `"}`) {
		_ = c.Close()
	}
	return len(p), nil
}

func (c *breakingConn) Read([]byte) (int, error) {
	<-c.broken
	return 0, errors.New("connection reset by peer")
}

func (c *breakingConn) Close() error {
	select {
	case <-c.broken:
	default:
		close(c.broken)
	}
	return nil
}
