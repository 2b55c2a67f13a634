package ledger

import (
	"context"
	"encoding/json"
	"net/http"

	"terraform-provider-notification/internal/emulator/notification"
	"terraform-provider-notification/internal/emulator/route"
)

// maxRequests is how many requests are kept.
const maxRequests = 10_000

// Record is one request as it is kept.
type Record struct {
	Request
	System     string      // of the path; empty: none
	Submission *Submission // nil: no notification was accepted
	// content is that of a submission: of one that was rejected or repeats another, as far as it can
	// be read.
	content notification.Notification
}

// Store is the ledger as it is kept. Whoever has it guards it and its records by a lock.
type Store struct {
	counts  Ledger // without what depends on the records
	records []*Record
	arrived int // requests so far
}

// connection stands for one network connection.
type connection struct {
	counted *Store // the last one that counted it
}

// connectionKey is the context key under which a request finds its *connection.
type connectionKey struct{}

// WithConnection returns the context of a new connection. Without it none is counted.
func WithConnection(ctx context.Context) context.Context {
	return context.WithValue(ctx, connectionKey{}, new(connection))
}

// Add adds the record of r, which has just arrived. The oldest goes where there are too many.
func (s *Store) Add(record *Record, r *http.Request) {
	s.arrived++
	s.records = append(s.records, record)
	if len(s.records) > maxRequests {
		s.records[0] = nil
		s.records = s.records[1:]
	}
	switch route.Target(record.Target) {
	case route.Token:
		s.counts.TokenRequests++
	case route.Submission:
		s.counts.SubmissionRequests++
	case route.Studies:
		s.counts.StudyRequests++
	default:
		s.counts.OtherRequests++
	}
	if c, ok := r.Context().Value(connectionKey{}).(*connection); ok && c.counted != s {
		c.counted = s
		s.counts.Connections++
	}
}

// Accept adds the notification that the request of a record submitted.
func (s *Store) Accept(record *Record, accepted Submission) {
	record.Submission, record.NotificationID = &accepted, accepted.NotificationID
	record.content.Channels, record.content.Priority = accepted.Channels, accepted.Priority
	s.counts.Notifications++
}

// Repeat says that the request of a record repeats an accepted one, under its idempotency key.
func (s *Store) Repeat(record *Record, id string) {
	record.RepetitionOf = id
	s.counts.Repetitions++
}

// Complete adds what became of the request of a record: status 0 where there is no response, and no
// reason where it was accepted. The body is that of a submission which submitted no notification.
func (s *Store) Complete(record *Record, status int, reason, body string) {
	record.Status, record.Reason, record.Body = status, reason, body
	if body != "" {
		_ = json.Unmarshal([]byte(body), &record.content) // what cannot be read is left out
	}
}

// Ledger returns a snapshot of what the query asks for.
func (s *Store) Ledger(q Query) Ledger {
	l := s.counts
	l.Version, l.Submissions, l.Requests = Version, []Submission{}, []Request{}
	kept := 0 // notifications
	for _, r := range s.records {
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
	if q.countsRequests() {
		l.Count, l.Dropped = len(l.Requests), s.arrived-len(s.records)
	}
	return l
}
