package client

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"terraform-provider-notification/internal/client/response"
	"terraform-provider-notification/internal/client/wire"
)

// outcome is the outcome of an attempt.
type outcome int

const (
	accepted  outcome = iota // the service processed the request
	rejected                 // not processed, or the response is unusable; a retry would not help
	retryable                // the service did not process it, or repeating it is harmless
	ambiguous                // the service may have processed it, and repeating it may do harm
)

// classify returns the outcome of an attempt and, unless it was accepted, the reason. hasKey
// reports whether the submission carries an idempotency key. See
// docs/guides/service-contract.md.
func classify(op Operation, hasKey bool, attempt *wire.Attempt) (outcome, Reason) {
	reason, status := reasonOf(attempt), attempt.Status
	failed, success := attempt.Err != nil, status/100 == 2
	switch {
	case failed && op == SubmitNotification && attempt.Written:
		return ambiguous, reason
	case failed && attempt.Permanent:
		return rejected, reason
	case failed:
		return retryable, reason

	case success && (reason == Firewall || reason == HTMLPage):
		return rejected, reason
	case success && (op == SubmitNotification || attempt.BodyErr == nil):
		return accepted, NoReason
	case success && errors.Is(attempt.BodyErr, wire.ErrTooLarge):
		return rejected, reason
	case success:
		return retryable, reason

	case op == SubmitNotification && (status == http.StatusSeeOther ||
		status == http.StatusFound && staysAtService(attempt.URL, redirectTarget(attempt))):
		// Servers redirect like this after processing a POST (RFC 9110, 15.4.3 and 15.4.4).
		return ambiguous, reason
	case status == http.StatusConflict && hasKey:
		// The service is still processing another request with this key: an earlier attempt, a copy
		// that a gateway made, or a submission of another run.
		return ambiguous, reason
	case status == http.StatusTooEarly, status == http.StatusTooManyRequests:
		return retryable, reason
	case status >= 300 && status <= 499 && status != http.StatusRequestTimeout:
		return rejected, reason
	case op != SubmitNotification:
		return retryable, reason
	case status == http.StatusRequestTimeout && !attempt.Written:
		return retryable, reason
	case status == http.StatusServiceUnavailable:
		// A service that sends Retry-After has rejected the request. Proxies also respond with 503
		// if the connection to their upstream broke after it received the request. Varnish and
		// Fastly then add Retry-After, but to an HTML page; Cloudflare adds it to JSON, but not
		// with 503.
		if _, ok := retryAfter(attempt.Header, time.Now()); ok && response.IsJSON(attempt.Body) {
			return retryable, reason
		}
	}
	return ambiguous, reason
}

// staysAtService reports whether a redirect leads back to the service, perhaps to the http address
// that it has behind a proxy, or to no valid URL (nil). Sign-in pages are on another origin.
func staysAtService(from, to *url.URL) bool {
	return to == nil || wire.SameOrigin(from, to) ||
		from.Scheme == "https" && to.Scheme == "http" && wire.SameHost(from, to)
}

// longestRetryAfter limits huge numbers of seconds, which would overflow. No timeout is that long.
const longestRetryAfter = 365 * 24 * time.Hour

// retryAfter parses the Retry-After field (RFC 9110, section 10.2.3), a number of seconds or a
// date. A date counts from the response's Date if that is valid, since the clocks may differ, or
// else from now; for one in the past, wait is 0. If the field is missing or invalid, ok is false.
func retryAfter(header http.Header, now time.Time) (wait time.Duration, ok bool) {
	value := strings.TrimSpace(header.Get("Retry-After"))
	seconds, err := strconv.ParseUint(value, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) { // with ErrRange, seconds is MaxUint64
		seconds = min(seconds, uint64(longestRetryAfter.Seconds()))
		return time.Duration(seconds) * time.Second, true //nolint:gosec // at most a year
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	if sent, err := http.ParseTime(header.Get("Date")); err == nil {
		now = sent
	}
	return min(max(date.Sub(now), 0), longestRetryAfter), true
}
