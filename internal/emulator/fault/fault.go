// Package fault is the language of faults: which ones there are, how they are written, and which of
// them the next request meets. A fault itself is a value, which the emulator applies.
package fault

import (
	"net/http"
	"strconv"
	"time"
)

// Fault is what happens to one request, in the order of its members.
type Fault struct {
	Revoke  bool          // all tokens are revoked
	Serve   bool          // the request is served: what is right is accepted
	Respond *Response     // nil: the response that the request deserves
	Delay   time.Duration // before the response
	End     End           // of the connection
}

// Response takes the place of the one that a request deserves.
type Response struct {
	Status      int    // 0: that of the response that the request deserves
	Location    string // empty: no such header
	RetryAfter  string // seconds, as a date where [datePrefix] precedes them; empty: no such header
	ContentType string
	Body        []byte // nil: the usual one of the endpoint for such a status
}

// End is how a connection ends.
type End int

// Only Normal and Truncate have a response. Without Serve, Reset and Close act before the body is
// read.
const (
	Normal   End = iota
	Truncate     // in the middle of the body
	Reset
	Close
	Hang // when the client gives up
)

// datePrefix marks a Retry-After that is a date (RFC 9110 section 10.2.3).
const datePrefix = "date+"

// SetHeader adds the header fields of the response. A date has whole seconds, so it is rounded up:
// the client must not come back too early.
func (r Response) SetHeader(header http.Header, now time.Time) {
	retryAfter := r.RetryAfter
	if text, isDate := cutDate(retryAfter); isDate {
		seconds, _ := strconv.Atoi(text) // was checked
		at := now.Add(time.Duration(seconds)*time.Second + time.Second - 1).Truncate(time.Second)
		retryAfter = at.UTC().Format(http.TimeFormat)
	}
	for name, value := range map[string]string{"Retry-After": retryAfter, "Location": r.Location} {
		if value != "" {
			header.Set(name, value)
		}
	}
}

// AllowsBody says whether a response with the status may have a body (RFC 9110 section 6.4.1).
func AllowsBody(status int) bool {
	return status != http.StatusNoContent && status != http.StatusResetContent &&
		status != http.StatusNotModified
}
