package emulator

import (
	"context"
	"maps"
	"sync"
	"time"

	"terraform-provider-notification/internal/emulator/fault"
	"terraform-provider-notification/internal/emulator/ledger"
)

// service is what the requests share.
type service struct {
	config    Config
	studies   map[string][][]byte // by name, as JSON
	drainTime time.Duration
	started   time.Time // UTC

	closed    chan struct{}
	closeOnce sync.Once

	// One lock for all that changes: a snapshot then shows the requests in the order in which they
	// took their faults, and as many tokens as were issued.
	mu      sync.Mutex
	book    *ledger.Book
	faults  fault.Sequences
	tokens  tokens
	keys    map[string]keyUse // by idempotency key
	changed chan struct{}     // closed, and replaced, whenever something changes that is to be seen
}

// Close ends every wait: responses that a fault delays are sent at once, and connections that hang are closed. Call it before the Close of an [net/http/httptest.Server],
// which otherwise waits for them. Requests that arrive later are served without waiting.
func (s *service) Close() {
	s.closeOnce.Do(func() { close(s.closed) })
}

// change does what is to be seen, and wakes those that wait for it.
func (s *service) change(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
	close(s.changed)
	s.changed = make(chan struct{})
}

// nextChange returns what the next change closes.
func (s *service) nextChange() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// Ledger returns a snapshot of what has been received so far. A request shows in it from its
// arrival on, its status from just before the response goes out.
func (s *service) Ledger() Ledger {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.Ledger(nil)
}

// ClearLedger empties the ledger. Tokens, idempotency keys and faults stay. A connection that is still open counts
// again with its next request.
func (s *service) ClearLedger() {
	s.change(func() { s.book = new(ledger.Book) })
}

// Faults returns, for every target, the sequence that is left. One that repeats begins with the
// step that is next.
func (s *service) Faults() Faults {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.faults.Faults()
}

// SetFaults replaces the sequences of the targets in f and leaves the others alone. On error
// nothing changes.
func (s *service) SetFaults(f Faults) error {
	sequences, err := f.Parse()
	if err == nil {
		s.change(func() { maps.Copy(s.faults, sequences) })
	}
	return err
}

// ClearFaults removes the sequences of all targets.
func (s *service) ClearFaults() {
	s.change(func() { clear(s.faults) })
}

// Reset empties the ledger and removes all idempotency keys and faults, at once. Tokens stay.
func (s *service) Reset() {
	s.change(func() {
		s.book = new(ledger.Book)
		clear(s.keys)
		clear(s.faults)
	})
}

// RevokeTokens makes every token issued so far invalid. New ones can be obtained as before.
func (s *service) RevokeTokens() {
	s.change(s.tokens.revoke)
}

// authorize returns nil when the request may do what needs the scope, and otherwise the refusal.
func (s *service) authorize(x *exchange, scope string) *response {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tokens.authorize(x.r.Header, scope)
}

// wait returns after the pause, or at once when the emulator is closed; it returns false when the
// client goes away meanwhile.
func (s *service) wait(ctx context.Context, pause time.Duration) bool {
	if pause <= 0 {
		return true
	}
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause):
	case <-s.closed:
	}
	return true
}
