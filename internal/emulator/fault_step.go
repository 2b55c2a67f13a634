package emulator

import (
	"strconv"
	"time"
)

// step is one fault, for count requests in a row. Members that its name does not use are zero.
type step struct {
	text       string // as it was given, without the count
	name       string
	count      int    // at least 1
	code       int    // HTTP status
	retryAfter string // seconds from the answer on, as a date after datePrefix; empty: none
	duration   time.Duration
	argument   string // OAuth error code or URL
}

// datePrefix marks a Retry-After that is a date (RFC 9110 section 10.2.3).
const datePrefix = "date+"

// String is the text form of the step.
func (s step) String() string {
	if s.count > 1 {
		return s.text + "*" + strconv.Itoa(s.count)
	}
	return s.text
}
