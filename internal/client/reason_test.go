package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// The reason says why there was no response, whether the service sent the response, and whether
// that is complete.
func TestReason(t *testing.T) {
	t.Parallel()
	alert := func(code tls.AlertError) error { return &net.OpError{Op: "remote error", Err: code} }
	untrusted := &tls.CertificateVerificationError{Err: io.ErrNoProgress}
	waf, location := http.Header{"X-Amzn-Waf-Action": {"captcha"}}, http.Header{"Location": {"/b"}}
	for _, test := range []struct {
		err     error
		status  int
		header  http.Header
		body    string
		bodyErr error
		want    Reason
	}{
		{err: io.EOF, want: NoResponse},
		{err: context.DeadlineExceeded, want: NoResponse}, // of a dial
		{err: fmt.Errorf("x: %w", wire.ErrCancelled), want: Cancelled},
		{err: wire.ErrTimedOut, want: TimedOut},
		{err: fmt.Errorf("x: %w", untrusted), want: UntrustedCertificate},
		{err: fmt.Errorf("x: %w", &tls.CertificateVerificationError{Err: x509.SystemRootsError{}}),
			want: NoSystemRoots},
		{err: alert(116), want: CertificateRejected},
		{err: alert(40), want: CertificateRejected},
		{err: alert(80), want: NoResponse},

		{status: 299, header: waf, want: Firewall},
		{status: 302, header: waf, want: NoReason},
		{status: 405, header: waf, want: Firewall},
		{status: 403, header: waf, body: "<!doctype html>", want: Firewall},
		{status: 503, header: waf, want: NoReason}, // a gateway's, perhaps
		{status: 200, body: "<!doctype html>", want: HTMLPage},
		{status: 302, header: location, want: Redirect},
		{status: 302, want: NoReason},
		{status: 302, header: http.Header{"Location": {"http://%zz"}}, want: NoReason},
		{status: 302, header: http.Header{"Location": {"http:///b"}}, want: NoReason},
		{status: 308, header: http.Header{"Location": {"//b.test"}}, want: Redirect},
		{status: 403, body: "<!doctype html>", want: HTMLPage},
		{status: 404, body: "<!doctype html>", want: NoReason},
		{status: 431, want: HeaderTooLarge},
		{status: 494, want: HeaderTooLarge},
		{status: 400, body: "Header size exceeded the limit of 8192", want: HeaderTooLarge},
		{status: 400, body: `{"code":"request_header_too_large"}`, want: HeaderTooLarge},
		{status: 400, body: "<h1>Request Header Or Cookie Too Large</h1>", want: HeaderTooLarge},
		{status: 400, body: "Size of a request header field exceeds server limit.", want: HeaderTooLarge},
		{status: 400, body: "The size of the request headers is too long.", want: HeaderTooLarge},
		{status: 400, body: `{"error":"the header is too long"}`, want: NoReason},
		{status: 200, header: location, want: NoReason},
		{status: 200, body: "{", bodyErr: io.ErrUnexpectedEOF, want: BrokenOff},
		{status: 500, body: "{", bodyErr: io.ErrUnexpectedEOF, want: NoReason},
		{status: 200, body: "{", bodyErr: wire.ErrTooLarge, want: NoReason},
		{status: 200, body: "{", bodyErr: wire.ErrTimedOut, want: TimedOut},
		{status: 200, body: "{", bodyErr: wire.ErrAttemptTimeout, want: NoReason},
		{status: 404, body: "{", bodyErr: wire.ErrCancelled, want: NoReason},
	} {
		attempt := &wire.Attempt{
			URL: mustParse("http://a.test"), Err: test.err, Status: test.status, Header: test.header,
			Body: []byte(test.body), BodyErr: test.bodyErr,
		}
		for _, mayRepeat := range []bool{true, false} {
			if !mayRepeat && test.bodyErr != nil {
				continue // the 2xx response to a submission is accepted as it is
			}
			if _, got := judge(wire.Request{MayRepeat: mayRepeat}, attempt); got != test.want {
				t.Errorf("%+v: reason %d", test, got)
			}
		}
	}
}
