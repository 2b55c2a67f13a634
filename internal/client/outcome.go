package client

import (
	"errors"
	"math"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// outcome is the outcome of an attempt.
type outcome int

const (
	accepted  outcome = iota // a 2xx response that counts as the service's
	rejected                 // not processed, or the response is unusable; a retry would not help
	retryable                // the service did not process it, or repeating it is harmless
	ambiguous                // the service may have processed it, and repeating it may do harm
)

// classify returns the outcome of an attempt at request, which has reason unless it succeeded. See
// docs/guides/service-contract.md.
func classify(request wire.Request, attempt *wire.Attempt, reason Reason) outcome {
	failed, success, status := attempt.Err != nil, attempt.Status/100 == 2, attempt.Status
	switch submission := request.Operation == SubmitNotification; {
	case failed && submission && attempt.Written:
		return ambiguous
	case failed && attempt.Permanent:
		return rejected
	case failed:
		return retryable

	case success && (reason == Firewall || reason == HTMLPage):
		return rejected
	case success && (submission || attempt.BodyErr == nil):
		return accepted
	case success && errors.Is(attempt.BodyErr, wire.ErrTooLarge):
		return rejected
	case success:
		return retryable

	case submission && (status == http.StatusSeeOther ||
		status == http.StatusFound && staysAtService(attempt)):
		// Servers redirect like this after processing a POST (RFC 9110, 15.4.3 and 15.4.4).
		return ambiguous
	case status == http.StatusConflict && request.Key.Header != "":
		// The service is still processing another request with this key: an earlier attempt, a copy
		// that a gateway made, or a submission of another run.
		return ambiguous
	case status == http.StatusTooEarly, status == http.StatusTooManyRequests:
		return retryable
	case slices.Contains(gaveUpWaiting, status) && (!submission || !attempt.Written):
		return retryable
	case status/100 == 3, status/100 == 4 && !slices.Contains(gaveUpWaiting, status):
		return rejected
	case submission:
		// A gateway may have made any 5xx, 503 with Retry-After and JSON too, after the service
		// accepted the notification.
		return ambiguous
	default:
		return retryable
	}
}

// gaveUpWaiting are the statuses of a server that did not wait for the rest of a request, or of a
// proxy that did not wait for the response: 408, and nginx's and AWS's own for a client that left.
var gaveUpWaiting = []int{http.StatusRequestTimeout, 460, 499}

// longestRetryAfter limits huge numbers of seconds, which would overflow. No timeout is that long.
const longestRetryAfter = 365 * 24 * time.Hour

// secondsFormat matches seconds as RFC 9110 has them, and with decimals, as some servers send.
var secondsFormat = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)

// retryAfter parses the Retry-After field (RFC 9110, section 10.2.3), a number of seconds, which it
// rounds up, or a date. A date counts from the response's Date if that is valid, since the clocks
// may differ, or else from now; for one in the past, wait is 0. If the field is missing or invalid,
// ok is false.
func retryAfter(header http.Header, now time.Time) (wait time.Duration, ok bool) {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if secondsFormat.MatchString(value) {
		seconds, _ := strconv.ParseFloat(value, 64) // infinite if it is out of range
		seconds = min(math.Ceil(seconds), longestRetryAfter.Seconds())
		return time.Duration(seconds) * time.Second, true
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
