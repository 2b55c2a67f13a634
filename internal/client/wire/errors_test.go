package wire

import (
	"crypto/tls"
	"io"
	"net"
	"strings"
	"testing"
)

// What an error of net/http means: whether another attempt may help, and whether the
// server may have got the request. A server that wants a certificate has not looked
// at it, unless it has taken a certificate on the same connection before.
func TestErrors(t *testing.T) {
	t.Parallel()
	alert := func(op string, code tls.AlertError) error { return &net.OpError{Op: op, Err: code} }
	notTLS := func(text, header string) error {
		return tls.RecordHeaderError{Msg: text, RecordHeader: [5]byte([]byte(header))}
	}
	for name, test := range map[string]struct {
		err                      error
		used, written            bool // by an earlier request; by this one
		wantWritten, wantForGood bool
		text                     string
	}{
		"alert, new connection": {alert("remote error", 116), false, true, false, true,
			"certificate required"},
		"alert, used connection": {alert("remote error", 116), true, true, true, false, ""},
		"another alert":          {alert("remote error", 80), false, true, true, false, ""},
		"not of the server":      {alert("local error", 116), false, true, true, false, ""},
		"text of an alert":       {tls.AlertError(116), false, true, true, false, ""},
		"plain HTTP": {notTLS("", "HTTP/"), false, false, false, true,
			"speaks plain HTTP at an https address"},
		"plain HTTP, after it": {notTLS("x", "HTTP/"), false, true, true, true, "tls: x"},
		"another protocol":     {notTLS("x", "SSH-2"), false, false, false, true, "tls: x"},
		"closed": {io.EOF, false, true, true, false,
			"the connection was closed: EOF"},
		"not trusted": {&tls.CertificateVerificationError{Err: io.ErrNoProgress}, false, false,
			false, true, ""},
		"cancelled": {ErrCancelled, false, true, true, true, "the operation was cancelled"},
		"time used up": {ErrTimedOut, false, false, false, true,
			"the time for the whole operation was used up"},
		"time of the attempt": {ErrAttemptTimeout, false, true, true, false, ""},
		"redirected for ever": {errTooManyRedirects, false, true, true, true, ""},
		"proxy without a way": {&proxyError{proxy: "p:1", status: 502}, false, false, false, false,
			"the proxy p:1 refused to connect: 502 Bad Gateway"},
		"proxy that is busy": {&proxyError{status: 429}, false, false, false, false, ""},
		"proxy that gave up": {&proxyError{status: 408}, false, false, false, false, ""},
		"proxy that forbids": {&proxyError{status: 499}, false, false, false, true, ""},
		"proxy that failed":  {&proxyError{status: 500}, false, false, false, false, ""},
		"anything else":      {io.ErrClosedPipe, false, false, false, false, ""},
	} {
		tracker, conn := new(writeTracker), new(countingConn)
		conn.used.Store(test.used)
		hooks := tracker.trace()
		hooks.GotConn(connInfo(conn))
		if test.written {
			conn.written.Add(1)
			hooks.WroteRequest(wroteInfo(nil))
		}
		failed := &Attempt{Err: test.err, Written: tracker.written()}
		failed.explain(tracker)
		if failed.Written != test.wantWritten || failed.Permanent != test.wantForGood ||
			!strings.Contains(failed.Err.Error(), test.text) ||
			strings.Contains(failed.Err.Error(), "plain HTTP") != (name == "plain HTTP") {
			t.Errorf("%s: %+v", name, failed)
		}
	}
}
