package wire

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// responded is an error that occurred after a part of a response.
type responded struct{ error }

func (e responded) Unwrap() error { return e.error }

// interpretError decides whether another attempt may succeed, and whether the server may have
// received the request. A server that requires a client certificate has not processed it.
func TestInterpretError(t *testing.T) {
	t.Parallel()
	alert := func(op string, code tls.AlertError) error { return &net.OpError{Op: op, Err: code} }
	notTLS := func(text, header string) error {
		return tls.RecordHeaderError{Msg: text, RecordHeader: [5]byte([]byte(header))}
	}
	const yes, no = true, false
	for name, test := range map[string]struct {
		err                    error
		written                bool // according to net/http
		wantWritten, permanent bool
		reason                 Reason
		text                   string // prefix of the error
	}{
		"certificate alert": {
			alert("remote error", 116), yes, no, yes, CertificateRejected, "remote error: tls: cert",
		},
		"certificate alert after part of a response": {
			responded{alert("remote error", 116)}, yes, yes, no, CertificateRejected, "remote error: ",
		},
		"another alert":         {alert("remote error", 80), yes, yes, no, NoResponse, ""},
		"local alert":           {alert("local error", 116), yes, yes, no, NoResponse, ""},
		"handshake failure":     {alert("remote error", 40), no, no, no, HandshakeFailed, ""},
		"alert without OpError": {tls.AlertError(116), yes, yes, no, NoResponse, ""},
		"plain HTTP":            {notTLS("", "HTTP/"), no, no, yes, PlainHTTP, "the server speaks plain"},
		"plain HTTP, written":   {notTLS("x", "HTTP/"), yes, yes, yes, PlainHTTP, "tls: x"},
		"another protocol":      {notTLS("x", "SSH-2"), no, no, yes, NoResponse, "tls: x"},
		"closed":                {io.EOF, yes, yes, no, NoResponse, "the connection was closed: EOF"},
		"not trusted": {
			&tls.CertificateVerificationError{Err: io.ErrNoProgress}, no, no, yes, UntrustedCertificate, "",
		},
		"cancelled":          {ErrCancelled, yes, yes, yes, Cancelled, "the operation was cancelled"},
		"deadline":           {ErrTimedOut, no, no, yes, TimedOut, "the time for the whole operation"},
		"attempt timeout":    {ErrAttemptTimeout, yes, yes, no, NoResponse, "the time limit of one attempt"},
		"no connection":      {ErrAttemptTimeout, no, no, no, NoResponse, "there was no connection: "},
		"too many redirects": {errTooManyRedirects, yes, yes, yes, NoResponse, ""},
		"proxy with 429":     {&proxyError{status: 429}, no, no, no, NoResponse, ""},
		"proxy with 408":     {&proxyError{status: 408}, no, no, no, NoResponse, ""},
		"proxy with 499":     {&proxyError{status: 499}, no, no, yes, NoResponse, ""},
		"proxy with 500":     {&proxyError{status: 500}, no, no, no, NoResponse, ""},
		"anything else":      {io.ErrClosedPipe, no, no, no, NoResponse, ""},
	} {
		tracker := new(writeTracker)
		if _, received := errors.AsType[responded](test.err); received {
			tracker.trace(nil).GotFirstResponseByte()
		}
		if test.written {
			tracker.conn.Store(new(countingConn))
		}
		failed := &Attempt{Err: test.err, Written: test.written}
		failed.interpretError(tracker)
		if failed.Written != test.wantWritten || failed.Permanent != test.permanent ||
			failed.Reason != test.reason ||
			!strings.HasPrefix(failed.Err.Error(), test.text) {
			t.Errorf("%s: %+v", name, failed)
		}
	}
}

// The response tells whether it is one of the service, and complete.
func TestResponseReason(t *testing.T) {
	t.Parallel()
	waf, location := http.Header{"X-Amzn-Waf-Action": {"captcha"}}, http.Header{"Location": {"/b"}}
	for _, test := range []struct {
		status  int
		header  http.Header
		body    string
		bodyErr error
		want    Reason
	}{
		{202, waf, "", nil, Firewall},
		{499, waf, "", nil, Firewall},
		{500, waf, "", nil, NoReason},
		{200, nil, "<!doctype html>", nil, HTMLPage},
		{302, location, "", nil, Redirect},
		{302, nil, "", nil, NoReason},
		{200, location, "", nil, NoReason},
		{200, nil, "{", io.ErrUnexpectedEOF, BrokenOff},
		{500, nil, "{", io.ErrUnexpectedEOF, NoReason},
		{200, nil, "{", ErrTooLarge, TooLarge},
		{404, nil, "{", ErrTooLarge, NoReason},
		{200, nil, "{", ErrTimedOut, TimedOut},
		{200, nil, "{", ErrAttemptTimeout, NoReason},
		{404, nil, "{", ErrCancelled, NoReason},
	} {
		a := &Attempt{
			URL: &url.URL{Scheme: "https", Host: "a.test"}, Status: test.status, Header: test.header,
			Body: []byte(test.body), BodyErr: test.bodyErr,
		}
		if got := a.responseReason(); got != test.want {
			t.Errorf("%+v: reason %d", test, got)
		}
	}
}
