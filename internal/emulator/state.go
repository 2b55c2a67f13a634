package emulator

import (
	"context"
	"crypto/sha256"
	"maps"
	"net/http"
	"sync"
	"time"

	"terraform-provider-notification/internal/emulator/fault"
	"terraform-provider-notification/internal/emulator/ledger"
	"terraform-provider-notification/internal/emulator/route"
)

// Emulator is an [http.Handler] that behaves as the notification service does. Below /_emulator/ it
// serves its page and control requests, which leave no trace in the ledger. All methods are safe
// for concurrent use.
type Emulator struct {
	config  Config
	routes  route.Table
	studies map[string][][]byte // by name, as JSON
	control http.Handler        // of requests to the emulator itself
	origins http.CrossOriginProtection
	started time.Time // UTC

	closed    chan struct{}
	closeOnce sync.Once

	// One lock for all that changes: a snapshot then shows the requests in the order in which they
	// took their faults.
	mu      sync.Mutex
	book    *ledger.Book
	faults  fault.Sequences
	tokens  map[string]token
	keys    map[string]keyUse // by idempotency key
	changed chan struct{}     // closed, and replaced, whenever something changes that is to be seen
}

// token is what is known of one access token.
type token struct {
	scopes  []string
	expires time.Time // zero: never
}

// keyUse is the first submission under an idempotency key. It outlives its record.
type keyUse struct {
	body [sha256.Size]byte // a digest
	id   string            // of the notification
}

// Close ends every wait: responses that a fault delays are sent at once, and connections that hang
// are closed. Call it before the Close of an [net/http/httptest.Server], which otherwise waits for
// them. Requests that arrive later are served without waiting.
func (e *Emulator) Close() {
	e.closeOnce.Do(func() { close(e.closed) })
}

// change does what is to be seen, and wakes those that wait for it.
func (e *Emulator) change(do func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	do()
	close(e.changed)
	e.changed = make(chan struct{})
}

// Ledger returns a snapshot of what has been received so far. A request shows in it from its
// arrival on, its status from just before the response goes out.
func (e *Emulator) Ledger() Ledger {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.book.Ledger(nil)
}

// ClearLedger empties the ledger. Tokens, idempotency keys and faults stay. A connection that is
// still open counts again with its next request.
func (e *Emulator) ClearLedger() {
	e.change(func() { e.book = new(ledger.Book) })
}

// Faults returns, for every target, the sequence that is left. One that repeats begins with the
// step that is next.
func (e *Emulator) Faults() Faults {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.faults.Faults()
}

// SetFaults replaces the sequences of the targets in f and leaves the others alone. On error
// nothing changes.
func (e *Emulator) SetFaults(f Faults) error {
	sequences, err := f.Parse()
	if err == nil {
		e.change(func() { maps.Copy(e.faults, sequences) })
	}
	return err
}

// ClearFaults removes the sequences of all targets.
func (e *Emulator) ClearFaults() {
	e.change(func() { clear(e.faults) })
}

// Reset empties the ledger and removes all idempotency keys and faults, at once. Tokens stay.
func (e *Emulator) Reset() {
	e.change(func() {
		e.book = new(ledger.Book)
		clear(e.keys)
		clear(e.faults)
	})
}

// RevokeTokens makes every token issued so far invalid. New ones can be obtained as before.
func (e *Emulator) RevokeTokens() {
	e.change(func() { clear(e.tokens) })
}

// wait returns after the pause, or at once when the emulator is closed; it returns false when the
// client goes away meanwhile.
func (e *Emulator) wait(ctx context.Context, pause time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause):
	case <-e.closed:
	}
	return true
}
