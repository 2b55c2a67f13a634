// Package emulator is a local stand-in for the notification service: the token endpoint, the
// submission of notifications, the lookup of studies, a ledger of what arrived, faults on demand,
// and a page that shows all of it.
//
// It is strict where the service may well be lenient, so that a client which satisfies it sends
// nothing that the service's page does not show. Where that page says "not shown" (the submission
// path, every error response, the members of a study) the emulator makes a choice of its own; the
// choice says nothing about the service.
//
// It knows the contract and the standard library, and shares no code with the client it is there to
// test: with shared code, both sides would have the same bug and the tests would pass.
//
// A request runs through serve.go to its endpoint, in tokens.go, submit.go or lookup.go. What they
// share is in exchange.go; one lock guards all that changes. Requests to the emulator itself are in
// control.go.
package emulator

import (
	"context"
	"errors"
	"maps"
	"net"
	"net/http"
	"slices"
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

// New returns an emulator that has seen no request. The error names every member of the
// configuration that is missing or wrong.
func New(config Config) (*Emulator, error) {
	routes, routesErr := route.New(config.Systems, config.NotificationsPath, config.StudiesPath)
	studies, studiesErr := newCatalogue(config.Studies)
	faults, faultsErr := config.Faults.Parse()
	if err := errors.Join(config.check(), routesErr, studiesErr, faultsErr); err != nil {
		return nil, err
	}
	config.Scopes = slices.Clone(config.Scopes)
	e := &Emulator{
		config:  config,
		routes:  routes,
		studies: studies,
		started: time.Now().UTC(),
		closed:  make(chan struct{}),
		book:    new(ledger.Book),
		faults:  faults,
		tokens:  make(map[string]token),
		keys:    make(map[string]keyUse),
		changed: make(chan struct{}),
	}
	e.control = e.controlHandler()
	return e, nil
}

// idleTime is longer than clients keep connections that they do not use, so that the emulator never
// closes one on which a request is just about to arrive.
const idleTime = 2 * time.Minute

// NewServer returns a server, ready for Serve or for [net/http/httptest]:
//
//	srv := httptest.NewUnstartedServer(nil)
//	srv.Config = e.NewServer()
//	srv.Start()
//
// Served in another way the emulator counts no connections. Its Shutdown calls [Emulator.Close].
func (e *Emulator) NewServer() *http.Server {
	srv := &http.Server{
		Handler:           e,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       idleTime,
		ConnContext: func(ctx context.Context, _ net.Conn) context.Context {
			return ledger.WithConnection(ctx)
		},
	}
	srv.RegisterOnShutdown(e.Close)
	return srv
}

// ServeHTTP serves one request, for the service or for the emulator itself.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	to, system := e.routes.Find(r.URL)
	browsed := (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		(r.URL.Path == "/" || r.URL.Path == "/favicon.ico")
	switch err := e.origins.Check(r); {
	case err != nil:
		problem(http.StatusForbidden, "requests from pages of other origins are refused").write(w)
	case to == route.Admin || to == route.Other && browsed:
		e.control.ServeHTTP(w, r)
	default:
		e.serve(r.Context(), &exchange{w: w, r: r, target: to, system: system})
	}
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
