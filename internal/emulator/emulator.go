// Package emulator is a local stand-in for the notification service, with a ledger of the requests,
// faults on demand, and a web UI that shows them.
//
// It is strict where the service may be lenient, so that a client that passes against it relies
// only on the service contract. Where that leaves something open, such as error responses, the
// emulator's choice says nothing about the service. It shares no code with the client that it
// tests: both sides would have the same bug and the tests would pass.
//
// endpoints.go lists the endpoints, which are in tokens.go, submit.go and studies.go. serve.go
// passes a request on to its endpoint, control.go serves requests to the emulator itself, and the
// web UI.
package emulator

import (
	"context"
	"crypto/sha256"
	"errors"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/notification/terraform-provider-notification/internal/emulator/fault"
	"github.com/notification/terraform-provider-notification/internal/emulator/ledger"
)

// Emulator is an [http.Handler] that behaves like the notification service. The ledger does not
// record requests to the emulator itself. All methods are safe for concurrent use.
type Emulator struct {
	config    Config
	endpoints []endpoint
	studies   map[string][][]byte // JSON objects, by their name
	control   http.Handler        // of requests to the emulator itself
	origins   http.CrossOriginProtection
	started   time.Time // UTC

	closed <-chan struct{}
	close  func()

	// One lock guards everything below, so that the ledger lists requests in the order in which they
	// took their faults.
	mu      sync.Mutex
	store   *ledger.Store
	faults  fault.Sequences
	tokens  map[string]token
	keys    map[string]keyUse // by idempotency key
	changed chan struct{}     // closed and replaced by update
}

type token struct {
	scopes  []string
	expires time.Time
}

// keyUse is the first submission under an idempotency key. It outlives the submission's record.
type keyUse struct {
	body [sha256.Size]byte
	id   string // of the notification
}

// New returns an emulator with an empty ledger. The error names every member of the configuration
// that is missing or invalid.
func New(config Config) (*Emulator, error) {
	studies, studiesErr := config.studies()
	faults, faultsErr := config.Faults.Parse(targets())
	if err := errors.Join(config.check(), studiesErr, faultsErr); err != nil {
		return nil, err
	}
	e := &Emulator{
		config:    config,
		endpoints: config.endpoints(),
		studies:   studies,
		started:   time.Now().UTC(),
		store:     new(ledger.Store),
		faults:    faults,
		tokens:    make(map[string]token),
		keys:      make(map[string]keyUse),
		changed:   make(chan struct{}),
	}
	ctx, cancel := context.WithCancel(context.Background())
	e.closed, e.close = ctx.Done(), cancel
	e.control = e.controlHandler()
	return e, nil
}

// NewServer returns a server for the emulator. Its Shutdown calls [Emulator.Close].
func (e *Emulator) NewServer() *http.Server {
	srv := &http.Server{
		Handler:           e,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute, // clients close idle connections earlier
	}
	srv.RegisterOnShutdown(e.Close)
	return srv
}

// ServeHTTP implements [http.Handler].
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.EscapedPath()
	to, system := e.route(path)
	browsed := (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		(path == "/" || path == "/favicon.ico")
	switch err := e.origins.Check(r); {
	case err != nil:
		problem(http.StatusForbidden, "requests from other origins are rejected").write(w)
	case isControl(path) || to.name == other.name && browsed:
		e.control.ServeHTTP(w, r)
	default:
		e.serve(r.Context(), &call{w: w, r: r, endpoint: to, system: system})
	}
}

// Close ends every wait, now and later: it sends delayed responses at once and closes connections
// that hang. Call it before [net/http/httptest.Server.Close], which otherwise waits for them.
func (e *Emulator) Close() { e.close() }

// update calls do under the lock, and notifies the event streams of the web UI.
func (e *Emulator) update(do func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	do()
	close(e.changed)
	e.changed = make(chan struct{})
}

// Ledger returns a snapshot. It has a request's status from just before the response is sent.
func (e *Emulator) Ledger() Ledger {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.store.Ledger()
}

// ClearLedger empties the ledger and keeps tokens, idempotency keys and faults.
func (e *Emulator) ClearLedger() { e.update(func() { e.store = new(ledger.Store) }) }

// Faults returns the remaining sequence of every target, from its next step on.
func (e *Emulator) Faults() Faults {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.faults.Faults(targets())
}

// SetFaults replaces the sequences of the targets in f. On error it changes nothing.
func (e *Emulator) SetFaults(f Faults) error {
	sequences, err := f.Parse(targets())
	if err == nil {
		e.update(func() { maps.Copy(e.faults, sequences) })
	}
	return err
}

// reset atomically empties the ledger and removes all idempotency keys and faults.
func (e *Emulator) reset() {
	e.update(func() {
		e.store = new(ledger.Store)
		clear(e.keys)
		clear(e.faults)
	})
}

// wait returns true after the pause, or once the emulator is closed; false if the client leaves.
func (e *Emulator) wait(ctx context.Context, pause time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(pause):
	case <-e.closed:
	}
	return true
}
