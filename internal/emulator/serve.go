package emulator

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"strconv"
	"time"

	"terraform-provider-notification/internal/emulator/fault"
)

// injected is the reason in the ledger for a response that a fault replaced or suppressed.
const injected = "an injected fault"

// serve reads the request, handles it and responds, as far as its fault allows.
func (e *Emulator) serve(ctx context.Context, c *call) {
	e.recordArrival(c)
	end := c.fault.End
	if (end == fault.Reset || end == fault.Close) && !c.fault.Serve {
		e.breakConnection(ctx, c, injected)
		return
	}
	if c.fault.Revoke {
		e.RevokeTokens()
	}
	e.readBody(c)
	normal := new(response)
	if c.fault.Serve {
		normal = e.handle(c)
	}
	switch {
	case end == fault.Reset || end == fault.Close || end == fault.Hang:
		e.breakConnection(ctx, c, cmp.Or(normal.reason, injected))
	case !e.wait(ctx, c.fault.Delay):
		e.breakConnection(ctx, c, cmp.Or(normal.reason, "the client left before the response"))
	default:
		e.send(c, c.replace(normal))
	}
}

// handle returns the response to the request, without regard to its fault. Before it returns, it
// records everything about the request except the outcome.
func (e *Emulator) handle(c *call) *response {
	if method := c.endpoint.method; method != "" && c.r.Method != method {
		return problem(http.StatusMethodNotAllowed, "the method must be "+method).with("Allow", method)
	}
	return c.endpoint.respond(e, c)
}

// replace returns the fault's response, which may keep parts of the normal one.
func (c *call) replace(normal *response) *response {
	with := c.fault.Respond
	if with == nil {
		return normal
	}
	r := normal
	switch {
	case with.Body != nil:
		r = newResponse(cmp.Or(with.Status, normal.status), with.Body)
	case with.Status >= 400:
		r = c.reject(with.Status, fmt.Sprintf("%s: status %d", injected, with.Status))
	case with.Status >= 300 || !allowsBody(with.Status) || !c.fault.Serve:
		r = newResponse(with.Status, nil)
	default:
		r.status = with.Status
	}
	for name, value := range with.Header {
		r.header.Set(name, value)
	}
	if r.reason = normal.reason; r.reason == "" && (r.status >= 300 || !c.fault.Serve) {
		r.reason = injected
	}
	return r
}

// send records the response and sends it, or half of its body if the fault truncates it.
func (e *Emulator) send(c *call, r *response) {
	e.recordOutcome(c, r.status, r.reason)
	if c.fault.End == fault.Truncate {
		// The server closes the connection after a body shorter than its Content-Length.
		r.with("Content-Length", strconv.Itoa(len(r.body)))
		r.body = r.body[:len(r.body)/2]
	}
	r.write(c.w)
}

// breakConnection ends the connection without a response: with a TCP reset if the fault is a reset,
// and otherwise with an orderly close, before which a hang waits for the client to disconnect.
func (e *Emulator) breakConnection(ctx context.Context, c *call, reason string) {
	e.recordOutcome(c, 0, reason)
	if c.fault.End == fault.Hang {
		e.wait(ctx, math.MaxInt64)
	}
	conn := hijack(c.w) // otherwise the server would send a 200 with an empty body
	if c.fault.End != fault.Reset {
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
