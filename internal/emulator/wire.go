package emulator

import (
	"cmp"
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"time"
)

// defaultDrainTime bounds how long a connection that was closed on this side is read until the
// other side closes it too.
const defaultDrainTime = 2 * time.Second

// serve reads the request and answers it, as far as the fault lets it: as late, in such pieces, or
// not at all.
func (e *Emulator) serve(ctx context.Context, x *exchange) {
	pause := e.config.Latency
	switch x.fault.name {
	case "reset-before":
		e.reset(x, injected)
		return
	case "close-before":
		e.end(x, injected)
		return
	case "hang":
		e.read(x)
		e.hang(ctx, x)
		return
	case "delay":
		pause += x.fault.duration
	}
	e.read(x)
	a := e.respond(x)
	switch x.fault.name {
	case "reset-after":
		e.reset(x, cmp.Or(a.reason, injected))
		return
	case "close-after":
		e.end(x, cmp.Or(a.reason, injected))
		return
	}
	if !e.wait(ctx, pause) {
		e.end(x, cmp.Or(a.reason, "the client left before the answer"))
		return
	}
	e.conclude(x, a.status, a.reason)
	switch {
	case !bodyAllowed(a.status):
		a.writeHeader(x.w)
	case x.fault.name == "drip" && len(a.body) > 0:
		a.writeHeader(x.w)
		e.drip(ctx, x, a.body)
	case x.fault.name == "truncate" && a.accepted():
		// The server closes a connection that is short of its Content-Length.
		a.writeHeader(x.w)
		_, _ = x.w.Write(a.body[:len(a.body)/2]) // fails when the client has gone
	default:
		a.write(x.w)
	}
}

// drip sends the body in single bytes. It gives up when the client has gone.
func (e *Emulator) drip(ctx context.Context, x *exchange, body []byte) {
	pause := x.fault.duration / time.Duration(len(body))
	controller := http.NewResponseController(x.w)
	for i := range body {
		if !e.wait(ctx, pause) {
			return
		}
		if _, err := x.w.Write(body[i : i+1]); err != nil || controller.Flush() != nil {
			return
		}
	}
}

// hang answers nothing until the client has gone or the emulator is closed.
func (e *Emulator) hang(ctx context.Context, x *exchange) {
	e.conclude(x, 0, injected)
	select {
	case <-ctx.Done():
	case <-e.closed:
	}
	// Merely to return would be a 200 with an empty body.
	if conn := e.hijack(x); conn != nil {
		e.drain(conn)
	}
}

// wait returns after the pause, or at once when the emulator is closed; it returns false when the
// client goes away meanwhile.
func (e *Emulator) wait(ctx context.Context, pause time.Duration) bool {
	if pause <= 0 {
		return true
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
	case <-e.closed:
	}
	return true
}

// reset ends the connection without an answer, by a reset, which only TCP has.
func (e *Emulator) reset(x *exchange, reason string) {
	if conn := e.hijack(x); conn != nil {
		e.conclude(x, 0, reason)
		if tcp, ok := belowTLS(conn).(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // fails when the client has closed it already
		}
		_ = belowTLS(conn).Close() // as above
	}
}

// end ends the connection without an answer, in the orderly way that a client sees as the end of
// the stream.
func (e *Emulator) end(x *exchange, reason string) {
	if conn := e.hijack(x); conn != nil {
		e.conclude(x, 0, reason)
		e.drain(conn)
	}
}

// hijack takes the connection over from the server; nil when that is not possible.
func (e *Emulator) hijack(x *exchange) net.Conn {
	conn, _, err := http.NewResponseController(x.w).Hijack()
	if err != nil {
		a := problem(http.StatusInternalServerError,
			"this server cannot break connections off: "+err.Error())
		e.conclude(x, a.status, a.reason)
		a.write(x.w)
		return nil
	}
	return conn
}

// drain closes this side of the connection and reads until the other one is closed too: to close a
// connection with unread data would reset it.
func (e *Emulator) drain(conn net.Conn) {
	defer func() { _ = conn.Close() }() // nothing depends on it any more
	if half, ok := conn.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite() // fails when the client has closed it already
	}
	tcp, ok := belowTLS(conn).(*net.TCPConn)
	if !ok {
		return
	}
	_ = tcp.CloseWrite() // as above; of TLS it has only sent close_notify
	_ = tcp.SetReadDeadline(time.Now().Add(e.drainTime))
	_, _ = io.Copy(io.Discard, tcp)
}

func belowTLS(conn net.Conn) net.Conn {
	if secured, ok := conn.(*tls.Conn); ok {
		return secured.NetConn()
	}
	return conn
}
