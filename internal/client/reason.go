package client

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"regexp"

	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// Reason is why an operation failed, if a status does not say so.
type Reason int

// The reasons.
const (
	NoReason             Reason = iota // none but the status of the response
	NoResponse                         // a network error without a more specific reason
	NoSystemRoots                      // the system's certificate authorities cannot be read
	UntrustedCertificate               // the server's certificate
	CertificateRejected                // the server rejected this client's certificate or lack of one
	Cancelled                          // the caller cancelled the operation
	TimedOut                           // the time for the whole operation was used up
	WaitTooLong                        // the wait before the next attempt would exceed that time
	Firewall                           // AWS WAF blocked the request
	HTMLPage                           // an HTML page in place of the service's response, or with 403
	Redirect                           // a redirect that was not followed
	HeaderTooLarge                     // the header of the request, probably for the access token
	BrokenOff                          // the body of a 2xx response is incomplete
	TokenRejected                      // the service rejected a new access token
	OAuthError                         // an OAuth 2.0 error in a 2xx response
)

// noResponseReason returns the reason why there was no response.
func noResponseReason(err error) Reason {
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	_, noRoots := errors.AsType[x509.SystemRootsError](err)
	switch {
	case endOf(err) != NoReason:
		return endOf(err)
	case noRoots:
		return NoSystemRoots
	case untrusted:
		return UntrustedCertificate
	case wire.IsCertificateAlert(err), wire.IsHandshakeAlert(err):
		return CertificateRejected
	default:
		return NoResponse
	}
}

// headerTooLarge matches how servers say with status 400 that the header of a request is too large.
var headerTooLarge = regexp.MustCompile(
	`(?i)((request|http)[ _]headers?|headers?[ _](fields?|size))` +
		`([ _](or[ _]cookie|fields?|size))?([ _](is|are))?[ _](too[ _](large|long|big)|exceed)` +
		`|limit request header`)

// endOf returns why err, which may be nil, ended the operation: Cancelled or TimedOut. For any
// other error it returns NoReason.
func endOf(err error) Reason {
	switch {
	case errors.Is(err, wire.ErrCancelled):
		return Cancelled
	case errors.Is(err, wire.ErrTimedOut):
		return TimedOut
	}
	return NoReason
}

// wafAction returns the action that AWS WAF requires after it blocked the request; empty if it did
// not. AWS WAF sends what only a browser can solve: a challenge with 202, a CAPTCHA with 405.
func wafAction(attempt *wire.Attempt) string { return attempt.Header.Get("X-Amzn-Waf-Action") }
