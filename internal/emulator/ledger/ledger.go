// Package ledger records the newest requests to the emulator, without credentials, and the
// notifications that they submitted.
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

// Version is the version of the ledger's JSON schema. It changes when a member is removed or
// changes its meaning, and not when one is added.
const Version = 2

// Ledger lists the requests since the emulator started or its ledger was cleared, or those that
// match a [Query]. The lists are in order of arrival and never null; only the newest requests are
// kept. The emulator shares the maps and bodies: do not change them.
type Ledger struct {
	Version int `json:"version"` // of this schema: [Version]
	// Count is the number of Submissions, or of Requests if the query selects requests.
	Count int `json:"count"`
	// Dropped is the number of notifications, or requests, that are no longer kept, matching or not.
	Dropped int `json:"dropped"`

	// These count all requests, whatever the query.
	TokenRequests      int `json:"token_requests"`
	SubmissionRequests int `json:"submission_requests"` // rejected ones included
	Notifications      int `json:"notifications"`       // accepted submissions
	Repetitions        int `json:"repetitions"`         // of an accepted submission, under its key
	StudyRequests      int `json:"study_requests"`
	OtherRequests      int `json:"other_requests"` // to paths that the service does not have
	Connections        int `json:"connections"`    // that carried a request to the service

	Submissions []Submission `json:"submissions"`
	Requests    []Request    `json:"requests"`
}

// Submission is an accepted notification, whether or not the response reached the client.
type Submission struct {
	NotificationID string                 `json:"notification_id"` // UUID, version 4
	ReceivedAt     time.Time              `json:"received_at"`     // UTC
	System         string                 `json:"system,omitempty"`
	Channels       []notification.Channel `json:"channels"`
	Priority       string                 `json:"priority"`
	Body           json.RawMessage        `json:"body"` // as received; white space is lost in JSON
	// IdempotencyKey is the key of the request, if the emulator has a header for keys.
	IdempotencyKey string `json:"idempotency_key,omitempty"`
	Trace
}

// Request is one request to the service, without credentials and tokens.
type Request struct {
	Time   time.Time `json:"time"`   // of arrival, UTC
	Target string    `json:"target"` // token, submission, studies or other
	Method string    `json:"method"`
	Path   string    `json:"path"`            // escaped, as in the request
	Query  string    `json:"query,omitempty"` // escaped; only of submissions and lookups
	Status int       `json:"status"`          // 0: no response was sent (yet)
	// Reason says why the request was rejected or got no response.
	Reason string `json:"reason,omitempty"`
	Fault  string `json:"fault"` // the step that applied to it; empty: none
	// NotificationID is the id of the accepted notification.
	NotificationID string `json:"notification_id,omitempty"`
	// IdempotencyKey is the key of a submission, if the emulator has a header for keys.
	IdempotencyKey string `json:"idempotency_key,omitempty"`
	// RepetitionOf is the id of the notification accepted earlier under the same key.
	RepetitionOf string `json:"repetition_of,omitempty"`
	// HeaderNames is sorted and in the form of [http.CanonicalHeaderKey].
	HeaderNames []string `json:"header_names"`
	// Headers maps the names of headers without credentials to their values, joined by ", ".
	Headers map[string]string `json:"headers"`
	// Body is the body of a rejected or repeated submission, with U+FFFD for bytes that are not
	// UTF-8.
	Body   string  `json:"body,omitempty"`
	Form   *Form   `json:"form,omitempty"`   // of token requests only
	Lookup *Lookup `json:"lookup,omitempty"` // of accepted lookups only
	Trace
}

// Form holds the parts of a token request's body that are not secret.
type Form struct {
	Parameters []string `json:"parameters"` // sorted names without duplicates
	ClientID   string   `json:"client_id"`
	GrantType  string   `json:"grant_type"`
	Scope      string   `json:"scope"`
}

// Lookup is the name that a studies lookup asked for, and the number of studies found.
type Lookup struct {
	Name  string `json:"name"`
	Found int    `json:"found"`
}

// Trace holds the second and third part of the traceparent header (W3C Trace Context, section 3.2),
// as received; empty without one.
type Trace struct {
	TraceID   string `json:"trace_id,omitempty"`   // shared by the requests of one trace
	RequestID string `json:"request_id,omitempty"` // unique to this request
}

// safeHeaders lists the headers whose values are kept: any other may hold a credential.
var safeHeaders = []string{
	"Accept", "Accept-Encoding", "Accept-Language", "Connection", "Content-Encoding",
	"Content-Length", "Content-Type", "Expect", "Host", "Request-Id", "Traceparent", "Tracestate",
	"Transfer-Encoding", "User-Agent", "Via", "X-Correlation-Id", "X-Request-Id",
}

// secretParameter matches the query parameters whose values are not kept.
var secretParameter = regexp.MustCompile("(^|&)(access_token|client_secret|token)=[^&]*")

// NewRequest returns the parts of an arriving request that are not secret. redact removes secrets
// from a text.
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

// NewForm returns the parts of a token request's parameters that are not secret.
func NewForm(parameters url.Values, redact func(string) string) *Form {
	return &Form{
		Parameters: slices.Sorted(maps.Keys(parameters)),
		ClientID:   redact(parameters.Get("client_id")),
		GrantType:  redact(parameters.Get("grant_type")),
		Scope:      redact(parameters.Get("scope")),
	}
}
