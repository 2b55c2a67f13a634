package client

import (
	"errors"
	"io"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/notification/terraform-provider-notification/internal/client/response"
	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// outcome is the outcome of an attempt.
type outcome int

const (
	accepted  outcome = iota // a 2xx response of the service itself
	rejected                 // not processed, or the response is unusable; a retry would not help
	retryable                // the service did not process it, or repeating it is harmless
	ambiguous                // the service may have processed it, and repeating it may do harm
)

// judge returns the outcome of an attempt at request, and the reason if it failed. Its cases follow
// the rows of the service contract, "Submissions"; the first one that matches decides.
func judge(request wire.Request, attempt *wire.Attempt) (outcome, Reason) {
	once, status, success := !request.MayRepeat, attempt.Status, attempt.Status/100 == 2
	header, body, bodyErr := attempt.Header, attempt.Body, attempt.BodyErr
	page := response.IsHTMLPage(status, header, body, bodyErr)
	redirect := NoReason
	if redirectTarget(attempt) != nil {
		redirect = Redirect
	}
	switch {
	case attempt.Err != nil && once && attempt.Sent:
		return ambiguous, noResponseReason(attempt.Err)
	case attempt.Err != nil && attempt.Permanent:
		return rejected, noResponseReason(attempt.Err)
	case attempt.Err != nil:
		return retryable, noResponseReason(attempt.Err)

	case success && wafAction(attempt) != "":
		return rejected, Firewall
	case page && once: // a filter may have replaced the service's response
		return ambiguous, HTMLPage
	case page:
		return rejected, HTMLPage
	case success && (once || bodyErr == nil): // one that broke off, too, is not submitted again
		return accepted, NoReason
	case success && errors.Is(bodyErr, wire.ErrTooLarge):
		return rejected, NoReason
	case success && errors.Is(bodyErr, io.ErrUnexpectedEOF):
		return retryable, BrokenOff
	case success:
		return retryable, endOf(bodyErr)

	case once && (status == http.StatusFound || status == http.StatusSeeOther):
		// Servers respond like this after they processed a POST (RFC 9110, 15.4.3 and 15.4.4), and
		// gateways to ask for a sign-in. The target does not tell one from the other.
		return ambiguous, redirect
	case status/100 == 3:
		return rejected, redirect

	case status == http.StatusTooEarly, status == http.StatusTooManyRequests:
		return retryable, NoReason
	case status == http.StatusConflict && request.Key.Header != "":
		// The service is still processing another request with this key: an earlier attempt, a copy
		// that a gateway made, or a submission of another run.
		return ambiguous, NoReason
	case once && (status/100 != 4 || slices.Contains(notCertain, status)):
		// A gateway may have made any 5xx, 503 with Retry-After and JSON too, after the service
		// accepted the notification.
		return ambiguous, NoReason
	case status/100 != 4, slices.Contains(notCertain, status):
		return retryable, NoReason

	case wafAction(attempt) != "":
		return rejected, Firewall
	case rejectsToken(attempt): // the second time
		return rejected, TokenRejected
	case status == http.StatusForbidden && response.IsHTML(header, body):
		return rejected, HTMLPage
	case status == http.StatusRequestHeaderFieldsTooLarge, status == 494, // nginx's own
		status == http.StatusBadRequest && headerTooLarge.Match(body):
		return rejected, HeaderTooLarge
	default:
		return rejected, NoReason
	}
}

// notCertain are the 4xx statuses of a request that may have been processed: of a server that did
// not wait for all of it, or a proxy that did not wait for the response (408, and nginx's and AWS's
// own for a client that left), and 424, of services that could not reach everyone.
var notCertain = []int{http.StatusRequestTimeout, http.StatusFailedDependency, 460, 499}

// redirectTarget returns the URL that the response redirects to, or nil without a valid Location.
func redirectTarget(attempt *wire.Attempt) *url.URL {
	location := attempt.Header.Get("Location")
	if to, err := attempt.URL.Parse(location); err == nil && location != "" && to.Host != "" {
		return to
	}
	return nil
}

// longestRetryAfter limits huge numbers of seconds, which would overflow. No timeout is that long.
const longestRetryAfter = 365 * 24 * time.Hour

// secondsFormat matches seconds as RFC 9110 has them, and with decimals, as some servers send.
var secondsFormat = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)

// retryAfter parses the Retry-After field (RFC 9110, section 10.2.3), a number of seconds or a date,
// and rounds it up to seconds. A date counts from the response's Date if that is valid, since the
// clocks may differ, or else from now. If the field is missing, invalid or in the past, the result
// is 0.
func retryAfter(header http.Header, now time.Time) time.Duration {
	var seconds float64
	value := strings.TrimSpace(header.Get("Retry-After"))
	if secondsFormat.MatchString(value) {
		seconds, _ = strconv.ParseFloat(value, 64) // infinite if it is out of range
	} else if date, err := http.ParseTime(value); err == nil {
		if sent, err := http.ParseTime(header.Get("Date")); err == nil {
			now = sent
		}
		seconds = date.Sub(now).Seconds()
	}
	seconds = min(max(math.Ceil(seconds), 0), longestRetryAfter.Seconds())
	return time.Duration(seconds) * time.Second
}
