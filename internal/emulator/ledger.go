package emulator

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Ledger is what the emulator has received since it was made or its ledger was cleared. The lists
// are in order of arrival and never null; where they grew beyond [Config.LedgerLimit], the oldest
// entries are missing. The counts are always complete. Its maps and bodies are shared with the
// emulator: do not change them.
type Ledger struct {
	TokenRequests      int `json:"token_requests"`
	TokensIssued       int `json:"tokens_issued"`
	SubmissionRequests int `json:"submission_requests"` // rejected ones included
	Notifications      int `json:"notifications"`       // accepted submissions
	StudyRequests      int `json:"study_requests"`
	OtherRequests      int `json:"other_requests"` // to paths that the service does not have
	// Connections is how many connections carried a request to the service.
	Connections int          `json:"connections"`
	Submissions []Submission `json:"submissions"`
	Requests    []Request    `json:"requests"`
}

// Submission is a notification that was accepted, whether or not the answer reached the client.
type Submission struct {
	NotificationID string          `json:"notification_id"` // UUID, version 4
	ReceivedAt     time.Time       `json:"received_at"`     // UTC
	System         string          `json:"system,omitempty"`
	Channels       []Channel       `json:"channels"`
	Priority       string          `json:"priority"`
	Body           json.RawMessage `json:"body"` // as received; white space is lost in JSON
	Trace
}

// Channel is one channel of a notification. Zero members were not in the request.
type Channel struct {
	Type        string            `json:"type"`
	Recipient   []string          `json:"recipient,omitempty"`
	Subject     string            `json:"subject,omitempty"`
	ContentType string            `json:"content_type,omitempty"`
	TemplateID  string            `json:"template_id,omitempty"`
	Fields      map[string]string `json:"fields,omitempty"`
}

// Request is one request to the service. It holds neither credentials nor tokens.
type Request struct {
	Time   time.Time `json:"time"`   // of arrival, UTC
	Target string    `json:"target"` // token, submission, studies or other
	Method string    `json:"method"`
	Path   string    `json:"path"` // escaped, as in the request
	// Query is escaped; only of submissions and lookups, and none that may hold a credential.
	Query  string `json:"query,omitempty"`
	Status int    `json:"status"` // 0: no answer was sent (yet)
	// Reason says why the request was rejected or got no answer.
	Reason string `json:"reason,omitempty"`
	Fault  string `json:"fault"` // the step that was its turn; empty: none
	// NotificationID is that of the notification that was accepted.
	NotificationID string `json:"notification_id,omitempty"`
	// HeaderNames are sorted, and canonical as [http.CanonicalHeaderKey] makes them.
	HeaderNames []string `json:"header_names"`
	// Headers holds their values, several joined by ", ", but those that may be credentials.
	Headers map[string]string `json:"headers"`
	Form    *Form             `json:"form,omitempty"` // of token requests only
	Trace                     // zero where the header is malformed
}

// Form is what may be kept of the body of a token request.
type Form struct {
	Parameters []string `json:"parameters"` // names, sorted, each once
	GrantType  string   `json:"grant_type"`
	Scope      string   `json:"scope"`
}

// Ledger returns a snapshot of what has been received so far. A request shows in it from its
// arrival on, its status from just before the answer goes out.
func (e *Emulator) Ledger() Ledger {
	e.mu.Lock()
	defer e.mu.Unlock()
	l := Ledger{
		TokenRequests:      e.book.counts[targetToken],
		TokensIssued:       e.book.tokensIssued,
		SubmissionRequests: e.book.counts[targetSubmission],
		Notifications:      e.book.notifications,
		StudyRequests:      e.book.counts[targetStudies],
		OtherRequests:      e.book.counts[targetOther],
		Connections:        e.book.connections,
		Submissions:        []Submission{},
		Requests:           make([]Request, 0, len(e.book.records)),
	}
	for _, kept := range e.book.records {
		l.Requests = append(l.Requests, kept.Request)
		if kept.Submission != nil {
			l.Submissions = append(l.Submissions, *kept.Submission)
		}
	}
	return l
}

// ClearLedger empties the ledger. Tokens and faults stay. A connection that is still open counts
// again with its next request.
func (e *Emulator) ClearLedger() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.book = newBook()
	e.announce()
}

func newRequest(r *http.Request, to target, now time.Time) Request {
	header := r.Header.Clone()
	header.Set("Host", r.Host)
	if len(r.TransferEncoding) > 0 {
		header["Transfer-Encoding"] = r.TransferEncoding
	}
	request := Request{
		Time:        now.UTC(),
		Target:      string(to),
		Method:      r.Method,
		Path:        r.URL.EscapedPath(),
		HeaderNames: slices.Sorted(maps.Keys(header)),
		Headers:     make(map[string]string, len(header)),
	}
	request.Trace, _ = parseTrace(header.Values("Traceparent"))
	query, err := url.ParseQuery(r.URL.RawQuery)
	hidden := err != nil || slices.ContainsFunc(slices.Collect(maps.Keys(query)), mayBeCredential)
	if (to == targetSubmission || to == targetStudies) && !hidden {
		request.Query = r.URL.RawQuery
	}
	for name, values := range header {
		if !mayBeCredential(name) {
			request.Headers[name] = strings.Join(values, ", ")
		}
	}
	return request
}

// mayBeCredential goes by the name of a header or parameter: gateways have keys under many names.
var mayBeCredential = regexp.MustCompile(`(?i)auth|cookie|token|secret|passw|session|jwt|signature|^sig$|` +
	`^code$|apikey|[-_]key\b`).MatchString

// newForm returns nil when the body is not a form.
func newForm(r *http.Request, body []byte) *Form {
	if !isForm(r) {
		return nil
	}
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return nil
	}
	return &Form{
		Parameters: slices.Sorted(maps.Keys(values)),
		GrantType:  values.Get("grant_type"),
		Scope:      values.Get("scope"),
	}
}
