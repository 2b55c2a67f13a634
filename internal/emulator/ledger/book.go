package ledger

import (
	"context"
	"encoding/json"
	"net/http"

	"terraform-provider-notification/internal/emulator/notification"
	"terraform-provider-notification/internal/emulator/route"
)

// keep is how many requests are kept.
const keep = 10_000

// Record is one request as it is kept.
type Record struct {
	Request
	System     string      // of the path; empty: none
	Submission *Submission // nil: no notification was accepted
	// content is that of a submission: of one that was rejected or repeats another, as far as it can
	// be read.
	content notification.Notification
}

// Book is the ledger as it is kept. Whoever has it guards it and its records by a lock.
type Book struct {
	counts  Ledger // without what depends on the records
	records []*Record
	arrived int // requests so far
}

// connection stands for one network connection.
type connection struct {
	counted *Book // the last one that counted it
}

// connectionKey is the context key under which a request finds its *connection.
type connectionKey struct{}

// WithConnection returns the context of a new connection. Without it none is counted.
func WithConnection(ctx context.Context) context.Context {
	return context.WithValue(ctx, connectionKey{}, new(connection))
}

// Enter adds the record of r, which has just arrived. The oldest goes where there are too many.
func (b *Book) Enter(record *Record, r *http.Request) {
	b.arrived++
	b.records = append(b.records, record)
	if len(b.records) > keep {
		b.records[0] = nil
		b.records = b.records[1:]
	}
	switch route.Target(record.Target) {
	case route.Token:
		b.counts.TokenRequests++
	case route.Submission:
		b.counts.SubmissionRequests++
	case route.Studies:
		b.counts.StudyRequests++
	default:
		b.counts.OtherRequests++
	}
	if c, ok := r.Context().Value(connectionKey{}).(*connection); ok && c.counted != b {
		c.counted = b
		b.counts.Connections++
	}
}

// Accept adds the notification that the request of a record submitted.
func (b *Book) Accept(record *Record, accepted Submission) {
	record.Submission, record.NotificationID = &accepted, accepted.NotificationID
	record.content.Channels, record.content.Priority = accepted.Channels, accepted.Priority
	b.counts.Notifications++
}

// Repeat says that the request of a record repeats an accepted one, under its idempotency key.
func (b *Book) Repeat(record *Record, id string) {
	record.RepetitionOf = id
	b.counts.Repetitions++
}

// Conclude adds what became of the request of a record: status 0 where there is no response, and no
// reason where it was accepted. The body is that of a submission which submitted no notification.
func (b *Book) Conclude(record *Record, status int, reason, body string) {
	record.Status, record.Reason, record.Body = status, reason, body
	if body != "" {
		_ = json.Unmarshal([]byte(body), &record.content) // what cannot be read is left out
	}
}

// Ledger returns a snapshot of what the query asks for.
func (b *Book) Ledger(q Query) Ledger {
	l := b.counts
	l.Version, l.Submissions, l.Requests = Version, []Submission{}, []Request{}
	kept := 0 // notifications
	for _, r := range b.records {
		if r.Submission != nil {
			kept++
		}
		if !q.matches(r) {
			continue
		}
		l.Requests = append(l.Requests, r.Request)
		if r.Submission != nil {
			l.Submissions = append(l.Submissions, *r.Submission)
		}
	}
	l.Count, l.Dropped = len(l.Submissions), l.Notifications-kept
	if q.asksForRequests() {
		l.Count, l.Dropped = len(l.Requests), b.arrived-len(b.records)
	}
	return l
}
