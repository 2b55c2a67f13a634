package emulator

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net"
	"net/http"
	"strconv"
)

// injected is the reason in the ledger for a response that a fault replaced or suppressed.
const injected = "an injected fault"

// serve reads the request, handles it and responds, as far as its fault allows.
func (e *Emulator) serve(ctx context.Context, c *call) {
	e.recordArrival(c)
	if c.fault.Revoke {
		e.update(func() { clear(e.tokens) })
	}
	e.readBody(c)
	normal := newResponse(0, nil)
	if c.fault.Serve {
		normal = e.handle(c)
	}
	switch {
	case c.fault.Reset || c.fault.Hang:
		e.breakConnection(ctx, c, cmp.Or(normal.reason, injected))
	case !e.wait(ctx, c.fault.Delay):
		e.breakConnection(ctx, c, cmp.Or(normal.reason, "the client left before the response"))
	default:
		r := c.replace(normal)
		e.recordOutcome(c, r.status, r.reason)
		if c.fault.Truncate {
			// The server closes the connection after a body shorter than its Content-Length.
			r.with("Content-Length", strconv.Itoa(len(r.body)))
			r.body = r.body[:len(r.body)/2]
		}
		r.write(c.w)
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
	with, r := c.fault, normal
	switch {
	case with.Body != nil:
		r = newResponse(cmp.Or(with.Status, normal.status), with.Body)
	case with.Status == 0:
		return normal
	case with.Status >= 400:
		r = c.reject(with.Status, fmt.Sprintf("%s: status %d", injected, with.Status))
	default:
		r.status = with.Status
	}
	if with.HeaderName != "" {
		r.header.Set(with.HeaderName, with.HeaderValue)
	}
	if r.reason = normal.reason; r.reason == "" && (r.status >= 300 || !with.Serve) {
		r.reason = injected
	}
	return r
}

// breakConnection ends the connection without a response: with a TCP reset if the fault is a reset,
// and otherwise with an orderly close, before which a hang waits for the client to disconnect.
func (e *Emulator) breakConnection(ctx context.Context, c *call, reason string) {
	e.recordOutcome(c, 0, reason)
	if c.fault.Hang {
		e.wait(ctx, math.MaxInt64)
	}
	if c.fault.Reset {
		if conn, _, err := http.NewResponseController(c.w).Hijack(); err == nil {
			if tcp, ok := conn.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0) // fails if the client has closed the connection
			}
			_ = conn.Close() // as above
			return
		}
	}
	panic(http.ErrAbortHandler) // otherwise the server would send a 200 with an empty body
}
