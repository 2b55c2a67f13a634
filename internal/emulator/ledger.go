package emulator

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// Ledger is what the emulator has received since it was made or its ledger was
// cleared. The lists are in order of arrival and never null. Its maps
// and bodies are shared with the emulator: do not change them.
type Ledger struct {
	TokenRequests      int `json:"token_requests"`
	TokensIssued       int `json:"tokens_issued"`
	SubmissionRequests int `json:"submission_requests"` // refused ones included
	StudyRequests      int `json:"study_requests"`
	OtherRequests      int `json:"other_requests"` // to paths that the service does not have
	// Connections is how many connections carried a request to the service.
	Connections int          `json:"connections"`
	Submissions []Submission `json:"submissions"`
	Requests    []Request    `json:"requests"`
}

// Submission is a notification that was accepted, whether or not the answer
// reached the client.
type Submission struct {
	NotificationID string          `json:"notification_id"` // UUID, version 4
	ReceivedAt     time.Time       `json:"received_at"`     // UTC
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
	Path   string    `json:"path"`            // escaped, as in the request
	Query  string    `json:"query,omitempty"` // escaped; only of submissions and look-ups
	Status int       `json:"status"`          // 0: no answer was sent (yet)
	Fault  string    `json:"fault"`           // the step that was its turn; empty: none
	// HeaderNames are sorted, and canonical as [http.CanonicalHeaderKey] makes them.
	HeaderNames []string `json:"header_names"`
	// Headers holds their values, several joined by ", ", but those of
	// Authorization, Proxy-Authorization and Cookie.
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

// book is the ledger as it is kept. Its owner's lock guards it.
type book struct {
	counts       map[target]int
	tokensIssued int
	connections  map[any]struct{}
	submissions  []Submission
	requests     []*Request
}

func newBook() book {
	return book{counts: make(map[target]int), connections: make(map[any]struct{})}
}

func (b *book) enter(record *Request, connection any) {
	b.counts[target(record.Target)]++
	b.connections[connection] = struct{}{}
	b.requests = append(b.requests, record)
}

// Ledger returns a snapshot of what has been received so far. A request shows in it
// from its arrival on, its status from just before the answer goes out.
func (e *Emulator) Ledger() Ledger {
	e.mu.Lock()
	defer e.mu.Unlock()
	requests := make([]Request, 0, len(e.book.requests))
	for _, record := range e.book.requests {
		requests = append(requests, *record)
	}
	return Ledger{
		TokenRequests:      e.book.counts[toToken],
		TokensIssued:       e.book.tokensIssued,
		SubmissionRequests: e.book.counts[toSubmission],
		StudyRequests:      e.book.counts[toStudies],
		OtherRequests:      e.book.counts[toOther],
		Connections:        len(e.book.connections),
		Submissions:        append([]Submission{}, e.book.submissions...),
		Requests:           requests,
	}
}

// ClearLedger empties the ledger. Tokens and faults stay. A connection that is
// still open counts again with its next request.
func (e *Emulator) ClearLedger() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.book = newBook()
}

func newRequest(r *http.Request, to target, now time.Time) *Request {
	header := r.Header.Clone()
	header.Set("Host", r.Host)
	if len(r.TransferEncoding) > 0 {
		header["Transfer-Encoding"] = r.TransferEncoding
	}
	record := &Request{
		Time:        now.UTC(),
		Target:      string(to),
		Method:      r.Method,
		Path:        r.URL.EscapedPath(),
		HeaderNames: slices.Sorted(maps.Keys(header)),
		Headers:     make(map[string]string, len(header)),
	}
	record.Trace, _ = parseTrace(header.Values("Traceparent"))
	if to == toSubmission || to == toStudies {
		record.Query = r.URL.RawQuery
	}
	for name, values := range header {
		switch name {
		case "Authorization", "Proxy-Authorization", "Cookie":
		default:
			record.Headers[name] = strings.Join(values, ", ")
		}
	}
	return record
}

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
