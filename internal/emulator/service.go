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
	mask      ledger.Mask
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
	changed chan struct{} // closed, and replaced, whenever something changes that is to be seen
}

// Close ends every wait: answers held back by a latency or a fault are sent at once, and
// connections that hang are closed. Call it before the Close of an [net/http/httptest.Server],
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
// arrival on, its status from just before the answer goes out.
func (s *service) Ledger() Ledger {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.book.Ledger()
}

// ClearLedger empties the ledger. Tokens and faults stay. A connection that is still open counts
// again with its next request.
func (s *service) ClearLedger() {
	s.change(func() { s.book = ledger.NewBook(s.config.LedgerLimit) })
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

// Reset empties the ledger, idempotency keys included, and removes all faults, at once. Tokens stay.
func (s *service) Reset() {
	s.change(func() {
		s.book = ledger.NewBook(s.config.LedgerLimit)
		clear(s.faults)
	})
}

// RevokeTokens makes every token issued so far invalid. New ones can be obtained as before.
func (s *service) RevokeTokens() {
	s.change(s.tokens.revoke)
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
