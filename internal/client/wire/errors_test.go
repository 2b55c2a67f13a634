package wire

import (
	"crypto/tls"
	"io"
	"net"
	"strings"
	"testing"
)

// An error says whether another attempt may succeed, and whether the server may have received the
// request. A server that requires a client certificate has not processed it.
func TestInterpret(t *testing.T) {
	t.Parallel()
	alert := func(op string, code tls.AlertError) error { return &net.OpError{Op: op, Err: code} }
	notTLS := func(text, header string) error {
		return tls.RecordHeaderError{Msg: text, RecordHeader: [5]byte([]byte(header))}
	}
	const yes, no = true, false
	for name, test := range map[string]struct {
		err                    error
		written                bool // according to net/http
		responded              bool // whether a part of a response arrived
		wantWritten, permanent bool
		text                   string // prefix of the error
	}{
		// error, written, part of a response arrived, want written, permanent, text
		"certificate alert": {
			alert("remote error", 116), yes, no, no, yes, "remote error: tls: cert",
		},
		"certificate alert after part of a response": {
			alert("remote error", 116), yes, yes, yes, no, "remote error: ",
		},
		"another alert":       {alert("remote error", 80), yes, no, yes, no, ""},
		"local alert":         {alert("local error", 116), yes, no, yes, no, ""},
		"handshake failure":   {alert("remote error", 40), no, no, no, no, ""},
		"no TLS":              {notTLS("x", "HTTP/"), no, no, no, yes, "the server does not speak TLS ("},
		"no TLS, but written": {notTLS("x", "HTTP/"), yes, no, yes, yes, "tls: x"},
		"closed":              {io.EOF, yes, no, yes, no, "the connection was closed before a response"},
		"not trusted": {
			&tls.CertificateVerificationError{Err: io.ErrNoProgress}, no, no, no, yes, "",
		},
		"cancelled":          {ErrCancelled, yes, no, yes, yes, "the operation was cancelled before "},
		"deadline":           {ErrTimedOut, no, no, no, yes, "the time for the whole operation"},
		"attempt timeout":    {ErrAttemptTimeout, yes, no, yes, no, "the time limit of one attempt"},
		"no connection":      {ErrAttemptTimeout, no, no, no, no, "there was no connection ("},
		"too many redirects": {errTooManyRedirects, yes, no, yes, yes, ""},
		"proxy with 499":     {&proxyError{status: 499}, no, no, no, yes, ""},
		"proxy with 500":     {&proxyError{status: 500}, no, no, no, no, ""},
	} {
		tracker := new(writeTracker)
		tracker.responded.Store(test.responded)
		if test.written {
			conn := new(countingConn)
			conn.written.Add(1)
			tracker.conn.Store(conn)
			tracker.complete.Store(true)
		}
		written := tracker.written(1, test.err)
		permanent, err := interpret(test.err, written, tracker)
		if written != test.wantWritten || permanent != test.permanent ||
			!strings.HasPrefix(err.Error(), test.text) {
			t.Errorf("%s: written %t, permanent %t, %v", name, written, permanent, err)
		}
	}
}
