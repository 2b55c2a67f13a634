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
	"strings"
)

// The reasons why an operation or an attempt ended. Timeouts reported by the network, such as a
// dial timeout, are not among them.
var (
	ErrCancelled        = errors.New("the operation was cancelled")
	ErrTimedOut         = errors.New("the time for the whole operation was used up")
	ErrAttemptTimeout   = errors.New("the time limit of one attempt was reached")
	ErrTooLarge         = errors.New("the response is larger than this provider reads")
	errTooManyRedirects = errors.New("the service redirected the request too many times")
)

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

// ContextError returns the reason why ctx is done: ErrTimedOut or ErrCancelled.
func ContextError(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ErrTimedOut
	}
	return ErrCancelled
}

// interpretError explains Err, an error of net/http, and sets Written and Permanent accordingly.
func (a *Attempt) interpretError(tracker *writeTracker) {
	noTLS, isNoTLS := errors.AsType[tls.RecordHeaderError](a.Err)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](a.Err)
	proxy, _ := errors.AsType[*proxyError](a.Err)
	switch err := a.Err; {
	case errors.Is(err, ErrAttemptTimeout) && !tracker.connected():
		a.Err = fmt.Errorf("there was no connection: %w", err)
	case CertificateRejected(err) && !tracker.responded.Load():
		// A TLS 1.3 server sends this alert after the request was written, and ignores it.
		a.Written, a.Permanent = false, true
	case isNoTLS && string(noTLS.RecordHeader[:]) == "HTTP/" && !a.Written:
		a.Err = fmt.Errorf("the server speaks plain HTTP at an https address: %w", err)
		a.Permanent = true
	case errors.Is(err, io.EOF):
		a.Err = fmt.Errorf("the connection was closed: %w", err)
	case proxy != nil:
		// With 5xx a proxy reports an upstream problem, which may be temporary.
		temporary := []int{http.StatusRequestTimeout, http.StatusTooManyRequests}
		a.Permanent = proxy.status < 500 && !slices.Contains(temporary, proxy.status)
	default:
		a.Permanent = untrusted || isNoTLS ||
			errors.Is(err, ErrCancelled) || errors.Is(err, ErrTimedOut) ||
			errors.Is(err, errTooManyRedirects)
	}
}

// CertificateRejected reports whether the server rejected this client's certificate or lack of one.
func CertificateRejected(err error) bool {
	remote, _ := errors.AsType[*net.OpError](err)
	return remote != nil && remote.Op == "remote error" &&
		slices.ContainsFunc(certificateAlerts, func(alert tls.AlertError) bool {
			return remote.Err.Error() == alert.Error() // crypto/tls does not export its type
		})
}

// certificateAlerts are the alerts about the client's certificate (RFC 8446, section 6.2).
var certificateAlerts = []tls.AlertError{42, 43, 44, 45, 46, 48, 49, 116}

// proxyError reports that a proxy rejected a CONNECT request.
type proxyError struct {
	proxy  string // host and port
	status int
}

func (e *proxyError) Error() string {
	text := http.StatusText(e.status)
	return fmt.Sprintf("the proxy %s refused to connect: %d %s", e.proxy, e.status, text)
}
