package wire

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"
)

// An error says whether another attempt may succeed, and whether the server may have received the
// request. A server that requires a client certificate has not processed it.
func TestInterpret(t *testing.T) {
	t.Parallel()
	alert := func(op string, code tls.AlertError) error { return &net.OpError{Op: op, Err: code} }
	network := func(op string, err error) error { return &net.OpError{Op: op, Net: "tcp", Err: err} }
	notTLS := func(text, header string) error {
		return tls.RecordHeaderError{Msg: text, RecordHeader: [5]byte([]byte(header))}
	}
	const yes, no = true, false
	for name, test := range map[string]struct {
		err                        error
		connected, sent, permanent bool
		text                       string // prefix of the error
	}{
		// error, connected, want sent, permanent, text
		"certificate alert": {
			alert("remote error", 116), yes, no, yes, "remote error: tls: cert",
		},
		"another alert":       {alert("remote error", 80), yes, yes, no, ""},
		"local alert":         {alert("local error", 116), yes, yes, no, ""},
		"handshake failure":   {alert("remote error", 40), no, no, no, ""},
		"no TLS":              {notTLS("x", "HTTP/"), no, no, yes, "the server does not speak TLS ("},
		"no TLS, but written": {notTLS("x", "HTTP/"), yes, yes, yes, "tls: x"},
		"closed":              {io.EOF, yes, yes, no, "the connection was closed before a response"},
		"reset": {
			network("read", syscall.ECONNRESET), yes, yes, no,
			"the connection was reset before a response arrived",
		},
		"refused": {
			network("proxyconnect", network("dial", syscall.ECONNREFUSED)), no, no, no,
			"proxyconnect: dial: connection refused",
		},
		"a proxy hangs up": {
			network("proxyconnect", io.EOF), no, no, no,
			"the connection was closed before a response arrived (proxyconnect: EOF)",
		},
		"a proxy without TLS": {
			network("proxyconnect", notTLS("x", "HTTP/")), no, no, yes,
			"the server does not speak TLS (proxyconnect: tls: x)",
		},
		"a proxy is silent": {context.DeadlineExceeded, no, no, no, "a time limit was reached"},
		"not trusted": {
			&tls.CertificateVerificationError{Err: io.ErrNoProgress}, no, no, yes, "",
		},
		"cancelled":          {ErrCancelled, yes, yes, yes, "the operation was cancelled before "},
		"deadline":           {ErrTimedOut, no, no, yes, "the time for the whole operation"},
		"attempt timeout":    {ErrAttemptTimeout, yes, yes, no, "the time limit of one attempt"},
		"no connection":      {ErrAttemptTimeout, no, no, no, "there was no connection ("},
		"too many redirects": {errTooManyRedirects, yes, yes, yes, ""},
		"proxy with 499":     {&proxyError{status: 499}, no, no, yes, ""},
		"proxy with 500":     {&proxyError{status: 500}, no, no, no, ""},
	} {
		tracker := new(connTracker)
		if test.connected {
			tracker.gotConn.Store(new(time.Time))
		}
		sent := tracker.maySend(test.err)
		permanent, err := interpret(test.err, test.connected)
		if sent != test.sent || permanent != test.permanent ||
			!strings.HasPrefix(err.Error(), test.text) {
			t.Errorf("%s: sent %t, permanent %t, %v", name, sent, permanent, err)
		}
	}
}
