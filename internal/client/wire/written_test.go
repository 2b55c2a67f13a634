package wire

import (
	"crypto/tls"
	"io"
	"net/http/httptrace"
	"testing"
)

// A request counts as written if net/http reported no error for it, and wrote at least one byte of
// it to its last connection. If there is a response, as many bytes as the body has are enough.
func TestWritten(t *testing.T) {
	t.Parallel()
	oneByte := func(hooks *httptrace.ClientTrace, first, _ *countingConn) {
		hooks.GotConn(httptrace.GotConnInfo{Conn: tls.Client(tls.Client(first, nil), nil)})
		hooks.WroteRequest(httptrace.WroteRequestInfo{})
		first.written.Add(1)
	}
	for name, test := range map[string]struct {
		events func(hooks *httptrace.ClientTrace, first, second *countingConn)
		err    error // in place of a response
		want   bool
	}{
		"in the buffer only": {func(hooks *httptrace.ClientTrace, first, _ *countingConn) {
			first.written.Add(100) // of the handshake, or of other requests
			hooks.GotConn(httptrace.GotConnInfo{Conn: first})
			hooks.WroteRequest(httptrace.WroteRequestInfo{})
		}, io.EOF, false},
		"written":          {oneByte, io.EOF, true},
		"response to that": {oneByte, nil, true},
		"on a replaced connection": {func(hooks *httptrace.ClientTrace, first, second *countingConn) {
			hooks.GotConn(httptrace.GotConnInfo{Conn: first})
			hooks.WroteRequest(httptrace.WroteRequestInfo{})
			hooks.GotConn(httptrace.GotConnInfo{Conn: second})
			first.written.Add(1)
		}, io.EOF, false},
		"on the replacement": {func(hooks *httptrace.ClientTrace, first, second *countingConn) {
			hooks.GotConn(httptrace.GotConnInfo{Conn: first})
			hooks.WroteRequest(httptrace.WroteRequestInfo{Err: io.ErrClosedPipe})
			hooks.GotConn(httptrace.GotConnInfo{Conn: second})
			second.written.Add(1)
			hooks.WroteRequest(httptrace.WroteRequestInfo{})
		}, io.EOF, true},
		"response to all of the body": {func(hooks *httptrace.ClientTrace, first, _ *countingConn) {
			hooks.GotConn(httptrace.GotConnInfo{Conn: first})
			first.written.Add(100)
		}, nil, true},
		"response to a part": {func(hooks *httptrace.ClientTrace, first, _ *countingConn) {
			hooks.GotConn(httptrace.GotConnInfo{Conn: first})
			first.written.Add(99)
		}, nil, false},
	} {
		tracker := new(writeTracker)
		test.events(tracker.hooks(func() {}), new(countingConn), new(countingConn))
		if got := tracker.written(100, test.err); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
