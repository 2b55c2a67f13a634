package emulator

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"terraform-provider-notification/internal/emulator/fault"
	"terraform-provider-notification/internal/emulator/route"
)

// injected is the reason in the ledger for a response that a fault replaced or suppressed.
const injected = "an injected fault"

// serve reads the request, handles it and responds, as far as its fault allows.
func (e *Emulator) serve(ctx context.Context, x *exchange) {
	e.recordArrival(x)
	breaks := x.fault.End == fault.Reset || x.fault.End == fault.Close
	if breaks && !x.fault.Serve {
		e.breakConnection(x, injected)
		return
	}
	if x.fault.Revoke {
		e.RevokeTokens()
	}
	e.readBody(x)
	var normal response
	if x.fault.Serve {
		normal = e.handle(x)
	}
	switch {
	case x.fault.End == fault.Hang:
		e.hang(ctx, x, cmp.Or(normal.reason, injected))
	case breaks:
		e.breakConnection(x, cmp.Or(normal.reason, injected))
	case !e.wait(ctx, x.fault.Delay):
		e.breakConnection(x, cmp.Or(normal.reason, "the client left before the response"))
	default:
		e.send(x, x.replace(normal))
	}
}

// handle returns the response to the request, without regard to its fault. Before it returns, it
// records everything about the request except the outcome.
func (e *Emulator) handle(x *exchange) response {
	method, endpoint := http.MethodPost, e.grant
	switch x.target {
	case route.Token:
	case route.Submission:
		endpoint = e.submit
	case route.Studies:
		method, endpoint = http.MethodGet, e.lookUp
	default:
		return problem(http.StatusNotFound, "there is nothing at "+x.record.Path)
	}
	if x.r.Method != method {
		return problem(http.StatusMethodNotAllowed, "the method must be "+method).with("Allow", method)
	}
	return endpoint(x)
}

// replace returns the fault's response, which may keep parts of the normal one.
func (x *exchange) replace(normal response) response {
	with := x.fault.Respond
	if with == nil {
		return normal
	}
	r := normal
	switch {
	case with.Body != nil:
		r = newResponse(cmp.Or(with.Status, normal.status), "", with.Body)
	case with.Status >= 400:
		r = x.reject(with.Status, fmt.Sprintf("%s: status %d", injected, with.Status))
	case with.Status >= 300 || !allowsBody(with.Status) || !x.fault.Serve:
		r = newResponse(with.Status, "", nil)
	default:
		r.status = with.Status
	}
	for name, value := range with.Header {
		r.header.Set(name, value)
	}
	if r.reason = normal.reason; r.reason == "" && (r.status >= 300 || !x.fault.Serve) {
		r.reason = injected
	}
	return r
}

// send records the response and sends it, or half of its body if the fault truncates it.
func (e *Emulator) send(x *exchange, r response) {
	e.recordOutcome(x, r.status, r.reason)
	r.writeHeader(x.w)
	if x.fault.End == fault.Truncate {
		// The server closes the connection after a body shorter than its Content-Length.
		r.body = r.body[:len(r.body)/2]
	}
	_, _ = x.w.Write(r.body) // fails if the client has disconnected
}

// hang sends nothing until the client disconnects or the emulator is closed.
func (e *Emulator) hang(ctx context.Context, x *exchange, reason string) {
	e.recordOutcome(x, 0, reason)
	select {
	case <-ctx.Done():
	case <-e.closed:
	}
	drain(hijack(x.w)) // otherwise the server would send a 200 with an empty body
}

// breakConnection ends the connection without a response: with a TCP reset if the fault is a reset,
// and otherwise with an orderly close.
func (e *Emulator) breakConnection(x *exchange, reason string) {
	e.recordOutcome(x, 0, reason)
	conn := hijack(x.w)
	if x.fault.End != fault.Reset {
		drain(conn)
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // fails if the client has closed the connection
	}
	_ = conn.Close() // as above
}

// hijack takes the connection over from the server. If the server does not support that (the one
// from NewServer does), it aborts the request.
func hijack(w http.ResponseWriter) net.Conn {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return conn
}

// drain closes the connection for writing and reads until the client closes it too, for at most two
// seconds: closing a connection with unread data would reset it.
func drain(conn net.Conn) {
	defer func() { _ = conn.Close() }() // both sides are done with the connection
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return
	}
	_ = tcp.CloseWrite() // fails if the client has closed the connection
	_ = tcp.SetReadDeadline(time.Now().Add(2 * time.Second))
	_, _ = io.Copy(io.Discard, tcp)
}
