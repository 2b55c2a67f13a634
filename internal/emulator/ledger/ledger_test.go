package ledger

import (
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"
)

// A request is kept without credentials.
func TestNewRequest(t *testing.T) {
	t.Parallel()
	const parent = "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"
	r := httptest.NewRequest(http.MethodPost, "http://emulator:1/a%2Fb", nil)
	r.URL.RawQuery = "name=%zz;x&access_token=canary&token&Client_Secret=canary&" +
		"client%5fsecret=canary"
	r.TransferEncoding = []string{"chunked"}
	for name, value := range map[string]string{
		"User-Agent": "tester/1", "Authorization": "canary", "X-Gateway": "canary",
		"Cookie": "canary", "Traceparent": parent,
	} {
		r.Header.Set(name, value)
	}
	r.Header["X-Request-Id"] = []string{"a", "b"}
	at := time.Date(2026, 3, 1, 1, 0, 0, 0, time.FixedZone("", 3600))
	got := NewRequest(r, "studies", true, at)
	want := &Request{
		Time: at.UTC(), Target: "studies", Method: "POST", Path: "/a%2Fb",
		Query: "name=%zz;x&access_token=(hidden)&token&Client_Secret=(hidden)&" +
			"client%5fsecret=(hidden)",
		HeaderNames: []string{
			"Authorization", "Cookie", "Host", "Traceparent", "Transfer-Encoding", "User-Agent",
			"X-Gateway", "X-Request-Id",
		},
		Headers: map[string]string{
			"Host": "emulator:1", "Traceparent": parent, "Transfer-Encoding": "chunked",
			"User-Agent": "tester/1", "X-Request-Id": "a, b",
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	r.TransferEncoding = nil
	got = NewRequest(r, "other", false, at)
	if slices.Contains(got.HeaderNames, "Transfer-Encoding") || got.Query != "" {
		t.Errorf("got %+v", got)
	}
}

// The newest requests are kept, and the dropped ones are counted.
func TestStoreDropsOldest(t *testing.T) {
	t.Parallel()
	s := new(Store)
	submissions := func(l *Ledger) *int { return &l.SubmissionRequests }
	for i := range maxRequests + 5 {
		request := &Request{Path: strconv.Itoa(i)}
		s.Add(request, submissions)
		s.Accept(request, Submission{NotificationID: request.Path})
	}
	for range 3 {
		s.Add(&Request{}, submissions)
	}
	l := s.Ledger()
	if l.Dropped != 8 || l.Notifications != maxRequests+5 || len(l.Requests) != maxRequests ||
		l.Requests[0].Path != "8" || len(l.Submissions) != maxRequests-3 ||
		l.Submissions[0].NotificationID != "8" {
		t.Errorf("dropped %d of %d; %d requests, %d submissions", l.Dropped, l.Notifications,
			len(l.Requests), len(l.Submissions))
	}
}
