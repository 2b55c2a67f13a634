package client

import (
	"errors"
	"net/http"
	"time"

	"terraform-provider-notification/internal/client/response"
	"terraform-provider-notification/internal/client/wire"
)

// outcome is what an attempt came to.
type outcome int

const (
	accepted  outcome = iota // the service carried the request out and answered
	rejected                 // nothing was carried out, and a retry would not help
	retryable                // nothing was carried out, or it does no harm twice
	ambiguous                // it may have been carried out, and would be again
)

// classify tells what an attempt came to: what happened decides, not the method. A submission is
// hasKey if the service knows it by a key when it gets it again.
func classify(op Operation, hasKey bool, attempt *wire.Attempt) outcome {
	to := redirectTarget(attempt)
	switch status := attempt.Status; {
	case attempt.Err != nil:
		switch {
		case op == SubmitNotification && attempt.Written:
			return ambiguous
		case attempt.Permanent:
			return rejected
		}
		return retryable
	case status/100 == 2:
		switch {
		case wafAction(attempt) != "",
			response.IsHTMLPage(status, attempt.Header.Get("Content-Type"), attempt.Body):
			return rejected
		case op == SubmitNotification, attempt.BodyErr == nil:
			return accepted
		case errors.Is(attempt.BodyErr, wire.ErrTooLarge):
			return rejected
		}
		return retryable
	case op == SubmitNotification && (status == http.StatusSeeOther ||
		status == http.StatusFound && (to == nil || wire.SameOrigin(attempt.URL, to) ||
			attempt.URL.Scheme == "https" && to.Scheme == "http" && wire.SameHost(attempt.URL, to))):
		// This is what servers answer after they carried a POST out (RFC 9110, 15.4.3 and 15.4.4),
		// some with the http address that they have behind a proxy. A sign-in page is elsewhere.
		return ambiguous
	case status == http.StatusConflict && hasKey:
		// The service is still busy with the first request under the key: with one of this
		// submission, which a gateway may have repeated, or of another run with the same key.
		return ambiguous
	case status == http.StatusTooEarly, status == http.StatusTooManyRequests:
		return retryable
	case status >= 300 && status <= 499 && status != http.StatusRequestTimeout:
		return rejected
	case op != SubmitNotification:
		return retryable
	case status == http.StatusRequestTimeout && !attempt.Written:
		return retryable
	case status == http.StatusServiceUnavailable:
		// A service that says when to come back has rejected the request. Proxies say so too when
		// their upstream broke off after it had got the request: Varnish and Fastly with
		// Retry-After, but on an HTML page.
		if _, ok := retryAfter(attempt.Header, time.Now()); ok && response.IsJSON(attempt.Body) {
			return retryable
		}
	}
	return ambiguous
}
