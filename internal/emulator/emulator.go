// Package emulator is a local stand-in for the notification service: the token
// endpoint, the submission of notifications, the studies look-up, a ledger of
// what arrived, and faults on demand.
//
// It is strict where the service may well be lenient, so that a client which
// satisfies it sends nothing that the service's page does not show. Where that
// page says "not shown" (the submission path, every error answer, the members
// of a study) the emulator makes a choice of its own; the choice says nothing
// about the service.
//
// It knows the contract and the standard library, and shares no code with the
// client it is there to test: a mistake could otherwise agree with itself.
package emulator

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// Emulator is an [http.Handler] that behaves as the notification service does.
// Below /_emulator/ it answers questions about itself (see the methods [Emulator.Ledger],
// [Emulator.ClearLedger], [Emulator.Faults], [Emulator.SetFaults] and [Emulator.RevokeTokens]);
// what arrives there leaves no trace in the ledger. All methods are safe for
// concurrent use.
type Emulator struct {
	clientID, clientSecret string
	scopes                 []string
	lifetime               time.Duration
	latency                time.Duration
	routes                 routes
	studies                []study
	now                    func() time.Time

	closed    chan struct{}
	closeOnce sync.Once

	// One lock for all of it: a snapshot then shows the requests in the order
	// in which they took their faults.
	mu     sync.Mutex
	book   book
	faults map[target]sequence
	tokens map[string]token
}

// connectionKey is the context key under which a request finds its *connection.
type connectionKey struct{}

// connection stands for one network connection; only its address matters. It
// has a member because values without any may share one address.
type connection struct{ _ byte }

// NewServer returns a server, ready for Serve or for [net/http/httptest]:
//
//	srv := httptest.NewUnstartedServer(nil)
//	srv.Config = e.NewServer()
//	srv.Start() // or srv.StartTLS()
//
// It tells connections apart exactly; served in another way the emulator goes by
// the remote address. It speaks HTTP/1.1 only, because the faults act on whole
// connections. Its Shutdown calls [Emulator.Close].
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

// Close ends every wait: answers held back by a latency or a fault are sent at
// once, and connections that hang are closed. Call it before the Close of an
// [net/http/httptest.Server], which otherwise waits for them. Requests that
// arrive later are served without waiting.
func (e *Emulator) Close() {
	e.closeOnce.Do(func() { close(e.closed) })
}

// ServeHTTP answers one request, for the service or for /_emulator/.
func (e *Emulator) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	to := e.routes.target(r.URL)
	if to == toAdmin {
		e.administer(w, r)
		return
	}
	x := e.arrive(w, r, to)
	switch x.fault.name {
	case faultResetBefore:
		e.breakOff(x, true)
		return
	case faultCloseBefore:
		e.breakOff(x, false)
		return
	}
	e.read(x)
	if x.fault.name == faultHang {
		e.hang(r.Context(), x)
		return
	}
	a := e.answer(x)
	switch x.fault.name {
	case faultResetAfter:
		e.breakOff(x, true)
	case faultCloseAfter:
		e.breakOff(x, false)
	default:
		e.send(r.Context(), x, a)
	}
}

// answer is what the fault makes of the answer that the request deserves. When
// it returns, everything that is to be recorded of the request's outcome, except
// the status, is in the ledger.
func (e *Emulator) answer(x *exchange) answer {
	if a, refused := x.fault.refusal(x.to, e.now()); refused {
		return a
	}
	if x.fault.name == faultRevoke {
		e.RevokeTokens()
	}
	return x.fault.alter(x.to, e.handle(x), e.now())
}

func (e *Emulator) handle(x *exchange) answer {
	method, handler := http.MethodPost, e.grant
	switch x.to {
	case toToken:
	case toSubmission:
		handler = e.submit
	case toStudies:
		method, handler = http.MethodGet, e.lookUp
	default:
		return problem(http.StatusNotFound, "there is nothing at "+x.r.URL.EscapedPath())
	}
	if x.r.Method != method {
		return methodNotAllowed(method)
	}
	if _, err := parseTrace(x.r.Header.Values("Traceparent")); err != nil {
		if x.to == toToken {
			return oauthError(http.StatusBadRequest, "invalid_request", err.Error())
		}
		return problem(http.StatusBadRequest, err.Error())
	}
	return handler(x)
}
