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

	"terraform-provider-notification/internal/emulator/route"
)

// Record is one request as it is kept.
type Record struct {
	Request
	Number     int         // counts the requests, from 1
	Submission *Submission // nil: no notification was accepted; not changed once it is set
	Size       int         // in bytes, as JSON; 0 until the request is concluded
	dropped    bool
}

// NewRecord takes from a request that arrives now what may be kept of it.
func NewRecord(r *http.Request, to route.Target, now time.Time) *Record {
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
	request.Trace, _ = ParseTrace(header)
	query, err := url.ParseQuery(r.URL.RawQuery)
	hidden := err != nil || slices.ContainsFunc(slices.Collect(maps.Keys(query)), mayBeCredential)
	if (to == route.Submission || to == route.Studies) && !hidden {
		request.Query = r.URL.RawQuery
	}
	for name, values := range header {
		if !mayBeCredential(name) {
			request.Headers[name] = strings.Join(values, ", ")
		}
	}
	return &Record{Request: request}
}

// mayBeCredential goes by the name of a header or parameter: gateways have keys under many names.
var mayBeCredential = regexp.MustCompile(`(?i)auth|cookie|token|secret|passw|session|jwt|` +
	`signature|^sig$|^code$|apikey|[-_]key\b`).MatchString

// NewForm takes from the parameters of a token request what may be kept of them.
func NewForm(parameters url.Values) *Form {
	return &Form{
		Parameters: slices.Sorted(maps.Keys(parameters)),
		GrantType:  parameters.Get("grant_type"),
		Scope:      parameters.Get("scope"),
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
