package ledger

import (
	"errors"
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

// Outcomes are what can become of a request. One whose answer was lost may be accepted too.
var Outcomes = []string{
	"accepted", // a notification
	"repeated", // an accepted one again, under its idempotency key
	"rejected", // a request to any endpoint
	"lost",     // no answer was sent, or none that says what became of it
	"lookups", "tokens",
}

// Record is one request as it is kept.
type Record struct {
	Request
	Number     int         // counts the requests, from 1
	System     string      // of the path; empty: none
	Submission *Submission // nil: no notification was accepted; not changed once it is set
	Key        string      // the idempotency key as it was sent
	// Content is that of a submission: also of one that was rejected or repeats another, as far as it
	// can be read.
	Content notification.Notification
	Studies [][]byte // that a lookup found, as JSON; not to be changed
	Size    int      // in bytes, of what was received: a body that is kept twice counts twice
	Altered bool     // what is kept would make another request
	dropped bool
}

// Outcomes are what became of the request, the most urgent first; none as long as it is not known.
// Of the answers of a server in trouble only a 503 that says when to come back, as the fault has it,
// says that it has not taken a submission.
func (r *Record) Outcomes() (all []string) {
	failed := r.Reason != ""
	if failed && r.Status == 0 || !failed && strings.HasPrefix(r.Fault, "truncate") ||
		r.Target == string(route.Submission) && (r.Status == http.StatusSeeOther ||
			r.Status == http.StatusRequestTimeout ||
			r.Status >= 500 && !strings.HasPrefix(r.Fault, "status:503:")) {
		all = append(all, "lost")
	}
	switch {
	case r.Submission != nil:
		return append(all, "accepted")
	case r.RepetitionOf != "":
		return append(all, "repeated")
	case failed && all == nil:
		return append(all, "rejected")
	case failed || r.Status == 0:
		return all
	case r.Target == string(route.Token):
		return append(all, "tokens")
	}
	return append(all, "lookups")
}

// harmless are the headers whose values are kept: gateways have keys under any other name.
var harmless = []string{
	"Accept", "Accept-Encoding", "Accept-Language", "Connection", "Content-Encoding",
	"Content-Length", "Content-Type", "Expect", "Host", "Request-Id", "Traceparent", "Tracestate",
	"Transfer-Encoding", "User-Agent", "Via", "X-Correlation-Id", "X-Request-Id",
}

// NewRecord takes from a request that arrives now what may be kept of it.
func NewRecord(r *http.Request, to route.Target, now time.Time, mask Mask) *Record {
	header := r.Header.Clone()
	header.Set("Host", r.Host)
	if len(r.TransferEncoding) > 0 {
		header["Transfer-Encoding"] = r.TransferEncoding
	}
	request := Request{
		Time:        now.UTC(),
		Target:      string(to),
		Method:      r.Method,
		Path:        mask.Text(r.URL.EscapedPath()),
		HeaderNames: slices.Sorted(maps.Keys(header)),
		Headers:     make(map[string]string, len(header)),
	}
	var malformed error
	request.Trace, malformed = ParseTrace(header)
	if to == route.Submission || to == route.Studies {
		request.Query = mask.Text(r.URL.RawQuery)
	}
	size := len(r.Method) + len(request.Path) + len(request.Query)
	for name, values := range header {
		size += len(name) + len(strings.Join(values, ""))
	}
	for _, name := range harmless {
		if values, sent := header[name]; sent {
			request.Headers[name] = mask.Text(strings.Join(values, ", "))
		}
	}
	authorization := r.Header.Values("Authorization")
	return &Record{Request: request, Size: size, Altered: malformed != nil ||
		request.Path != r.URL.EscapedPath() || request.Query != r.URL.RawQuery ||
		len(authorization) > 0 && to == route.Token || len(authorization) > 1 ||
		len(authorization) == 1 && !strings.HasPrefix(authorization[0], "Bearer ")}
}

// NewForm takes from the parameters of a token request what may be kept of them.
func NewForm(parameters url.Values, mask Mask) *Form {
	names := slices.Sorted(maps.Keys(parameters))
	for i := range names {
		names[i] = mask.Text(names[i])
	}
	return &Form{
		Parameters: names,
		ClientID:   mask.Text(parameters.Get("client_id")),
		GrantType:  mask.Text(parameters.Get("grant_type")),
		Scope:      mask.Text(parameters.Get("scope")),
	}
}

// traceparent is version 00 of the header, the only one there is.
var traceparent = regexp.MustCompile(`^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$`)

// ParseTrace reads the header traceparent. The service's page does not show it, so that it may be
// missing; one that is there must be right.
func ParseTrace(header http.Header) (Trace, error) {
	values := header.Values("Traceparent")
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
