package wire

import (
	"crypto/tls"
	"io"
	"net"
	"net/http/httptrace"
	"testing"
)

func connInfo(conn net.Conn) httptrace.GotConnInfo { return httptrace.GotConnInfo{Conn: conn} }

func wroteInfo(err error) httptrace.WroteRequestInfo { return httptrace.WroteRequestInfo{Err: err} }

// A request counts as written if net/http reported no error for it, and wrote at least one byte of
// it to its last connection.
func TestWritten(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		events func(hooks *httptrace.ClientTrace, first, second *countingConn)
		want   bool
	}{
		"in the buffer only": {func(hooks *httptrace.ClientTrace, first, _ *countingConn) {
			first.written.Add(100) // of the handshake, or of other requests
			hooks.GotConn(connInfo(first))
			hooks.WroteRequest(wroteInfo(nil))
		}, false},
		"written": {func(hooks *httptrace.ClientTrace, first, _ *countingConn) {
			hooks.GotConn(connInfo(tls.Client(tls.Client(first, nil), nil)))
			hooks.WroteRequest(wroteInfo(nil))
			first.written.Add(1)
		}, true},
		"on a replaced connection": {func(hooks *httptrace.ClientTrace, first, second *countingConn) {
			hooks.GotConn(connInfo(first))
			hooks.WroteRequest(wroteInfo(nil))
			hooks.GotConn(connInfo(second))
			first.written.Add(1)
		}, false},
		"on the replacement": {func(hooks *httptrace.ClientTrace, first, second *countingConn) {
			hooks.GotConn(connInfo(first))
			hooks.WroteRequest(wroteInfo(io.ErrClosedPipe))
			hooks.GotConn(connInfo(second))
			second.written.Add(1)
			hooks.WroteRequest(wroteInfo(nil))
		}, true},
	} {
		tracker := new(writeTracker)
		test.events(tracker.hooks(func() {}), new(countingConn), new(countingConn))
		if got := tracker.written(); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
