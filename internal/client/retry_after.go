package client

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// longestRetryAfter, beyond any deadline, keeps absurd numbers of seconds from overflowing.
const longestRetryAfter = 365 * 24 * time.Hour

// retryAfter reads the Retry-After field (RFC 9110, section 10.2.3), a number of seconds or a date;
// a date that has passed is not a wait. ok is false without the field and with one that is neither.
func retryAfter(header http.Header, now time.Time) (wait time.Duration, ok bool) {
	value := strings.TrimSpace(header.Get("Retry-After"))
	seconds, err := strconv.ParseUint(value, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) { // and seconds is the largest there is
		seconds = min(seconds, uint64(longestRetryAfter.Seconds()))
		return time.Duration(seconds) * time.Second, true //nolint:gosec // at most a year
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return min(max(date.Sub(now), 0), longestRetryAfter), true
}
