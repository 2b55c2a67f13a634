// Package emulator is a local stand-in for the notification service: the token endpoint, the
// submission of notifications, the lookup of studies, a ledger of what arrived, faults on demand,
// and a page that shows all of it.
//
// It is strict where the service may well be lenient, so that a client which satisfies it sends
// nothing that the service's page does not show. Where that page says "not shown" (the submission
// path, every error answer, the members of a study) the emulator makes a choice of its own; the
// choice says nothing about the service.
//
// It knows the contract and the standard library, and shares no code with the client it is there to
// test: a mistake could otherwise agree with itself.
package emulator

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// Emulator is an [http.Handler] that behaves as the notification service does. Below /_emulator/ it
// answers questions about itself (see the methods [Emulator.Ledger], [Emulator.ClearLedger],
// [Emulator.Faults], [Emulator.SetFaults] and [Emulator.RevokeTokens]); what arrives there leaves
// no trace in the ledger. All methods are safe for concurrent use.
type Emulator struct {
	config    Config
	routes    routes
	studies   []study
	admin     http.Handler
	origins   http.CrossOriginProtection
	now       func() time.Time
	drainTime time.Duration

	closed    chan struct{}
	closeOnce sync.Once

	// One lock for all of it: a snapshot then shows the requests in the order in which they took their
	// faults.
	mu      sync.Mutex
	book    *book
	faults  map[target]sequence
	tokens  map[string]token
	sweepAt int           // how many tokens there are when those that are not valid go
	changed chan struct{} // closed, and replaced, whenever any of them changes
}

// connectionKey is the context key under which a request finds its *connection.
type connectionKey struct{}

// connection stands for one network connection.
type connection struct {
	counted *book // the last one that counted it; guarded by the emulator's lock
}

// NewServer returns a server, ready for Serve or for [net/http/httptest]:
//
//	srv := httptest.NewUnstartedServer(nil)
//	srv.Config = e.NewServer()
//	srv.Start() // or srv.StartTLS()
//
// It tells connections apart exactly; served in another way the emulator goes by the remote
// address. It speaks HTTP/1.1 only, because the faults act on whole connections. Its Shutdown calls
// [Emulator.Close].
func (e *Emulator) NewServer() *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	srv := &http.Server{
		Handler:           e,
		Protocols:         protocols,
		ReadHeaderTimeout: 10 * time.Second,
		ConnContext: func(ctx context.Context, _ net.Conn) context.Context {
			return context.WithValue(ctx, connectionKey{}, new(connection))
		},
	}
	srv.RegisterOnShutdown(e.Close)
	return srv
}

// Close ends every wait: answers held back by a latency or a fault are sent at once, and
// connections that hang are closed. Call it before the Close of an [net/http/httptest.Server],
// which otherwise waits for them. Requests that arrive later are served without waiting.
func (e *Emulator) Close() {
	e.closeOnce.Do(func() { close(e.closed) })
}

// ServeHTTP answers one request, for the service or for the emulator itself.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	to, system := e.routes.find(r.URL)
	switch err := e.origins.Check(r); {
	case err != nil:
		problem(http.StatusForbidden, "requests from pages of other origins are refused").write(w)
	case to == targetAdmin || to == targetOther && r.Method == http.MethodGet && r.URL.Path == "/":
		e.administer(w, r)
	default:
		e.serve(r.Context(), e.arrive(w, r, to, system))
	}
}

// announce wakes those that wait for a change. The caller holds the lock.
func (e *Emulator) announce() {
	close(e.changed)
	e.changed = make(chan struct{})
}

func (e *Emulator) handle(x *exchange) answer {
	method, handler := http.MethodPost, e.grant
	switch x.to {
	case targetToken:
	case targetSubmission:
		handler = e.submit
	case targetStudies:
		method, handler = http.MethodGet, e.lookUp
	default:
		return problem(http.StatusNotFound, "there is nothing at "+x.r.URL.EscapedPath())
	}
	if x.r.Method != method {
		a := problem(http.StatusMethodNotAllowed, "the method must be "+method)
		a.header.Set("Allow", method)
		return a
	}
	if _, err := parseTrace(x.r.Header.Values("Traceparent")); err != nil {
		return x.refuse(http.StatusBadRequest, err.Error())
	}
	return handler(x)
}
