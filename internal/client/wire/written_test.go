package wire

import (
	"crypto/tls"
	"io"
	"net/http/httptrace"
	"testing"
)

// A request counts as written if net/http reported no error for it, and wrote at least one byte of
// it to its last connection.
func TestWrittenToLastConnection(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		events func(hooks *httptrace.ClientTrace, first, second *countingConn)
		want   bool
	}{
		"in the buffer only": {func(hooks *httptrace.ClientTrace, first, _ *countingConn) {
			first.written.Add(100) // of the handshake, or of other requests
			hooks.GotConn(httptrace.GotConnInfo{Conn: first})
			hooks.WroteRequest(httptrace.WroteRequestInfo{})
		}, false},
		"written": {func(hooks *httptrace.ClientTrace, first, _ *countingConn) {
			hooks.GotConn(httptrace.GotConnInfo{Conn: tls.Client(tls.Client(first, nil), nil)})
			hooks.WroteRequest(httptrace.WroteRequestInfo{})
			first.written.Add(1)
		}, true},
		"on a replaced connection": {func(hooks *httptrace.ClientTrace, first, second *countingConn) {
			hooks.GotConn(httptrace.GotConnInfo{Conn: first})
			hooks.WroteRequest(httptrace.WroteRequestInfo{})
			hooks.GotConn(httptrace.GotConnInfo{Conn: second})
			first.written.Add(1)
		}, false},
		"on the replacement": {func(hooks *httptrace.ClientTrace, first, second *countingConn) {
			hooks.GotConn(httptrace.GotConnInfo{Conn: first})
			hooks.WroteRequest(httptrace.WroteRequestInfo{Err: io.ErrClosedPipe})
			hooks.GotConn(httptrace.GotConnInfo{Conn: second})
			second.written.Add(1)
			hooks.WroteRequest(httptrace.WroteRequestInfo{})
		}, true},
	} {
		tracker := new(writeTracker)
		test.events(tracker.hooks(func() {}), new(countingConn), new(countingConn))
		if got := tracker.written(100, io.ErrClosedPipe); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
