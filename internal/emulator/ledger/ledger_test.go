package ledger

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"terraform-provider-notification/internal/emulator/notification"
	"terraform-provider-notification/internal/emulator/route"
)

// addRequest adds a request without a response, whose path is its number.
func addRequest(s *Store, to route.Target) *Record {
	r := httptest.NewRequest(http.MethodPost, fmt.Sprintf("http://localhost/%d", s.arrived+1), nil)
	record := &Record{Request: NewRequest(r, to, time.Now(), strings.Clone)}
	s.Add(record, r)
	return record
}

func accept(s *Store, submission Submission) {
	record := addRequest(s, route.Submission)
	record.System, record.IdempotencyKey = submission.System, submission.IdempotencyKey
	s.Accept(record, submission)
	s.Complete(record, http.StatusCreated, "", "")
}

// ask returns the ledger for a query.
func ask(t *testing.T, s *Store, query string) Ledger {
	t.Helper()
	q, err := ParseQuery(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return s.Ledger(q)
}

func TestNewRequest(t *testing.T) {
	t.Parallel()
	const parent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"
	r := httptest.NewRequest(http.MethodPost, "http://emulator:1/a%2Fb?name=x%20y", nil)
	r.TransferEncoding = []string{"chunked"}
	for name, value := range map[string]string{
		"User-Agent": "tester/1", "Authorization": "canary", "X-Gateway": "canary",
		"Cookie": "canary", "Traceparent": parent,
	} {
		r.Header.Set(name, value)
	}
	r.Header["X-Request-Id"] = []string{"a", "b"}
	at := time.Date(2026, 3, 1, 1, 0, 0, 0, time.FixedZone("", 3600))
	got := NewRequest(r, route.Studies, at, strings.Clone)
	want := Request{
		Time: at.UTC(), Target: "studies", Method: "POST", Path: "/a%2Fb", Query: "name=x%20y",
		HeaderNames: []string{
			"Authorization", "Cookie", "Host", "Traceparent", "Transfer-Encoding", "User-Agent",
			"X-Gateway", "X-Request-Id",
		},
		Headers: map[string]string{
			"Host": "emulator:1", "Traceparent": parent, "Transfer-Encoding": "chunked",
			"User-Agent": "tester/1", "X-Request-Id": "a, b",
		},
		Trace: Trace{"0af7651916cd43dd8448eb211c80319c", "00f067aa0ba902b7"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	r.TransferEncoding = nil
	r.Header.Set("Traceparent", "00-a")
	got = NewRequest(r, route.Other, at, strings.Clone)
	if slices.Contains(got.HeaderNames, "Transfer-Encoding") || got.Trace != (Trace{}) {
		t.Errorf("got %+v", got)
	}
}

// Only the queries of submissions and lookups are kept, without credentials.
func TestNewRequestQuery(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodGet, "http://localhost/", nil)
	r.URL.RawQuery = "name=%zz;x&access_token=canary&token&client_secret=canary"
	const kept = "name=%zz;x&access_token=(hidden)&token&client_secret=(hidden)"
	for to, want := range map[route.Target]string{
		route.Token: "", route.Submission: kept, route.Studies: kept, route.Other: "",
	} {
		if got := NewRequest(r, to, time.Now(), strings.Clone).Query; got != want {
			t.Errorf("%s: got %q, want %q", to, got, want)
		}
	}
}

func TestNewForm(t *testing.T) {
	t.Parallel()
	got := NewForm(url.Values{
		"grant_type": {"client_credentials"}, "scope": {"a b"}, "client_secret": {"canary", "canary"},
		"client_id": {"demo"},
	}, strings.Clone)
	want := &Form{
		[]string{"client_id", "client_secret", "grant_type", "scope"}, "demo", "client_credentials", "a b",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
}

// All requests are counted, and a connection once in each Store.
func TestCounts(t *testing.T) {
	t.Parallel()
	connection := WithConnection(t.Context())
	for range 2 {
		s := new(Store)
		for _, to := range []route.Target{
			route.Token, route.Submission, route.Submission, route.Studies, route.Other, route.Other,
		} {
			r := httptest.NewRequestWithContext(connection, http.MethodGet, "http://localhost/", nil)
			s.Add(&Record{Request: NewRequest(r, to, time.Now(), strings.Clone)}, r)
		}
		s.Repeat(s.records[1], "id")
		accept(s, Submission{Channels: []notification.Channel{{Type: "sms"}}})
		got := ask(t, s, "type=fax")
		want := Ledger{
			Version: Version, TokenRequests: 1, SubmissionRequests: 3, Notifications: 1, Repetitions: 1,
			StudyRequests: 1, OtherRequests: 2, Connections: 1,
			Submissions: []Submission{}, Requests: []Request{},
		}
		if !reflect.DeepEqual(got, want) || s.records[1].RepetitionOf != "id" {
			t.Errorf("got %+v", got)
		}
	}
}

// The newest requests are kept, and the dropped ones are counted.
func TestStoreDropsOldest(t *testing.T) {
	t.Parallel()
	s := new(Store)
	for range maxRequests + 5 {
		accept(s, Submission{Priority: "HIGH", Channels: []notification.Channel{{Type: "sms"}}})
	}
	for range 3 {
		addRequest(s, route.Token)
	}
	for query, want := range map[string]struct{ count, dropped int }{
		"type=sms": {maxRequests - 3, 8}, "kind=token": {3, 8}, "kind=submission": {maxRequests - 3, 8},
	} {
		got := ask(t, s, query)
		if got.Count != want.count || got.Dropped != want.dropped || got.Notifications != maxRequests+5 {
			t.Errorf("%s: count %d, dropped %d", query, got.Count, got.Dropped)
		}
	}
	if l := s.Ledger(nil); l.Requests[0].Path != "/9" || len(l.Requests) != maxRequests {
		t.Errorf("got %d requests, the first of them %s", len(l.Requests), l.Requests[0].Path)
	}
}

// An empty value matches a missing member.
func TestQueryForNotifications(t *testing.T) {
	t.Parallel()
	s := new(Store)
	accept(s, Submission{
		NotificationID: "1", Priority: "HIGH", System: "emea", IdempotencyKey: "k",
		Channels: []notification.Channel{
			{Type: "slack", Recipient: []string{"W1", "W2"}, Subject: "a is live", ContentType: "md"},
			{Type: "sms", TemplateID: "t", Fields: map[string]string{"version": "1.4.2"}},
		},
	})
	accept(s, Submission{
		NotificationID: "2", Priority: "BATCH", Channels: []notification.Channel{{Type: "slack"}},
	})
	addRequest(s, route.Studies)
	for query, want := range map[string]string{
		"": "12", "&": "12",
		"priority=HIGH": "1", "priority=BATCH": "2", "priority=NORMAL": "",
		"system=emea": "1", "system=": "2", "system=apac": "",
		"notification_id=2": "2", "idempotency_key=k": "1", "idempotency_key=": "2",
		"type=slack": "12", "type=sms": "1", "type=s": "",
		"recipient=W2": "1", "recipient=": "12", "recipient=W": "", "recipient=&type=slack": "2",
		"subject=a+is+live": "1", "subject=a%20is%20live": "1", "subject=a": "", "subject=A+is+live": "",
		"content_type=md": "1", "template_id=t": "1",
		"fields.version=1.4.2": "1", "fields.version=": "12", "fields.Version=1.4.2": "",
		// All members must match in the same channel.
		"type=slack&subject=a+is+live": "1", "type=sms&subject=a+is+live": "",
		"type=sms&fields.version=1.4.2&priority=HIGH": "1", "type=slack&fields.version=1.4.2": "",
	} {
		got, found := ask(t, s, query), []string{}
		for _, submission := range got.Submissions {
			found = append(found, submission.NotificationID)
		}
		if ids := strings.Join(found, ""); ids != want || got.Count != len(want) || got.Dropped != 0 {
			t.Errorf("%s: got %q, want %q, count %d", query, found, want, got.Count)
		}
	}
}

// Rejected submissions match by their members, too.
func TestQueryForRequests(t *testing.T) {
	t.Parallel()
	s := new(Store)
	add := func(to route.Target, status int, body string) *Record {
		record := addRequest(s, to)
		record.System = "emea"
		s.Complete(record, status, "a reason", body)
		return record
	}
	add(route.Token, 401, "").TraceID = "abc"
	accept(s, Submission{
		NotificationID: "n", Priority: "HIGH", Channels: []notification.Channel{{Subject: "live"}},
	})
	add(route.Submission, 422,
		`{"prioritty":"HIGH","channels":[{"subject":"live","recipient":"W1","fields":{"a":"b"}}]}`)
	add(route.Submission, 503, "{")
	add(route.Studies, 200, "")
	add(route.Other, 404, "")
	add(route.Submission, 0, "")
	add(route.Submission, 422, `{"priority":"URGENT","channels":[]}`).IdempotencyKey = "kk"
	add(route.Submission, 422, `{"channels":"x","priority":"HIGH"}`)
	for query, want := range map[string]struct {
		requests []int // numbers, in order of arrival
		accepted int   // how many of them were accepted
	}{
		"kind=token":                    {[]int{1}, 0},
		"kind=submission":               {[]int{2, 3, 4, 7, 8, 9}, 1},
		"kind=other":                    {[]int{6}, 0},
		"status=201":                    {[]int{2}, 1},
		"status=422":                    {[]int{3, 8, 9}, 0},
		"status=0":                      {[]int{7}, 0},
		"kind=submission&subject=live":  {[]int{2, 3}, 1},
		"status=422&fields.a=b":         {[]int{3}, 0},
		"status=422&fields.a=c":         {nil, 0},
		"kind=submission&type=":         {[]int{2, 3}, 1},
		"status=422&system=emea":        {[]int{3, 8, 9}, 0},
		"status=422&system=":            {nil, 0},
		"status=422&priority=HIGH":      {[]int{9}, 0},
		"status=422&idempotency_key=kk": {[]int{8}, 0},
		"trace_id=abc":                  {[]int{1}, 0},
		"trace_id=&kind=studies":        {[]int{5}, 0},
		"kind=token&type=":              {nil, 0},
	} {
		found := ask(t, s, query)
		var numbers []int
		for _, r := range found.Requests {
			number, _ := strconv.Atoi(strings.TrimPrefix(r.Path, "/"))
			numbers = append(numbers, number)
		}
		if !slices.Equal(numbers, want.requests) || len(found.Submissions) != want.accepted ||
			found.Count != len(found.Requests) {
			t.Errorf("%s: got %+v, want %+v", query, found, want)
		}
	}
	// Without kind, status and trace_id, notifications are counted.
	if got := ask(t, s, "subject=live"); got.Count != 1 || len(got.Requests) != 2 {
		t.Errorf("got %+v", got)
	}
}

func TestParseQueryRejects(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"prio=HIGH":                    `must not hold a parameter "prio", only idempotency_key, kind, `,
		"Type=slack":                   `"Type"`,
		"fields=x":                     `"fields"`,
		"type.x=y":                     `"type.x"`,
		"at_least=1":                   `"at_least"`,
		"type=slack&type=sms":          "must hold type once, not 2 times",
		"subject=%zz":                  "malformed",
		strings.Repeat("x", 999) + "=": `must not hold a parameter "xxxxx`,
	} {
		if _, err := ParseQuery(query); err == nil || !strings.Contains(err.Error(), want) ||
			len(err.Error()) > 300 {
			t.Errorf("%s: got %v", query, err)
		}
	}
}
