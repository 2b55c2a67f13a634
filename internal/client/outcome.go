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

// classify returns the outcome of an attempt. hasKey reports whether the submission carries an
// idempotency key. See docs/guides/service-contract.md.
func classify(op Operation, hasKey bool, attempt *wire.Attempt) outcome {
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
		case attempt.Reason == wire.Firewall, attempt.Reason == wire.HTMLPage:
			return rejected
		case op == SubmitNotification, attempt.BodyErr == nil:
			return accepted
		case attempt.Reason == wire.TooLarge:
			return rejected
		}
		return retryable
	case op == SubmitNotification && (status == http.StatusSeeOther ||
		status == http.StatusFound && staysAtService(attempt.URL, attempt.RedirectTarget())):
		// Servers redirect like this after processing a POST (RFC 9110, 15.4.3 and 15.4.4).
		return ambiguous
	case status == http.StatusConflict && hasKey:
		// The service is still processing another request with this key: an earlier attempt, a copy
		// that a gateway made, or a submission of another run.
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
		// A service that sends Retry-After has rejected the request. Proxies also respond with 503
		// if the connection to their upstream broke after it received the request. Varnish and
		// Fastly then add Retry-After, but to an HTML page; Cloudflare adds it to JSON, but not
		// with 503.
		if _, ok := retryAfter(attempt.Header, time.Now()); ok && response.IsJSON(attempt.Body) {
			return retryable
		}
	}
	return ambiguous
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
// date. For a date in the past, wait is 0. If the field is missing or invalid, ok is false.
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
	return min(max(date.Sub(now), 0), longestRetryAfter), true
}
