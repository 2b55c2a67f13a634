package ledger

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"terraform-provider-notification/internal/emulator/notification"
	"terraform-provider-notification/internal/emulator/route"
)

func accept(b *Book, s Submission) {
	record := enter(b, route.Submission)
	record.System, record.IdempotencyKey = s.System, s.IdempotencyKey
	s.Body = []byte(`{}`)
	b.Accept(record, s)
	b.Conclude(record, http.StatusCreated, "")
}

// selection is what a query selects, and the ids of the submissions.
func selection(t *testing.T, b *Book, query string) (s Selection, ids string) {
	t.Helper()
	q, err := ParseQuery(query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	s, _ = b.Select(q, true)
	var found []string
	for _, submission := range s.Submissions {
		found = append(found, submission.NotificationID)
	}
	return s, strings.Join(found, "")
}

func TestSelect(t *testing.T) {
	t.Parallel()
	b := NewBook(0)
	accept(b, Submission{
		NotificationID: "1", Priority: "HIGH", System: "emea", IdempotencyKey: "k",
		Channels: []notification.Channel{
			{Type: "slack", Recipient: []string{"W1", "W2"}, Subject: "a is live", ContentType: "md"},
			{Type: "sms", TemplateID: "t", Fields: map[string]string{"version": "1.4.2"}},
		},
	})
	accept(b, Submission{
		NotificationID: "2", Priority: "BATCH", Channels: []notification.Channel{{Type: "slack"}},
	})
	enter(b, route.Studies)
	for query, want := range map[string]string{
		"":              "12",
		"priority=HIGH": "1", "priority=BATCH": "2", "priority=NORMAL": "",
		"system=emea": "1", "system=": "2", "system=apac": "",
		"notification_id=2": "2", "idempotency_key=k": "1", "idempotency_key=": "2",
		"type=slack": "12", "type=sms": "1", "type=s": "",
		"recipient=W2": "1", "recipient=": "12", "recipient=W": "", "recipient=&type=slack": "2",
		"subject=a+is+live": "1", "subject=a%20is%20live": "1", "subject=a": "", "subject=A+is+live": "",
		"content_type=md": "1", "template_id=t": "1",
		"fields.version=1.4.2": "1", "fields.version=": "12", "fields.Version=1.4.2": "",
		// All of it holds for the same channel.
		"type=slack&subject=a+is+live": "1", "type=sms&subject=a+is+live": "",
		"type=sms&fields.version=1.4.2&priority=HIGH": "1", "type=slack&fields.version=1.4.2": "",
	} {
		s, got := selection(t, b, query)
		if got != want || s.Count != len(want) || s.Version != Version || s.Dropped != 0 ||
			s.Submissions == nil {
			t.Errorf("%s: got %q, want %q: %+v", query, got, want, s)
		}
	}
}

// What could only be a mistake is no query that matches everything, or nothing.
func TestParseQueryRefuses(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"prio=HIGH":                    `must not hold a parameter "prio", only at_least, content_type,`,
		"Type=slack":                   `"Type"`,
		"fields=x":                     `"fields"`,
		"priority=high":                `priority must be HIGH, NORMAL or BATCH, not "high"`,
		"priority=":                    `not ""`,
		"type=slack&type=sms":          "must hold type once, not 2 times",
		"subject=%zz":                  "malformed",
		"kind=tokens":                  `kind must be token, submission, studies or other, not "tokens"`,
		"kind=":                        `kind must be`,
		"status=4xx":                   `status must be 0 (no answer) or from 200 to 599, not "4xx"`,
		"status=100":                   `not "100"`,
		"trace_id=AF":                  "trace_id must be 32 hexadecimal digits",
		"limit=-1":                     "limit must be a whole number, 0 or more",
		"at_least=0":                   "at_least must be a whole number, 1 or more",
		"at_least=":                    "at_least must be",
		"at_least=1&wait=5":            "wait must be a duration such as 30s",
		"at_least=1&wait=-5s":          "wait must be a duration",
		"at_least=1&wait=1.1.s":        "wait must be a duration",
		strings.Repeat("x", 999) + "=": "must not hold a parameter \"xxxxx",
		"wait=5s":                      "wait needs at_least",
	} {
		if _, err := ParseQuery(query); err == nil || !strings.Contains(err.Error(), want) ||
			len(err.Error()) > 400 {
			t.Errorf("%s: got %v", query, err)
		}
	}
	if _, err := ParseQuery("at_least=1&wait=0"); err != nil {
		t.Error(err)
	}
}

// Requests are of any kind: what they held counts where they were rejected, too.
func TestSelectRequests(t *testing.T) {
	t.Parallel()
	b := NewBook(0)
	add := func(to route.Target, status int, reason, body string) *Record {
		record := enter(b, to)
		record.Body, record.System = body, "emea"
		b.Conclude(record, status, reason)
		return record
	}
	add(route.Token, http.StatusUnauthorized, "invalid_client", "").TraceID = strings.Repeat("a", 32)
	accept(b, Submission{NotificationID: "n", Priority: "HIGH", Channels: []notification.Channel{{Subject: "live"}}})
	add(route.Submission, http.StatusUnprocessableEntity, "misspelt",
		`{"prioritty":"HIGH","channels":[{"subject":"live","recipient":"W1","fields":{"a":"b"}}]}`)
	add(route.Submission, http.StatusServiceUnavailable, "busy", "{")
	add(route.Studies, http.StatusOK, "", "")
	add(route.Other, http.StatusNotFound, "nothing", "")
	add(route.Submission, 0, "hung", "")
	add(route.Submission, http.StatusUnprocessableEntity, "x", `{"priority":"URGENT","channels":[]}`).
		IdempotencyKey = "kk"
	add(route.Submission, http.StatusUnprocessableEntity, "x", `{"channels":"x","priority":"HIGH"}`)
	for query, want := range map[string]string{ // requests, and how many of them are accepted
		"kind=token": "1 0", "kind=submission": "234789 1", "kind=studies": "5 0", "kind=other": "6 0",
		"status=201": "2 1", "status=422": "389 0", "status=0": "7 0", "status=500": " 0",
		"kind=submission&status=404": " 0", "kind=submission&subject=live": "23 1",
		"status=422&fields.a=b": "3 0", "status=422&fields.a=c": " 0", "kind=submission&type=": "23 1",
		"status=422&system=emea": "389 0", "status=422&system=": " 0", "status=422&priority=HIGH": "9 0",
		"status=422&idempotency_key=kk": "8 0", "kind=submission&priority=URGENT": "8 0",
		"kind=submission&idempotency_key=": "23479 1", "kind=studies&system=emea": "5 0",
		"kind=submission&system=emea": "34789 0", "kind=token&system=": " 0", "kind=token&system=emea": "1 0",
		"kind=token&priority=": "1 0", "kind=token&type=": " 0", "status=201&notification_id=n": "2 1",
		"trace_id=" + strings.Repeat("a", 32): "1 0", "trace_id=" + strings.Repeat("b", 32): " 0",
		"trace_id=&kind=studies": "5 0",
	} {
		s, _ := selection(t, b, query)
		var numbers []string
		for _, found := range s.Requests {
			numbers = append(numbers, strings.TrimPrefix(found.Path, "/"))
		}
		got := fmt.Sprintf("%s %d", strings.Join(numbers, ""), len(s.Submissions))
		if got != want || s.Count != len(s.Requests) ||
			s.Requests == nil || s.Submissions == nil {
			t.Errorf("%s: got %q, want %q: %+v", query, got, want, s)
		}
	}
}

// The newest are in the answer, the oldest of them first, and all are counted.
func TestSelectLimits(t *testing.T) {
	t.Parallel()
	b := NewBook(0)
	for _, id := range []string{"1", "2", "3"} {
		accept(b, Submission{NotificationID: id, Channels: []notification.Channel{{}}})
	}
	for query, want := range map[string]string{
		"limit=0": "", "limit=2": "23", "limit=9": "123", "limit=2&kind=submission": "23",
	} {
		s, got := selection(t, b, query)
		if got != want || s.Count != 3 || s.Requests != nil && len(s.Requests) != len(want) {
			t.Errorf("%s: got %q, want %q: %+v", query, got, want, s)
		}
	}
}

// What the ledger has dropped is unknown, and counted as such.
func TestSelectSaysWhatIsDropped(t *testing.T) {
	t.Parallel()
	b := NewBook(3000)
	for range 50 {
		accept(b, Submission{Priority: "HIGH", Channels: []notification.Channel{{Type: "sms"}}})
	}
	for query, enough := range map[string]bool{"at_least=50": true, "at_least=51": false, "at_least=50&type=sms": false} {
		q, err := ParseQuery(query)
		if s, got := b.Select(q, false); err != nil || got != enough || len(s.Submissions) > 0 != enough {
			t.Errorf("%s: %v, got %v, %d submissions", query, err, got, len(s.Submissions))
		}
	}
	for _, query := range []string{"type=sms", "type=sms&status=201"} {
		s, _ := selection(t, b, query)
		if s.Count == 0 || s.Count == 50 || s.Count+s.Dropped != 50 {
			t.Errorf("%s: %d selected, %d dropped", query, s.Count, s.Dropped)
		}
	}
}
