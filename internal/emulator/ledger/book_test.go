package ledger

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"terraform-provider-notification/internal/emulator/notification"
	"terraform-provider-notification/internal/emulator/route"
)

// lookup returns a request to a studies endpoint.
func lookup() *http.Request {
	return httptest.NewRequest(http.MethodGet, "http://localhost/studies/v1?name=ATLAS", nil)
}

// enter adds a request that was not answered yet. Its path is its number.
func enter(b *Book, to route.Target) *Record {
	r := httptest.NewRequest(http.MethodPost, fmt.Sprintf("http://localhost/%d", b.Entered+1), nil)
	record := NewRecord(r, to, time.Now(), mask)
	b.Enter(record, r)
	return record
}

// checkSize compares the size that the limit goes by with that of the records.
func checkSize(t *testing.T, b *Book, least, most int) {
	t.Helper()
	sum := 0
	for _, kept := range b.Records {
		sum += recordMemory + memoryPerByte*kept.Size
	}
	if b.size != sum || sum < least || sum > most {
		t.Errorf("the size is said to be %d, but is %d", b.size, sum)
	}
}

// What a request brings after it was dropped must not be weighed.
func TestLimitAndRequestsInFlight(t *testing.T) {
	t.Parallel()
	b := NewBook(15_000)
	waiting := enter(b, route.Studies)
	for range 50 {
		b.Conclude(enter(b, route.Studies), http.StatusUnauthorized, "the token is unknown")
	}
	checkSize(t, b, 14_000, 15_000)
	kept := len(b.Records)
	b.Grow(waiting, 10_000)
	b.Conclude(waiting, http.StatusOK, "")
	checkSize(t, b, 14_000, 15_000)
	if len(b.Records) != kept || b.Records[0].Number != 51-kept+1 || b.Counts.StudyRequests != 51 {
		t.Errorf("%d records, then %d from %d on", kept, len(b.Records), b.Records[0].Number)
	}
}

// A record of exactly the limit stays, one byte more is too much.
func TestLimitIsExact(t *testing.T) {
	t.Parallel()
	measure := NewBook(0)
	measure.Conclude(enter(measure, route.Studies), http.StatusOK, "")
	for limit, want := range map[int]int{measure.size: 1, measure.size - 1: 0} {
		b := NewBook(limit)
		b.Conclude(enter(b, route.Studies), http.StatusOK, "")
		if len(b.Records) != want || b.Counts.StudyRequests != 1 {
			t.Errorf("limit %d: %d records, counts %+v", limit, len(b.Records), b.Counts)
		}
	}
}

// The body of a notification is kept as it came, and in parts.
func TestNotificationsAreWeighedTwice(t *testing.T) {
	t.Parallel()
	b := NewBook(0)
	record := enter(b, route.Studies)
	subject := strings.Repeat("x", 1000)
	b.Grow(record, len(subject))
	b.Accept(record, Submission{
		NotificationID: "id", Channels: []notification.Channel{{Type: "mail", Subject: subject}},
		Body: []byte(subject),
	})
	b.Conclude(record, http.StatusCreated, "")
	checkSize(t, b, 7_500, 8_500)
	l := b.Ledger()
	if l.Notifications != 1 || l.Requests[0].NotificationID != "id" ||
		len(l.Submissions) != 1 || l.Submissions[0].Channels[0].Subject != subject {
		t.Errorf("it holds %+v", l)
	}
}

// What was accepted is accepted, whatever became of the answer.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	accepted := &Submission{}
	for _, test := range []struct {
		record Record
		want   string
	}{
		{Record{Request: Request{Target: "submission", Status: 201}, Submission: accepted}, "[accepted]"},
		{Record{Request: Request{Target: "submission"}, Submission: accepted}, "[accepted]"}, // so far
		{Record{Request: Request{Reason: "a fault"}, Submission: accepted}, "[lost accepted]"},
		{Record{Request: Request{Status: 201, Fault: "truncate"}, Submission: accepted}, "[lost accepted]"},
		{Record{Request: Request{Status: 201, RepetitionOf: "id"}}, "[repeated]"},
		{Record{Request: Request{Reason: "a fault", RepetitionOf: "id"}}, "[lost repeated]"},
		{Record{Request: Request{Target: "submission", Status: 422, Reason: "x"}}, "[rejected]"},
		{Record{Request: Request{Target: "submission", Status: 422, Reason: "x", Fault: "truncate"}}, "[rejected]"},
		{Record{Request: Request{Target: "submission", Status: 503, Reason: "x", Fault: "status:503:2"}}, "[rejected]"},
		{Record{Request: Request{Target: "submission", Status: 503, Reason: "x", Fault: "status:503"}}, "[lost]"},
		{Record{Request: Request{Target: "submission", Status: 503, Reason: "x", Fault: "html:503"}}, "[lost]"},
		{Record{Request: Request{Target: "submission", Status: 408, Reason: "x"}}, "[lost]"},
		{Record{Request: Request{Target: "submission", Status: 303, Reason: "x"}}, "[lost]"},
		{Record{Request: Request{Target: "studies", Status: 503, Reason: "x"}}, "[rejected]"},
		{Record{Request: Request{Target: "submission", Status: 500, Reason: "x"}}, "[lost]"},
		{Record{Request: Request{Target: "submission", Reason: "x"}}, "[lost]"},
		{Record{Request: Request{Target: "submission"}}, "[]"},
		{Record{Request: Request{Target: "token", Status: 200}}, "[tokens]"},
		{Record{Request: Request{Target: "studies", Status: 200}}, "[lookups]"},
		{Record{Request: Request{Target: "studies", Reason: "x"}}, "[lost]"},
		{Record{Request: Request{Target: "other", Status: 404, Reason: "x"}}, "[rejected]"},
	} {
		if got := fmt.Sprint(test.record.Outcomes()); got != test.want {
			t.Errorf("%+v: got %s, want %s", test.record, got, test.want)
		}
	}
}

func TestConnections(t *testing.T) {
	t.Parallel()
	first, second := NewBook(0), NewBook(0)
	one := lookup().WithContext(WithConnection(t.Context()))
	other := lookup().WithContext(WithConnection(t.Context()))
	for _, step := range []struct {
		book *Book
		r    *http.Request
		want int
	}{
		{first, one, 1}, {first, one, 1}, {second, one, 1}, {second, one, 1}, {first, other, 2},
	} {
		step.book.Enter(NewRecord(step.r, route.Studies, time.Now(), mask), step.r)
		if got := step.book.Counts.Connections; got != step.want {
			t.Errorf("%d connections, want %d", got, step.want)
		}
	}
}
