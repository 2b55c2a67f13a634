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

// Emulator is an [http.Handler] that behaves like the notification service. Below /_emulator/ it
// serves its web UI and control requests, which the ledger does not record. All methods are safe
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

	// One lock guards everything below, so that the ledger lists requests in the order in which they
	// took their faults.
	mu      sync.Mutex
	store   *ledger.Store
	faults  fault.Sequences
	tokens  map[string]token
	keys    map[string]keyUse // by idempotency key
	changed chan struct{}     // closed and replaced by update
}

// token holds the properties of one access token.
type token struct {
	scopes  []string
	expires time.Time // zero: never
}

// keyUse is the first submission under an idempotency key. It outlives the submission's record.
type keyUse struct {
	body [sha256.Size]byte // SHA-256 digest
	id   string            // of the notification
}

// Close ends every wait: it sends delayed responses at once and closes connections that hang. Call
// it before [net/http/httptest.Server.Close], which otherwise waits for them. Later requests are
// served without waiting.
func (e *Emulator) Close() {
	e.closeOnce.Do(func() { close(e.closed) })
}

// update calls do under the lock, and notifies the event streams of the web UI.
func (e *Emulator) update(do func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	do()
	close(e.changed)
	e.changed = make(chan struct{})
}

// Ledger returns a snapshot of the ledger. It includes a request from its arrival on, and its
// status from just before the response is sent.
func (e *Emulator) Ledger() Ledger {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.store.Ledger(nil)
}

// ClearLedger empties the ledger and keeps tokens, idempotency keys and faults. An open connection
// counts again with its next request.
func (e *Emulator) ClearLedger() {
	e.update(func() { e.store = new(ledger.Store) })
}

// Faults returns the remaining sequence of every target. A repeating sequence begins with its next
// step.
func (e *Emulator) Faults() Faults {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.faults.Faults()
}

// SetFaults replaces the sequences of the targets in f and keeps the others. On error it changes
// nothing.
func (e *Emulator) SetFaults(f Faults) error {
	sequences, err := f.Parse()
	if err == nil {
		e.update(func() { maps.Copy(e.faults, sequences) })
	}
	return err
}

// ClearFaults removes the sequences of all targets.
func (e *Emulator) ClearFaults() {
	e.update(func() { clear(e.faults) })
}

// Reset atomically empties the ledger and removes all idempotency keys and faults. It keeps tokens.
func (e *Emulator) Reset() {
	e.update(func() {
		e.store = new(ledger.Store)
		clear(e.keys)
		clear(e.faults)
	})
}

// RevokeTokens revokes all tokens issued so far. Clients can still obtain new ones.
func (e *Emulator) RevokeTokens() {
	e.update(func() { clear(e.tokens) })
}

// wait returns true after the pause or once the emulator is closed, and false if the client
// disconnects first.
func (e *Emulator) wait(ctx context.Context, pause time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause):
	case <-e.closed:
	}
	return true
}
