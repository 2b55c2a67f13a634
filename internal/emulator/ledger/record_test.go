package ledger

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"terraform-provider-notification/internal/emulator/route"
)

const (
	traceID, requestID = "0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7"
	parent             = "00-" + traceID + "-" + requestID + "-01"
)

// mask is that of an emulator.
var mask = NewMask("s3cret & sound")

func TestNewRecord(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodPost, "http://emulator:1/a%2Fb?name=x%20y", nil)
	r.TransferEncoding = []string{"chunked"}
	for name, value := range map[string]string{
		"User-Agent": "tester/1", "Authorization": "canary", "X-Gateway": "canary",
		"Cookie": "canary", "Traceparent": parent,
	} {
		r.Header.Set(name, value)
	}
	r.Header["X-Request-Id"] = []string{"a", "b " + issued}
	at := time.Date(2026, 3, 1, 1, 0, 0, 0, time.FixedZone("", 3600))
	got := NewRecord(r, route.Studies, at, mask).Request
	want := Request{
		Time: at.UTC(), Target: "studies", Method: "POST", Path: "/a%2Fb", Query: "name=x%20y",
		HeaderNames: []string{
			"Authorization", "Cookie", "Host", "Traceparent", "Transfer-Encoding", "User-Agent",
			"X-Gateway", "X-Request-Id",
		},
		Headers: map[string]string{
			"Host": "emulator:1", "Traceparent": parent, "Transfer-Encoding": "chunked",
			"User-Agent": "tester/1", "X-Request-Id": "a, b (hidden)",
		},
		Trace: Trace{TraceID: traceID, RequestID: requestID},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	if r.Header.Get("Host") != "" {
		t.Error("it has changed the request")
	}
	r.TransferEncoding = nil
	names := NewRecord(r, route.Other, at, mask).HeaderNames
	if slices.Contains(names, "Transfer-Encoding") {
		t.Errorf("got %q", names)
	}
}

// Only the queries of submissions and lookups are kept: those of token requests hold credentials.
func TestNewRecordAndQueries(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodGet, "http://localhost/", nil)
	r.URL.RawQuery = "name=%zz;x&y=" + issued
	for to, want := range map[route.Target]string{
		route.Token: "", route.Submission: "name=%zz;x&y=(hidden)",
		route.Studies: "name=%zz;x&y=(hidden)", route.Other: "",
	} {
		if got := NewRecord(r, to, time.Now(), mask).Query; got != want {
			t.Errorf("%s: it keeps %q", to, got)
		}
	}
}

func TestNewForm(t *testing.T) {
	t.Parallel()
	got := NewForm(url.Values{
		"grant_type": {"client_credentials"}, "scope": {"a b"}, "client_secret": {"canary", "canary"},
		"client_id": {"demo"},
	}, mask)
	want := &Form{
		[]string{"client_id", "client_secret", "grant_type", "scope"}, "demo", "client_credentials", "a b",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

func TestParseTrace(t *testing.T) {
	t.Parallel()
	const zeros, malformed = "0000000000000000", "the traceparent header is malformed"
	for _, test := range []struct {
		values []string
		want   Trace
		fails  string
	}{
		{nil, Trace{}, ""},
		{[]string{parent}, Trace{traceID, requestID}, ""},
		{[]string{strings.Replace(parent, "-01", "-00", 1)}, Trace{traceID, requestID}, ""},
		{[]string{parent, parent}, Trace{}, "there is more than one traceparent header"},
		{[]string{""}, Trace{}, malformed},
		{[]string{"01" + parent[2:]}, Trace{}, malformed},
		{[]string{"00-" + zeros + zeros + "-" + requestID + "-01"}, Trace{}, malformed},
		{[]string{"00-" + traceID + "-" + zeros + "-01"}, Trace{}, malformed},
		{[]string{"00-" + strings.ToUpper(traceID) + "-" + requestID + "-01"}, Trace{}, malformed},
		{[]string{"00-" + traceID[1:] + "-" + requestID + "-01"}, Trace{}, malformed},
		{[]string{parent + "-x"}, Trace{}, malformed},
		{[]string{"x" + parent}, Trace{}, malformed},
	} {
		header := http.Header{"Traceparent": test.values}
		got, err := ParseTrace(header)
		if got != test.want || (err == nil) != (test.fails == "") ||
			err != nil && err.Error() != test.fails {
			t.Errorf("%q: got %+v, %v", test.values, got, err)
		}
	}
}

// A snapshot has every count, and lists that are never null.
func TestLedger(t *testing.T) {
	t.Parallel()
	b := NewBook(0)
	if l := b.Ledger(); l.Requests == nil || l.Submissions == nil {
		t.Errorf("got %+v", l)
	}
	for n, to := range []route.Target{
		route.Token, route.Submission, route.Submission, route.Studies, route.Other, route.Other,
	} {
		r := lookup().WithContext(WithConnection(t.Context()))
		record := NewRecord(r, to, time.Now(), mask)
		b.Enter(record, r)
		if record.Number != n+1 {
			t.Errorf("record %d has number %d", n+1, record.Number)
		}
	}
	got := b.Ledger()
	want := Ledger{
		Version: Version, TokenRequests: 1, SubmissionRequests: 2, StudyRequests: 1, OtherRequests: 2,
		Connections: 6, Submissions: got.Submissions, Requests: got.Requests,
	}
	if !reflect.DeepEqual(got, want) || len(got.Requests) != 6 {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
