package ledger

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"terraform-provider-notification/internal/emulator/notification"
	"terraform-provider-notification/internal/emulator/route"
)

func accept(b *Book, s Submission) {
	r := httptest.NewRequest(http.MethodPost, "http://localhost/", nil)
	record := NewRecord(r, route.Submission, time.Now(), mask)
	b.Enter(record, r)
	s.Body = []byte(`{}`)
	b.Accept(record, s)
	b.Conclude(record, http.StatusCreated, "")
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
	r := httptest.NewRequest(http.MethodGet, "http://localhost/", nil)
	b.Enter(NewRecord(r, route.Studies, time.Now(), mask), r)
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
		q, err := ParseQuery(query)
		if err != nil {
			t.Errorf("%s: %v", query, err)
			continue
		}
		s := b.Select(q)
		var ids []string
		for _, submission := range s.Submissions {
			ids = append(ids, submission.NotificationID)
		}
		got := strings.Join(ids, "")
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
		"prio=HIGH":           `must not hold a parameter "prio", only priority, system,`,
		"Type=slack":          `"Type"`,
		"fields=x":            `"fields"`,
		"priority=high":       `priority must be HIGH, NORMAL or BATCH, not "high"`,
		"priority=":           `not ""`,
		"type=slack&type=sms": "must hold type once, not 2 times",
		"subject=%zz":         "malformed",
		"subject=a;type=b":    "malformed",
	} {
		if _, err := ParseQuery(query); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", query, err)
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
	s := b.Select(Query{"type": "sms"})
	if s.Count == 0 || s.Count == 50 || s.Count+s.Dropped != 50 {
		t.Errorf("%d selected, %d dropped", s.Count, s.Dropped)
	}
}
