package emulator

import (
	"net/http"
	"strconv"
	"time"
)

// What the optional arguments of steps are when they are not given.
const (
	defaultOAuthStatus    = http.StatusBadRequest
	defaultHTMLStatus     = http.StatusOK
	defaultRedirectStatus = http.StatusTemporaryRedirect
)

// step is one fault, for count requests in a row. Members that its name does not use are zero.
type step struct {
	text     string // as it was given, without the count
	name     string
	count    int // at least 1
	code     int // HTTP status
	retry    retryAfter
	duration time.Duration
	argument string // OAuth error code or URL
}

// retryAfter is a Retry-After header (RFC 9110 section 10.2.3). The zero value is none.
type retryAfter struct {
	given   bool
	date    bool // as a date rather than as seconds
	seconds int  // from the answer on
}

// datePrefix marks the form of a Retry-After that is a date.
const datePrefix = "date+"

// String is the text form of the step.
func (s step) String() string {
	if s.count > 1 {
		return s.text + "*" + strconv.Itoa(s.count)
	}
	return s.text
}
