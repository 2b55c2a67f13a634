// Package ledger keeps what the emulator receives: the newest requests, without credentials, and
// the notifications that they submitted.
package ledger

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"terraform-provider-notification/internal/emulator/notification"
	"terraform-provider-notification/internal/emulator/route"
)

// Version is that of the schema of a ledger as JSON. It changes when a member is removed or
// changes its meaning, and not when one is added.
const Version = 2

// Ledger is what the emulator has received since it was made or its ledger was cleared, or the part
// of it that a [Query] asks for. The lists are in order of arrival and never null; only the newest
// requests are kept. Its maps and bodies are shared with the emulator: do not change them.
type Ledger struct {
	Version int `json:"version"` // of this schema: [Version]
	// Count is how many Submissions there are; or Requests, where the query asks for those.
	Count int `json:"count"`
	// Dropped is how many of what Count counts are no longer kept, whether or not they match a query.
	Dropped int `json:"dropped"`

	// These are always of everything that was received.
	TokenRequests      int `json:"token_requests"`
	SubmissionRequests int `json:"submission_requests"` // rejected ones included
	Notifications      int `json:"notifications"`       // accepted submissions
	Repetitions        int `json:"repetitions"`         // got an earlier one's response
	StudyRequests      int `json:"study_requests"`
	OtherRequests      int `json:"other_requests"` // to paths that the service does not have
	Connections        int `json:"connections"`    // that carried a request to the service

	Submissions []Submission `json:"submissions"`
	Requests    []Request    `json:"requests"`
}

// Submission is a notification that was accepted, whether or not the response reached the client.
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
	Status int       `json:"status"`          // 0: no response was sent (yet)
	// Reason says why the request was rejected or got no response.
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
	Trace
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

// Trace is the second and the third part of the header traceparent (W3C Trace Context, section
// 3.2), as they came; empty without one.
type Trace struct {
	TraceID   string `json:"trace_id,omitempty"`   // shared by the requests of one trace
	RequestID string `json:"request_id,omitempty"` // of this request alone
}

// safeHeaders are the headers whose values are kept: any other may hold a credential.
var safeHeaders = []string{
	"Accept", "Accept-Encoding", "Accept-Language", "Connection", "Content-Encoding",
	"Content-Length", "Content-Type", "Expect", "Host", "Request-Id", "Traceparent", "Tracestate",
	"Transfer-Encoding", "User-Agent", "Via", "X-Correlation-Id", "X-Request-Id",
}

// secretParameter are the parameters of a query whose values are not kept.
var secretParameter = regexp.MustCompile("(^|&)(access_token|client_secret|token)=[^&]*")

// NewRequest takes from a request what may be kept of it when it arrives. redact hides the secrets in a
// text.
func NewRequest(
	r *http.Request, to route.Target, now time.Time, redact func(string) string,
) Request {
	header := r.Header.Clone()
	header.Set("Host", r.Host)
	if len(r.TransferEncoding) > 0 {
		header["Transfer-Encoding"] = r.TransferEncoding
	}
	request := Request{
		Time:        now.UTC(),
		Target:      string(to),
		Method:      r.Method,
		Path:        redact(r.URL.EscapedPath()),
		HeaderNames: slices.Sorted(maps.Keys(header)),
		Headers:     make(map[string]string, len(header)),
	}
	if to == route.Submission || to == route.Studies {
		request.Query = redact(secretParameter.ReplaceAllString(r.URL.RawQuery, "$1$2=(hidden)"))
	}
	for _, name := range safeHeaders {
		if values, sent := header[name]; sent {
			request.Headers[name] = redact(strings.Join(values, ", "))
		}
	}
	if parts := strings.Split(request.Headers["Traceparent"], "-"); len(parts) >= 3 {
		request.Trace = Trace{TraceID: parts[1], RequestID: parts[2]}
	}
	return request
}

// NewForm takes from the parameters of a token request what may be kept of them.
func NewForm(parameters url.Values, redact func(string) string) *Form {
	return &Form{
		Parameters: slices.Sorted(maps.Keys(parameters)),
		ClientID:   redact(parameters.Get("client_id")),
		GrantType:  redact(parameters.Get("grant_type")),
		Scope:      redact(parameters.Get("scope")),
	}
}
