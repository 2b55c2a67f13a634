package wire

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// ID identifies one attempt in the logs of gateways and the service. It is zero if none of them can
// have read the request.
type ID struct {
	Trace   string // 32 hexadecimal digits, shared by all attempts at one request
	Request string // a UUID, or its parentID if no header carried it; empty in a zero ID
	Header  string // a header that carried Request, in addition to traceparent; may be empty
}

func (id ID) String() string { return "request id " + id.Request + ", trace id " + id.Trace }

// LogFields returns the ids as structured fields; none if id is zero.
func (id ID) LogFields() map[string]any {
	if id.Request == "" {
		return nil
	}
	return map[string]any{"request_id": id.Request, "trace_id": id.Trace}
}

// Trace is the part of a traceparent that attempts share (W3C Trace Context, section 3.2).
type Trace struct {
	ID    string // 32 hexadecimal digits
	Flags byte   // 1 if the caller may have recorded the trace (the sampled flag), else 0
}

// NewTrace returns a trace with a random id.
func NewTrace() Trace {
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never fails
	return Trace{ID: hex.EncodeToString(id), Flags: 1}
}

// Versions above 00 may have more fields.
var traceparentFormat = regexp.MustCompile(
	`^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$`,
)

// ParseTrace parses a traceparent of any version.
func ParseTrace(value string) (Trace, error) {
	parts := traceparentFormat.FindStringSubmatch(value)
	switch {
	case parts == nil, parts[1] == "ff", parts[1] == "00" && parts[5] != "",
		strings.Trim(parts[2], "0") == "", strings.Trim(parts[3], "0") == "":
		return Trace{}, errors.New("is not a traceparent (W3C Trace Context, section 3.2)")
	}
	flags, _ := hex.DecodeString(parts[4]) // two hexadecimal digits
	return Trace{ID: parts[2], Flags: flags[0] & 1}, nil
}

// traceparent returns the traceparent of one attempt, in version 00.
func (t Trace) traceparent(parentID string) string {
	return fmt.Sprintf("00-%s-%s-%02x", t.ID, parentID, t.Flags)
}

// parentID returns the 16 hexadecimal digits of a traceparent: the first ones of requestID, a UUID,
// so that one leads to the other.
func parentID(requestID string) string { return strings.ReplaceAll(requestID, "-", "")[:16] }
