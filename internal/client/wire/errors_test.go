package wire

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
)

// answered is an error that came after a part of a response.
type answered struct{ error }

func (e answered) Unwrap() error { return e.error }

// What an error of net/http means: whether another attempt may help, and whether the server may
// have got the request. A server that wants a certificate has not looked at it.
func TestInterpretError(t *testing.T) {
	t.Parallel()
	alert := func(op string, code tls.AlertError) error { return &net.OpError{Op: op, Err: code} }
	notTLS := func(text, header string) error {
		return tls.RecordHeaderError{Msg: text, RecordHeader: [5]byte([]byte(header))}
	}
	const yes, no = true, false
	for name, test := range map[string]struct {
		err                error
		written            bool // according to net/http
		mayHaveIt, forGood bool
		text               string // it begins so
	}{
		"certificate alert": {alert("remote error", 116), yes, no, yes, "remote error: tls: cert"},
		"after a part of the response": {
			answered{alert("remote error", 116)}, yes, yes, no, "remote error: tls: cert",
		},
		"another alert":        {alert("remote error", 80), yes, yes, no, ""},
		"not of the server":    {alert("local error", 116), yes, yes, no, ""},
		"text of an alert":     {tls.AlertError(116), yes, yes, no, ""},
		"plain HTTP":           {notTLS("", "HTTP/"), no, no, yes, "the server speaks plain HTTP at"},
		"plain HTTP, after it": {notTLS("x", "HTTP/"), yes, yes, yes, "tls: x"},
		"another protocol":     {notTLS("x", "SSH-2"), no, no, yes, "tls: x"},
		"closed":               {io.EOF, yes, yes, no, "the connection was closed: EOF"},
		"not trusted": {
			&tls.CertificateVerificationError{Err: io.ErrNoProgress}, no, no, yes, "",
		},
		"cancelled":           {ErrCancelled, yes, yes, yes, "the operation was cancelled"},
		"time used up":        {ErrTimedOut, no, no, yes, "the time for the whole operation was used"},
		"time of the attempt": {ErrAttemptTimeout, yes, yes, no, "the time limit of one attempt"},
		"no connection":       {ErrAttemptTimeout, no, no, no, "there was no connection: the time limit"},
		"redirected for ever": {errTooManyRedirects, yes, yes, yes, ""},
		"proxy without a way": {
			&proxyError{"p:1", 502}, no, no, no, "the proxy p:1 refused to connect: 502 Bad Gateway",
		},
		"proxy that is busy": {&proxyError{status: 429}, no, no, no, ""},
		"proxy that gave up": {&proxyError{status: 408}, no, no, no, ""},
		"proxy that forbids": {&proxyError{status: 499}, no, no, yes, ""},
		"proxy that failed":  {&proxyError{status: 500}, no, no, no, ""},
		"anything else":      {io.ErrClosedPipe, no, no, no, ""},
	} {
		tracker := new(writeTracker)
		_, partly := errors.AsType[answered](test.err)
		tracker.responded.Store(partly)
		if test.written {
			tracker.conn.Store(new(countingConn))
		}
		failed := &Attempt{Err: test.err, Written: test.written}
		failed.interpretError(tracker)
		if failed.Written != test.mayHaveIt || failed.Permanent != test.forGood ||
			!strings.HasPrefix(failed.Err.Error(), test.text) {
			t.Errorf("%s: %+v", name, failed)
		}
	}
}
