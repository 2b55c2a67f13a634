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

// injected is the reason that the ledger gives for what a fault did.
const injected = "an injected fault"

// drainTime bounds how long a connection that was closed on this side is read until the
// other side closes it too.
const drainTime = 2 * time.Second

// serve reads the request, serves it and responds, as far as the fault lets it.
func (e *Emulator) serve(ctx context.Context, x *exchange) {
	e.arrive(x)
	breaks := x.fault.End == fault.Reset || x.fault.End == fault.Close
	if breaks && !x.fault.Serve {
		e.breakOff(x, injected)
		return
	}
	if x.fault.Revoke {
		e.RevokeTokens()
	}
	e.read(x)
	var deserved response
	if x.fault.Serve {
		deserved = e.handle(x)
	}
	switch {
	case x.fault.End == fault.Hang:
		e.hang(ctx, x, cmp.Or(deserved.reason, injected))
	case breaks:
		e.breakOff(x, cmp.Or(deserved.reason, injected))
	case !e.wait(ctx, x.fault.Delay):
		e.breakOff(x, cmp.Or(deserved.reason, "the client left before the response"))
	default:
		e.send(x, x.replace(deserved))
	}
}

// handle returns the response that the request deserves. When it returns, everything that is to be
// recorded of the request, except its outcome, is in the ledger.
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

// replace returns the response of the fault, which may keep parts of the deserved one.
func (x *exchange) replace(deserved response) response {
	with := x.fault.Respond
	if with == nil {
		return deserved
	}
	r := deserved
	detail := fmt.Sprintf("%s: status %d", injected, with.Status)
	switch {
	case with.Body != nil:
		r = newResponse(cmp.Or(with.Status, deserved.status), "", with.Body)
	case with.Status >= 400:
		r = x.refuse(with.Status, detail)
	case with.Status >= 300 || !allowsBody(with.Status) || !x.fault.Serve:
		r = newResponse(with.Status, "", nil)
	default:
		r.status = with.Status
	}
	for name, value := range with.Header {
		r.header.Set(name, value)
	}
	if r.reason = deserved.reason; r.reason == "" && (r.status >= 300 || !x.fault.Serve) {
		r.reason = injected
	}
	return r
}

// send records the response and sends it, or the first half of it.
func (e *Emulator) send(x *exchange, r response) {
	e.conclude(x, r.status, r.reason)
	r.writeHeader(x.w)
	if x.fault.End == fault.Truncate {
		// The server closes a connection that is short of its Content-Length.
		r.body = r.body[:len(r.body)/2]
	}
	_, _ = x.w.Write(r.body) // fails when the client has gone
}

// hang sends nothing until the client has gone or the emulator is closed.
func (e *Emulator) hang(ctx context.Context, x *exchange, reason string) {
	e.conclude(x, 0, reason)
	select {
	case <-ctx.Done():
	case <-e.closed:
	}
	drain(hijack(x.w)) // merely to return would be a 200 with an empty body
}

// breakOff ends the connection without a response: by a reset where the fault says so, which only
// TCP has, or else in the orderly way that a client sees as the end of the stream.
func (e *Emulator) breakOff(x *exchange, reason string) {
	e.conclude(x, 0, reason)
	conn := hijack(x.w)
	if x.fault.End != fault.Reset {
		drain(conn)
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0) // fails when the client has closed it already
	}
	_ = conn.Close() // as above
}

// hijack takes the connection over from the server. One that does not give it away, which that of
// NewServer does, closes it itself.
func hijack(w http.ResponseWriter) net.Conn {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return conn
}

// drain closes this side of the connection and reads until the other one is closed too: to close a
// connection with unread data would reset it.
func drain(conn net.Conn) {
	defer func() { _ = conn.Close() }() // nothing depends on it any more
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return
	}
	_ = tcp.CloseWrite() // fails when the client has closed it already
	_ = tcp.SetReadDeadline(time.Now().Add(drainTime))
	_, _ = io.Copy(io.Discard, tcp)
}
