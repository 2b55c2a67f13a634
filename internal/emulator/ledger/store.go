package ledger

import (
	"context"
	"encoding/json"
	"net/http"

	"terraform-provider-notification/internal/emulator/notification"
	"terraform-provider-notification/internal/emulator/route"
)

// maxRequests is the number of requests that a Store keeps.
const maxRequests = 10_000

// Record is a stored request.
type Record struct {
	Request
	System     string      // of the path; empty: none
	Submission *Submission // nil: no notification was accepted
	// content holds the members of a submission; of a rejected or repeated one, those that can be
	// decoded.
	content notification.Notification
}

// Store records requests. Callers must guard a Store and its records by a lock.
type Store struct {
	counts  Ledger // only the counters of all requests
	records []*Record
	arrived int // number of requests so far
}

// connection is one network connection.
type connection struct {
	counted *Store // the Store that counted it last
}

// connectionKey is the context key of a *connection.
type connectionKey struct{}

// WithConnection returns the context of a new connection. Connections without it are not counted.
func WithConnection(ctx context.Context) context.Context {
	return context.WithValue(ctx, connectionKey{}, new(connection))
}

// Add adds the record of r, which has just arrived. A full Store drops its oldest record.
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

// Accept records that the request submitted a notification.
func (s *Store) Accept(record *Record, accepted Submission) {
	record.Submission, record.NotificationID = &accepted, accepted.NotificationID
	record.content.Channels, record.content.Priority = accepted.Channels, accepted.Priority
	s.counts.Notifications++
}

// Repeat records that the request repeats an accepted submission under its idempotency key.
func (s *Store) Repeat(record *Record, id string) {
	record.RepetitionOf = id
	s.counts.Repetitions++
}

// Complete records the outcome of a request: status 0 without a response, and an empty reason if it
// was accepted. The body is empty unless the request is a rejected or repeated submission.
func (s *Store) Complete(record *Record, status int, reason, body string) {
	record.Status, record.Reason, record.Body = status, reason, body
	if body != "" {
		_ = json.Unmarshal([]byte(body), &record.content) // members that cannot be decoded stay empty
	}
}

// Ledger returns a snapshot of the records that match the query.
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
