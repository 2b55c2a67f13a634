package emulator

import (
	"errors"
	"regexp"
	"strings"
)

// Trace is what the header traceparent of a request says (W3C Trace Context, section 3.2). It is
// zero for a request without one.
type Trace struct {
	// TraceID is shared by the requests of one trace: 32 hexadecimal digits.
	TraceID string `json:"trace_id,omitempty"`
	// RequestID is the parent id, of this request alone: 16 hexadecimal digits.
	RequestID string `json:"request_id,omitempty"`
}

// traceparent is version 00 of the header, the only one there is.
var traceparent = regexp.MustCompile(`^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$`)

// parseTrace reads the values of the header traceparent. The service's page does not show it, so
// that it may be missing; one that is there must be right.
func parseTrace(values []string) (Trace, error) {
	switch {
	case len(values) == 0:
		return Trace{}, nil
	case len(values) > 1:
		return Trace{}, errors.New("there is more than one traceparent header")
	}
	parts := traceparent.FindStringSubmatch(values[0])
	if parts == nil || strings.Trim(parts[1], "0") == "" || strings.Trim(parts[2], "0") == "" {
		return Trace{}, errors.New("the traceparent header is malformed")
	}
	return Trace{TraceID: parts[1], RequestID: parts[2]}, nil
}
