package client

import (
	"crypto/tls"
	"errors"
	"io"
	"net/http"
	"net/url"

	"terraform-provider-notification/internal/client/response"
	"terraform-provider-notification/internal/client/wire"
)

// Reason is why an operation failed, if a status does not say so.
type Reason int

// The reasons.
const (
	NoReason             Reason = iota // none but the status of the response
	NoResponse                         // none of the following
	UntrustedCertificate               // the server's certificate
	CertificateRejected                // the server rejected this client's certificate or lack of one
	HandshakeFailed                    // the server gave no other reason
	Cancelled                          // the caller cancelled the operation
	TimedOut                           // the time for the whole operation was used up
	OutOfTime                          // the wait before the next attempt would exceed that time
	Firewall                           // AWS WAF blocked the request
	HTMLPage                           // an HTML page in place of the service's response
	Redirect                           // a redirect that was not followed
	BrokenOff                          // the body of a 2xx response is incomplete
	NotBearer                          // the access token has another type
)

// reasonOf returns the reason why an attempt failed.
func reasonOf(attempt *wire.Attempt) Reason {
	err, bodyErr := attempt.Err, attempt.BodyErr
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	switch success := attempt.Status/100 == 2; {
	case endOf(err) != NoReason:
		return endOf(err)
	case untrusted:
		return UntrustedCertificate
	case wire.IsCertificateAlert(err):
		return CertificateRejected
	case wire.IsHandshakeAlert(err):
		return HandshakeFailed
	case err != nil:
		return NoResponse
	case wafAction(attempt) != "" && attempt.Status < http.StatusInternalServerError:
		return Firewall
	case response.IsHTMLPage(attempt.Status, attempt.Header, attempt.Body, bodyErr):
		return HTMLPage
	case attempt.Status/100 == 3 && redirectTarget(attempt) != nil:
		return Redirect
	case success && errors.Is(bodyErr, io.ErrUnexpectedEOF):
		return BrokenOff
	case success:
		return endOf(bodyErr)
	}
	return NoReason
}

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
// not. AWS WAF sends a challenge, which only a browser can solve, with status 202 and no body.
func wafAction(attempt *wire.Attempt) string { return attempt.Header.Get("X-Amzn-Waf-Action") }

// redirectTarget returns the URL that the response redirects to, or nil without a valid Location.
func redirectTarget(attempt *wire.Attempt) *url.URL {
	location := attempt.Header.Get("Location")
	if to, err := attempt.URL.Parse(location); err == nil && location != "" && to.Host != "" {
		return to
	}
	return nil
}
