package emulator

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// The names of the steps. [FaultUsage] says what they do.
const (
	faultPass        = "pass"
	faultStatus      = "status"
	faultOAuth       = "oauth"
	faultHTML        = "html"
	faultHTMLAsJSON  = "html-as-json"
	faultRedirect    = "redirect"
	faultHang        = "hang"
	faultResetBefore = "reset-before"
	faultCloseBefore = "close-before"
	faultResetAfter  = "reset-after"
	faultCloseAfter  = "close-after"
	faultDelay       = "delay"
	faultDrip        = "drip"
	faultTruncate    = "truncate"
	faultEmpty       = "empty"
	faultText        = "text"
	faultNoID        = "no-id"
	faultBadID       = "bad-id"
	faultRevoke      = "revoke"
	faultLifetime    = "lifetime"
	faultWrongType   = "wrong-type"
	faultNoToken     = "no-token"

	// repeatWord ends a sequence that starts over.
	repeatWord = "repeat"
)

// What the optional arguments of steps are when they are not given.
const (
	defaultOAuthStatus    = http.StatusBadRequest
	defaultHTMLStatus     = http.StatusOK
	defaultRedirectStatus = http.StatusTemporaryRedirect
)

// step is one fault, for count requests in a row. Members that its name does
// not use are zero, so that equal steps compare equal.
type step struct {
	name     string
	count    int // at least 1
	code     int // HTTP status
	retry    retryAfter
	duration time.Duration
	text     string // OAuth error code or URL
}

// retryAfter is a Retry-After header (RFC 9110 section 10.2.3). The zero value
// is none.
type retryAfter struct {
	given   bool
	date    bool // as a date rather than as seconds
	seconds int  // from the answer on
}

// datePrefix marks the form of a Retry-After that is a date.
const datePrefix = "date+"

// String is the text form of the step, with arguments that have their default
// value left out.
func (s step) String() string {
	text := s.name
	switch s.name {
	case faultStatus:
		text += fmt.Sprintf(":%d", s.code)
		if s.retry.date {
			text += fmt.Sprintf(":%s%d", datePrefix, s.retry.seconds)
		} else if s.retry.given {
			text += fmt.Sprintf(":%d", s.retry.seconds)
		}
	case faultOAuth:
		text += ":" + s.text
		if s.code != defaultOAuthStatus {
			text += fmt.Sprintf(":%d", s.code)
		}
	case faultHTML:
		if s.code != defaultHTMLStatus {
			text += fmt.Sprintf(":%d", s.code)
		}
	case faultRedirect:
		if s.code != defaultRedirectStatus {
			text += fmt.Sprintf(":%d", s.code)
		}
		text += ":" + s.text
	case faultDelay, faultDrip, faultLifetime:
		text += ":" + s.duration.String()
	}
	if s.count > 1 {
		text += "*" + strconv.Itoa(s.count)
	}
	return text
}
