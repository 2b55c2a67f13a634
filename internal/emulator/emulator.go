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
// A request runs through serve.go to its endpoint, in grant.go, submit.go or lookup.go. What they
// share is in exchange.go and service.go; one lock guards all that changes. Requests to the emulator
// itself are in admin.go.
package emulator

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"time"

	"terraform-provider-notification/internal/emulator/ledger"
	"terraform-provider-notification/internal/emulator/route"
)

// Emulator is an [http.Handler] that behaves as the notification service does. Below /_emulator/ it
// serves its page and control requests, which leave no trace in the ledger. All methods are safe for concurrent use.
type Emulator struct {
	*service
	routes  route.Table
	own     http.Handler // for requests to the emulator itself
	origins http.CrossOriginProtection
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
	s := &service{
		config:    config,
		studies:   studies,
		drainTime: defaultDrainTime,
		started:   time.Now().UTC(),
		closed:    make(chan struct{}),
		book:      new(ledger.Book),
		faults:    faults,
		tokens:    make(tokens),
		keys:      make(map[string]keyUse),
		changed:   make(chan struct{}),
	}
	return &Emulator{service: s, routes: routes, own: s.admin()}, nil
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
// Served in another way the emulator counts no connections, and over TLS it closes those that it
// should reset. It speaks HTTP/1.1 only, because the faults act on whole connections. Its Shutdown calls
// [Emulator.Close].
func (e *Emulator) NewServer() *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	srv := &http.Server{
		Handler:           e,
		Protocols:         protocols,
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
		e.own.ServeHTTP(w, r)
	default:
		e.serve(r.Context(), &exchange{w: w, r: r, target: to, system: system})
	}
}
