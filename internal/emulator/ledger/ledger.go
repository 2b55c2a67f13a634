// Package ledger keeps what the emulator receives: every request, without credentials, and every
// notification, as far back as its limit of memory allows.
package ledger

import (
	"encoding/json"
	"time"

	"terraform-provider-notification/internal/emulator/notification"
)

// Version is that of the schema of a ledger as JSON. It changes when a member is removed or
// changes its meaning, and not when one is added.
const Version = 2

// Ledger is what the emulator has received since it was made or its ledger was cleared. The lists
// are in order of arrival and never null; where they grew beyond the limit, the oldest entries are
// missing. The counts are always complete. Its maps and bodies are shared with the emulator: do not
// change them.
type Ledger struct {
	Version            int `json:"version"` // of this schema: [Version]
	TokenRequests      int `json:"token_requests"`
	TokensIssued       int `json:"tokens_issued"`
	SubmissionRequests int `json:"submission_requests"` // rejected ones included
	Notifications      int `json:"notifications"`       // accepted submissions
	Repetitions        int `json:"repetitions"`         // submissions that got an earlier one's answer
	StudyRequests      int `json:"study_requests"`
	OtherRequests      int `json:"other_requests"` // to paths that the service does not have
	// Connections is how many connections carried a request to the service.
	Connections int          `json:"connections"`
	Count       int          `json:"count"`   // of Submissions
	Dropped     int          `json:"dropped"` // notifications that are missing there
	Submissions []Submission `json:"submissions"`
	Requests    []Request    `json:"requests"`
}

// Submission is a notification that was accepted, whether or not the answer reached the client.
type Submission struct {
	NotificationID string                 `json:"notification_id"` // UUID, version 4
	ReceivedAt     time.Time              `json:"received_at"`     // UTC
	System         string                 `json:"system,omitempty"`
	Channels       []notification.Channel `json:"channels"`
	Priority       string                 `json:"priority"`
	Body           json.RawMessage        `json:"body"` // as received; white space is lost in JSON
	// IdempotencyKey is the one of the request, where the emulator recognises keys.
	IdempotencyKey string `json:"idempotency_key,omitempty"`
	Trace
}

// Request is one request to the service. It holds neither credentials nor tokens.
type Request struct {
	Time   time.Time `json:"time"`   // of arrival, UTC
	Target string    `json:"target"` // token, submission, studies or other
	Method string    `json:"method"`
	Path   string    `json:"path"`            // escaped, as in the request
	Query  string    `json:"query,omitempty"` // escaped; only of submissions and lookups
	Status int       `json:"status"`          // 0: no answer was sent (yet)
	// Reason says why the request was rejected or got no answer.
	Reason string `json:"reason,omitempty"`
	Fault  string `json:"fault"` // the step that was its turn; empty: none
	// NotificationID is that of the notification that was accepted.
	NotificationID string `json:"notification_id,omitempty"`
	// IdempotencyKey is that of a submission, where the emulator recognises keys.
	IdempotencyKey string `json:"idempotency_key,omitempty"`
	// RepetitionOf is the id of the notification that was accepted earlier under the same key.
	RepetitionOf string `json:"repetition_of,omitempty"`
	// HeaderNames are sorted, and canonical as [http.CanonicalHeaderKey] makes them.
	HeaderNames []string `json:"header_names"`
	// Headers holds the values of those that are known to be no credentials, several joined by ", ".
	Headers map[string]string `json:"headers"`
	// Body is that of a submission that was rejected or repeats one, as text; what is not UTF-8
	// becomes U+FFFD.
	Body   string  `json:"body,omitempty"`
	Form   *Form   `json:"form,omitempty"`   // of token requests only
	Lookup *Lookup `json:"lookup,omitempty"` // of lookups only; nil where they were rejected
	Trace          // zero where the header is malformed
}

// Form is what may be kept of the body of a token request.
type Form struct {
	Parameters []string `json:"parameters"` // names, sorted, each once
	ClientID   string   `json:"client_id"`
	GrantType  string   `json:"grant_type"`
	Scope      string   `json:"scope"`
}

// Lookup is what was looked up, and how many studies of that name there are.
type Lookup struct {
	Name  string `json:"name"`
	Found int    `json:"found"`
}

// Trace is what the header traceparent of a request says (W3C Trace Context, section 3.2). It is
// zero for a request without one.
type Trace struct {
	// TraceID is shared by the requests of one trace: 32 hexadecimal digits.
	TraceID string `json:"trace_id,omitempty"`
	// RequestID is the parent id, of this request alone: 16 hexadecimal digits.
	RequestID string `json:"request_id,omitempty"`
}
