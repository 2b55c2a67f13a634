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

	"github.com/notification/terraform-provider-notification/internal/emulator/notification"
)

// Version is the version of the ledger's JSON schema. It changes when a member is removed or
// changes its meaning, and not when one is added.
const Version = 1

// Ledger lists the newest requests in order of arrival. The lists are never null. The emulator
// shares maps and bodies: do not change them.
type Ledger struct {
	Version int `json:"version"` // of this schema: [Version]
	Dropped int `json:"dropped"` // requests that are no longer kept, accepted or not

	// These count all requests, including the dropped ones.
	TokenRequests      int `json:"token_requests"`
	SubmissionRequests int `json:"submission_requests"` // rejected ones included
	Notifications      int `json:"notifications"`       // accepted submissions
	Repetitions        int `json:"repetitions"`         // of an accepted submission, under its key
	StudyRequests      int `json:"study_requests"`
	OtherRequests      int `json:"other_requests"` // to paths that the service does not have

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
	IdempotencyKey string                 `json:"idempotency_key,omitempty"`
}

// Request is one request to the service, without credentials and tokens.
type Request struct {
	Time   time.Time `json:"time"`   // of arrival, UTC
	Target string    `json:"target"` // the name of the endpoint, or other
	Method string    `json:"method"`
	Path   string    `json:"path"`             // escaped, as in the request
	Query  string    `json:"query,omitempty"`  // escaped; only of API requests
	Status int       `json:"status"`           // 0: no response was sent (yet)
	Reason string    `json:"reason,omitempty"` // why it was rejected or got no response
	Fault  string    `json:"fault"`            // the step that applied to it; empty: none

	NotificationID string `json:"notification_id,omitempty"` // of the accepted notification
	IdempotencyKey string `json:"idempotency_key,omitempty"` // of a submission
	RepetitionOf   string `json:"repetition_of,omitempty"`   // id of the first one under its key

	HeaderNames []string          `json:"header_names"` // sorted, as by [http.CanonicalHeaderKey]
	Headers     map[string]string `json:"headers"`      // those without credentials, joined by ", "

	Body   string  `json:"body,omitempty"`   // of a submission not accepted; U+FFFD if not UTF-8
	Form   *Form   `json:"form,omitempty"`   // of token requests only
	Lookup *Lookup `json:"lookup,omitempty"` // of accepted lookups only

	Submission *Submission `json:"-"` // nil: no notification was accepted

	size    int  // bytes of the bodies, which count towards the size of the Store
	dropped bool // from the Store
}

// Form holds the parts of a token request's body that are not secret.
type Form struct {
	Parameters []string `json:"parameters"` // sorted names without duplicates
	ClientID   string   `json:"client_id"`
	GrantType  string   `json:"grant_type"`
	Scope      string   `json:"scope"`
}

// Lookup is the name that a lookup asked for, and the number of items found.
type Lookup struct {
	Name  string `json:"name"`
	Found int    `json:"found"`
}

// safeHeaders lists the headers whose values are kept: any other may hold a credential.
var safeHeaders = []string{
	"Accept", "Accept-Encoding", "Accept-Language", "Connection", "Content-Encoding",
	"Content-Length", "Content-Type", "Expect", "Host", "Request-Id", "Traceparent", "Tracestate",
	"Transfer-Encoding", "User-Agent", "Via", "X-Correlation-Id", "X-Request-Id",
}

var secretParameter = regexp.MustCompile("(?i)^(access_token|client_secret|token)$")

// withoutSecrets returns a query without the values of parameters that may be credentials.
func withoutSecrets(query string) string {
	parameters := strings.Split(query, "&")
	for i, parameter := range parameters {
		name, _, hasValue := strings.Cut(parameter, "=")
		decoded, _ := url.QueryUnescape(name)
		if hasValue && secretParameter.MatchString(decoded) {
			parameters[i] = name + "=(hidden)"
		}
	}
	return strings.Join(parameters, "&")
}

// NewRequest returns the parts of an arriving request that are not secret. The query of a token
// request, or of one to an unknown path, must not be kept.
func NewRequest(r *http.Request, target string, keepsQuery bool, now time.Time) *Request {
	header := r.Header.Clone()
	header.Set("Host", r.Host)
	if len(r.TransferEncoding) > 0 {
		header["Transfer-Encoding"] = r.TransferEncoding
	}
	request := &Request{
		Time:        now.UTC(),
		Target:      target,
		Method:      r.Method,
		Path:        r.URL.EscapedPath(),
		HeaderNames: slices.Sorted(maps.Keys(header)),
		Headers:     make(map[string]string, len(header)),
	}
	if keepsQuery {
		request.Query = withoutSecrets(r.URL.RawQuery)
	}
	for _, name := range safeHeaders {
		if values, sent := header[name]; sent {
			request.Headers[name] = strings.Join(values, ", ")
		}
	}
	return request
}

// A Store keeps at most this many requests, with bodies of at most this many bytes together.
const (
	maxRequests = 10_000
	maxSize     = 64 << 20
)

// Store records requests, and drops the oldest ones when it is full. Callers must guard a Store and
// its requests by a lock.
type Store struct {
	counts   Ledger // without lists
	requests []*Request
	size     int // bytes of their bodies
}

// Add adds a request without a body and increments the counter of its endpoint.
func (s *Store) Add(request *Request, counter func(*Ledger) *int) {
	*counter(&s.counts)++
	s.requests = append(s.requests, request)
	s.grow(request, 0)
}

// Accept records that the request submitted a notification.
func (s *Store) Accept(request *Request, accepted Submission) {
	request.Submission, request.NotificationID = &accepted, accepted.NotificationID
	s.counts.Notifications++
	s.grow(request, len(accepted.Body))
}

// Conclude records the outcome of the request, and its body unless it was accepted.
func (s *Store) Conclude(request *Request, status int, reason, body string) {
	request.Status, request.Reason, request.Body = status, reason, body
	s.grow(request, len(body))
}

// grow adds the size of a body to the request that holds it, and makes room for it.
func (s *Store) grow(request *Request, size int) {
	if request.dropped {
		return
	}
	request.size += size
	s.size += size
	for len(s.requests) > maxRequests || s.size > maxSize {
		s.requests[0].dropped = true
		s.size -= s.requests[0].size
		s.requests = slices.Delete(s.requests, 0, 1)
		s.counts.Dropped++
	}
}

// Repeat records that the request repeats an accepted submission under its idempotency key.
func (s *Store) Repeat(request *Request, id string) {
	request.RepetitionOf = id
	s.counts.Repetitions++
}

// Ledger returns a snapshot.
func (s *Store) Ledger() Ledger {
	l := s.counts
	l.Version, l.Submissions, l.Requests = Version, []Submission{}, []Request{}
	for _, r := range s.requests {
		l.Requests = append(l.Requests, *r)
		if r.Submission != nil {
			l.Submissions = append(l.Submissions, *r.Submission)
		}
	}
	return l
}
