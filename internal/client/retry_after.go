package client

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// longestRetryAfter keeps absurd numbers of seconds from overflowing; it is
// beyond any deadline.
const longestRetryAfter = 365 * 24 * time.Hour

// retryAfter reads the Retry-After field (RFC 9110, section 10.2.3), a number of
// seconds or a date; a date that has passed is no wait. ok is false without the
// field and with one that is neither.
func retryAfter(header http.Header, now time.Time) (wait time.Duration, ok bool) {
	value := strings.TrimSpace(header.Get("Retry-After"))
	if value == "" {
		return 0, false
	}
	if strings.Trim(value, "0123456789") == "" {
		seconds, err := strconv.ParseInt(value, 10, 64)
		if err != nil || seconds > int64(longestRetryAfter/time.Second) {
			return longestRetryAfter, true
		}
		return time.Duration(seconds) * time.Second, true
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return min(max(date.Sub(now), 0), longestRetryAfter), true
}
