package wire

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"testing"
)

func connInfo(conn net.Conn) httptrace.GotConnInfo { return httptrace.GotConnInfo{Conn: conn} }

func wroteInfo(err error) httptrace.WroteRequestInfo { return httptrace.WroteRequestInfo{Err: err} }

// Only bytes of this request count, on the last of its connections, and only when none is missing.
func TestWritten(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		happen func(hooks *httptrace.ClientTrace, first, second *countingConn)
		want   bool
	}{
		"no connection": {func(*httptrace.ClientTrace, *countingConn, *countingConn) {}, false},
		"not written": {func(hooks *httptrace.ClientTrace, first, _ *countingConn) {
			hooks.GotConn(connInfo(first))
		}, false},
		"in the buffer only": {func(hooks *httptrace.ClientTrace, first, _ *countingConn) {
			first.written.Add(100) // of other requests
			hooks.GotConn(connInfo(first))
			hooks.WroteRequest(wroteInfo(nil))
		}, false},
		"a part": {func(hooks *httptrace.ClientTrace, first, _ *countingConn) {
			hooks.GotConn(connInfo(first))
			first.written.Add(100)
			hooks.WroteRequest(wroteInfo(io.ErrClosedPipe))
		}, false},
		"whole": {func(hooks *httptrace.ClientTrace, first, _ *countingConn) {
			hooks.GotConn(connInfo(tls.Client(tls.Client(first, nil), nil)))
			hooks.WroteRequest(wroteInfo(nil))
			first.written.Add(1)
		}, true},
		"on a replaced one": {func(hooks *httptrace.ClientTrace, first, second *countingConn) {
			hooks.GotConn(connInfo(first))
			hooks.WroteRequest(wroteInfo(nil))
			hooks.GotConn(connInfo(second))
			first.written.Add(1)
		}, false},
		"on its replacement": {func(hooks *httptrace.ClientTrace, first, second *countingConn) {
			hooks.GotConn(connInfo(first))
			hooks.WroteRequest(wroteInfo(io.ErrClosedPipe))
			hooks.GotConn(connInfo(second))
			second.written.Add(1)
			hooks.WroteRequest(wroteInfo(nil))
		}, true},
	} {
		tracker := new(writeTracker)
		test.happen(tracker.trace(), new(countingConn), new(countingConn))
		if got := tracker.written(); got != test.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// What the operating system took counts, also of a write that failed.
func TestCountingConn(t *testing.T) {
	t.Parallel()
	conn := &countingConn{Conn: failingConn{}}
	if n, err := conn.Write([]byte("four")); n != 3 || !errors.Is(err, io.ErrClosedPipe) ||
		conn.written.Load() != 3 {
		t.Errorf("%d, %v, %d counted", n, err, conn.written.Load())
	}
}

type failingConn struct{ net.Conn }

func (failingConn) Write(p []byte) (int, error) { return len(p) - 1, io.ErrClosedPipe }

// close_notify is not part of a request, whatever it looks like on the wire.
func TestCloseNotifyIsNotCounted(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(nil)
	t.Cleanup(server.Close)
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		raw, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		counted := &countingConn{Conn: raw}
		config := server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
		config.ServerName, config.MinVersion, config.MaxVersion = "example.com", version, version
		conn := tls.Client(counted, config)
		if err := conn.HandshakeContext(t.Context()); err != nil {
			t.Fatal(err)
		}
		before := counted.written.Load()
		if _, err := io.WriteString(conn, "POST"); err != nil {
			t.Fatal(err)
		}
		after := counted.written.Load()
		if after == before {
			t.Errorf("%s: a request is not counted", tls.VersionName(version))
		}
		if err := conn.Close(); err != nil {
			t.Fatal(err)
		}
		if got := counted.written.Load(); got != after {
			t.Errorf("%s: close_notify counts as %d bytes of a request", tls.VersionName(version),
				got-after)
		}
	}
}

// Nothing as short as the header of a record is one.
func TestIsAlert(t *testing.T) {
	t.Parallel()
	for record, want := range map[string]bool{
		"": false, "\x15\x03\x03\x00\x02": false, "\x15\x03\x03\x00\x02\x01": true,
		"\x17\x03\x03\x00\x13" + "0123456789012345678":  true,
		"\x17\x03\x03\x00\x14" + "01234567890123456789": false,
		"\x16\x03\x03\x00\x13" + "0123456789012345678":  false,
	} {
		if isAlert([]byte(record)) != want {
			t.Errorf("%q", record)
		}
	}
}
