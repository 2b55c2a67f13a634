package wire

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
)

// interpretError explains Err, an error of net/http, and sets Reason, Written and Permanent.
func (a *Attempt) interpretError(tracker *writeTracker) {
	a.Reason = ReasonOf(a.Err)
	_, notTLS := errors.AsType[tls.RecordHeaderError](a.Err)
	proxy, _ := errors.AsType[*proxyError](a.Err)
	switch err := a.Err; {
	case errors.Is(err, ErrAttemptTimeout) && !tracker.connected():
		a.Err = fmt.Errorf("there was no connection: %w", err)
	case a.Reason == CertificateRejected && !tracker.responded.Load():
		// A TLS 1.3 server sends this alert after the request was written, and ignores it.
		a.Written, a.Permanent = false, true
	case a.Reason == PlainHTTP && !a.Written:
		a.Err = fmt.Errorf("the server speaks plain HTTP at an https address: %w", err)
		a.Permanent = true
	case errors.Is(err, io.EOF):
		a.Err = fmt.Errorf("the connection was closed: %w", err)
	case proxy != nil:
		// With 5xx a proxy reports an upstream problem, which may be temporary.
		temporary := []int{http.StatusRequestTimeout, http.StatusTooManyRequests}
		a.Permanent = proxy.status < 500 && !slices.Contains(temporary, proxy.status)
	default:
		ended := a.Reason == Cancelled || a.Reason == TimedOut
		a.Permanent = ended || a.Reason == UntrustedCertificate || notTLS ||
			errors.Is(err, errTooManyRedirects)
	}
}

// unquoted returns err without the part of a response that net/http quotes if it is not valid HTTP.
// Errors of the network and of certificates are returned unchanged.
func unquoted(err error) error {
	what, _, quotes := strings.Cut(fmt.Sprint(err), `"`)
	_, network := errors.AsType[net.Error](err)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	if !quotes || network || untrusted {
		return err
	}
	return errors.New(strings.TrimRight(what, " :[") + " (not quoted, since it may hold a token)")
}

// proxyError reports that a proxy rejected a CONNECT request.
type proxyError struct {
	proxy  string // host and port
	status int
}

func (e *proxyError) Error() string {
	text := http.StatusText(e.status)
	return fmt.Sprintf("the proxy %s refused to connect: %d %s", e.proxy, e.status, text)
}
