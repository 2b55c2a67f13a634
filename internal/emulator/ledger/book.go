package ledger

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"math"
	"net/http"

	"terraform-provider-notification/internal/emulator/notification"
	"terraform-provider-notification/internal/emulator/route"
)

const (
	// defaultLimit is enough for some 18,000 notifications.
	defaultLimit = 64 << 20
	// recordMemory is about what a record takes of memory by itself, in bytes.
	recordMemory = 1500
	// memoryPerByte is about what each byte that was received takes besides.
	memoryPerByte = 3
)

// Book is the ledger as it is kept. Whoever has it guards it and its records by a lock.
type Book struct {
	Counts  Ledger    // without the lists
	Records []*Record // in order of arrival
	Entered int       // records so far, dropped ones included

	limit int
	size  int // of all records, in memory
	keys  map[string]keyUse
}

// NewBook returns an empty one that takes up to limit bytes of memory, as far as that can be
// estimated: beyond it the oldest records go. Zero: 64 MiB.
func NewBook(limit int) *Book {
	return &Book{limit: cmp.Or(limit, defaultLimit), keys: make(map[string]keyUse)}
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

// Enter adds the record of r, which has just arrived.
func (b *Book) Enter(record *Record, r *http.Request) {
	b.Entered++
	record.Number = b.Entered
	b.Records = append(b.Records, record)
	b.size += record.memory()
	switch route.Target(record.Target) {
	case route.Token:
		b.Counts.TokenRequests++
	case route.Submission:
		b.Counts.SubmissionRequests++
	case route.Studies:
		b.Counts.StudyRequests++
	default:
		b.Counts.OtherRequests++
	}
	if c, ok := r.Context().Value(connectionKey{}).(*connection); ok && c.counted != b {
		c.counted = b
		b.Counts.Connections++
	}
}

// Accept adds the notification that the request of a record submitted. Until Release its
// idempotency key is held.
func (b *Book) Accept(record *Record, accepted Submission) {
	record.Submission, record.NotificationID = &accepted, accepted.NotificationID
	record.Content = notification.Notification{Channels: accepted.Channels, Priority: accepted.Priority}
	b.Counts.Notifications++
	b.Grow(record, len(accepted.Body)) // which is kept in parts, too
	if key := record.Key; key != "" {
		b.keys[key] = keyUse{record, sha256.Sum256(accepted.Body), accepted.NotificationID}
	}
}

// Conclude adds what became of the request of a record: status 0 where there is no answer, and no
// reason where it was accepted.
func (b *Book) Conclude(record *Record, status int, reason string) {
	record.Status, record.Reason = status, reason
	if record.Body != "" {
		_ = json.Unmarshal([]byte(record.Body), &record.Content)         // what cannot be read is left out
		b.Grow(record, len(record.Body)+40*len(record.Content.Channels)) // even an empty one takes some
	}
	for b.size > b.limit {
		oldest := b.Records[0]
		oldest.dropped = true
		b.size -= oldest.memory()
		b.Records[0] = nil
		b.Records = b.Records[1:]
	}
}

// Grow adds n bytes to what was received of a record.
func (b *Book) Grow(record *Record, n int) {
	record.Size += n
	if !record.dropped {
		b.size += memoryPerByte * n
	}
}

func (r *Record) memory() int { return recordMemory + memoryPerByte*r.Size }

// Ledger returns a snapshot of the book.
func (b *Book) Ledger() Ledger {
	l := b.Counts
	l.Version = Version
	all, _ := b.Select(Query{requests: true, limit: math.MaxInt}, true)
	l.Submissions, l.Requests = all.Submissions, all.Requests
	l.Count = len(l.Submissions)
	l.Dropped = l.Notifications - l.Count
	return l
}
