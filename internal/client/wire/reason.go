package wire

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"

	"terraform-provider-notification/internal/client/response"
)

// Reason is why an attempt, or the operation that made it, failed, if a status does not say so.
type Reason int

// The reasons. OutOfTime and NotBearer are those of operations.
const (
	NoReason             Reason = iota // none but the status of the response
	NoResponse                         // none of the following
	UntrustedCertificate               // the server's certificate
	CertificateRejected                // the server rejected this client's certificate or lack of one
	HandshakeFailed                    // the server gave no other reason
	PlainHTTP                          // the server speaks plain HTTP at an https address
	Cancelled                          // the caller cancelled the operation
	TimedOut                           // the time for the whole operation was used up
	OutOfTime                          // the wait before the next attempt would exceed that time
	Firewall                           // AWS WAF blocked the request
	HTMLPage                           // an HTML page in place of the service's response
	Redirect                           // a redirect that was not followed
	BrokenOff                          // the body of a 2xx response is incomplete
	TooLarge                           // the body of a 2xx response is larger than Limit
	NotBearer                          // the access token has another type
)

// The errors of attempts that this package makes. Timeouts reported by the network, such as a dial
// timeout, are not among them.
var (
	ErrCancelled        = errors.New("the operation was cancelled")
	ErrTimedOut         = errors.New("the time for the whole operation was used up")
	ErrAttemptTimeout   = errors.New("the time limit of one attempt was reached")
	ErrTooLarge         = errors.New("the response is larger than this provider reads")
	errTooManyRedirects = errors.New("the service redirected the request too many times")
)

// ContextError returns the reason why ctx is done: ErrTimedOut or ErrCancelled.
func ContextError(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ErrTimedOut
	}
	return ErrCancelled
}

// ReasonOf returns the reason that err, because of which there was no response, stands for.
func ReasonOf(err error) Reason {
	noTLS, isNoTLS := errors.AsType[tls.RecordHeaderError](err)
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	switch {
	case errors.Is(err, ErrCancelled):
		return Cancelled
	case errors.Is(err, ErrTimedOut):
		return TimedOut
	case untrusted:
		return UntrustedCertificate
	case isAlert(err, certificateAlerts):
		return CertificateRejected
	case isAlert(err, handshakeFailure):
		return HandshakeFailed
	case isNoTLS && string(noTLS.RecordHeader[:]) == "HTTP/":
		return PlainHTTP
	}
	return NoResponse
}

var (
	// handshakeFailure is the alert of servers that give no reason (RFC 8446, section 6.2).
	handshakeFailure = []tls.AlertError{40}

	// certificateAlerts are the alerts about the client's certificate (RFC 8446, section 6.2).
	certificateAlerts = []tls.AlertError{42, 43, 44, 45, 46, 48, 49, 116}
)

// isAlert reports whether the server sent one of alerts.
func isAlert(err error, alerts []tls.AlertError) bool {
	remote, _ := errors.AsType[*net.OpError](err)
	return remote != nil && remote.Op == "remote error" &&
		slices.ContainsFunc(alerts, func(alert tls.AlertError) bool {
			return remote.Err.Error() == alert.Error() // crypto/tls does not export its type
		})
}

// responseReason returns the reason why the response of a is not one of the service, or incomplete.
func (a *Attempt) responseReason() Reason {
	switch success := a.Status/100 == 2; {
	case a.WAFAction() != "" && a.Status < http.StatusInternalServerError:
		return Firewall
	case response.IsHTMLPage(a.Status, a.Header, a.Body, a.BodyErr):
		return HTMLPage
	case a.Status/100 == 3 && a.RedirectTarget() != nil:
		return Redirect
	case success && errors.Is(a.BodyErr, io.ErrUnexpectedEOF):
		return BrokenOff
	case success && errors.Is(a.BodyErr, ErrTooLarge):
		return TooLarge
	case success && a.BodyErr != nil && ReasonOf(a.BodyErr) != NoResponse:
		return ReasonOf(a.BodyErr) // the operation ended
	}
	return NoReason
}
