// Package emulator is a local stand-in for the notification service: the token endpoint, the
// submission of notifications, the lookup of studies, a ledger of requests, faults on demand, and a
// web UI that shows all of it.
//
// The emulator is strict where the service may be lenient, so that a client that passes against it
// relies only on the service contract. Where the contract leaves something open (the submission
// path, every error response, the members of a study), the emulator makes its own choice, which
// says nothing about the service. See the service contract, "Assumptions".
//
// The emulator shares no code with the client that it tests: with shared code, both sides would
// have the same bug and the tests would pass.
//
// serve.go passes a request on to its endpoint in tokens.go, submit.go or lookup.go; exchange.go
// has the code that the endpoints share, and state.go the state, under one lock. control.go serves
// requests to the emulator itself.
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

// New returns an emulator with an empty ledger. The error names every member of the configuration
// that is missing or invalid.
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
		store:   new(ledger.Store),
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
// On any other server the emulator counts no connections. Shutdown calls [Emulator.Close].
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

// ServeHTTP serves one request, to the service or to the emulator itself.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	to, system := e.routes.Find(r.URL)
	browsed := (r.Method == http.MethodGet || r.Method == http.MethodHead) &&
		(r.URL.Path == "/" || r.URL.Path == "/favicon.ico")
	switch err := e.origins.Check(r); {
	case err != nil:
		problem(http.StatusForbidden, "requests from other origins are rejected").write(w)
	case to == route.Admin || to == route.Other && browsed:
		e.control.ServeHTTP(w, r)
	default:
		e.serve(r.Context(), &exchange{w: w, r: r, target: to, system: system})
	}
}
