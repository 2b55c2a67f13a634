package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
)

var (
	// ErrCancelled says that an operation ended because its caller gave up.
	ErrCancelled = errors.New("the operation was cancelled")

	// ErrTimedOut says that an operation ended because its time was used up. Errors of the network
	// that call themselves timeouts are none of these.
	ErrTimedOut = errors.New("the time for the whole operation was used up")

	// ErrAttemptTimeout says that the time limit of an attempt has passed.
	ErrAttemptTimeout = errors.New("the time limit of one attempt was reached")

	// ErrTooLarge says that an answer is longer than what is read of it.
	ErrTooLarge = errors.New("the response is larger than this provider reads")

	errTooManyRedirects = errors.New("the service redirected the request too many times")
)

// ContextError is why ctx, which is done, is done.
func ContextError(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ErrTimedOut
	}
	return ErrCancelled
}

// explain tells what Err, of net/http, means for its attempt.
func (a *Attempt) explain(tracker *writeTracker) {
	noTLS, isNoTLS := errors.AsType[tls.RecordHeaderError](a.Err)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](a.Err)
	proxy, _ := errors.AsType[*proxyError](a.Err)
	switch err := a.Err; {
	case errors.Is(err, ErrAttemptTimeout) && !tracker.connected():
		a.Err = fmt.Errorf("there was no connection: %w", err)
	case CertificateRefused(err) && !tracker.reused():
		// In TLS 1.3 a server says so after the request was written, and has not looked at that. A
		// connection that was in use has had its certificate taken.
		a.Written, a.Permanent = false, true
	case isNoTLS && string(noTLS.RecordHeader[:]) == "HTTP/" && !a.Written:
		a.Err = fmt.Errorf("the server speaks plain HTTP at an https address: %w", err)
		a.Permanent = true
	case errors.Is(err, io.EOF):
		a.Err = fmt.Errorf("the connection was closed: %w", err)
	case proxy != nil:
		a.Permanent = proxy.permanent()
	default:
		a.Permanent = untrusted || isNoTLS ||
			errors.Is(err, ErrCancelled) || errors.Is(err, ErrTimedOut) ||
			errors.Is(err, errTooManyRedirects)
	}
}

// lost reports whether a, which failed, lost its connection after the request was written. Where an
// earlier request had used the connection, the server may have closed it silently, and never
// have seen this one.
func (a *Attempt) lost() bool {
	return a.Written && !a.Permanent && !errors.Is(a.Err, ErrAttemptTimeout)
}

// CertificateRefused reports whether the server rejected this client's certificate or lack of one.
func CertificateRefused(err error) bool {
	remote, _ := errors.AsType[*net.OpError](err)
	if remote == nil || remote.Op != "remote error" {
		return false
	}
	// crypto/tls keeps the alert's type to itself; its text is that of AlertError.
	return slices.ContainsFunc(certificateAlerts, func(alert tls.AlertError) bool {
		return remote.Err.Error() == alert.Error()
	})
}

// certificateAlerts are about the certificate of the receiver (RFC 8446, section 6.2).
var certificateAlerts = []tls.AlertError{42, 43, 44, 45, 46, 48, 49, 116}

// proxyError says that a proxy did not open a way to the server.
type proxyError struct {
	proxy  string // host and port
	status int
}

// permanent reports whether trying again is no use. With 5xx a proxy reports trouble behind it,
// which may pass.
func (e *proxyError) permanent() bool {
	passing := []int{http.StatusRequestTimeout, http.StatusTooManyRequests}
	return e.status < 500 && !slices.Contains(passing, e.status)
}

func (e *proxyError) Error() string {
	text := http.StatusText(e.status)
	return fmt.Sprintf("the proxy %s refused to connect: %d %s", e.proxy, e.status, text)
}
