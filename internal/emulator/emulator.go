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
// share is in exchange.go; one lock guards all that changes, in state.go. Requests to the emulator
// itself are in control.go.
package emulator

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"terraform-provider-notification/internal/emulator/ledger"
	"terraform-provider-notification/internal/emulator/route"
)

// New returns an emulator that has seen no request. The error names every member of the
// configuration that is missing or wrong.
func New(config Config) (*Emulator, error) {
	routes, routesErr := route.New(config.Systems, config.NotificationsPath, config.StudiesPath)
	studies, studiesErr := newCatalogue(config.Studies)
	faults, faultsErr := config.Faults.Parse()
	if err := errors.Join(config.check(), routesErr, studiesErr, faultsErr); err != nil {
		return nil, err
	}
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
		IdleTimeout:       2 * time.Minute, // clients close idle connections earlier
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
