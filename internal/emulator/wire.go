package emulator

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"time"
)

// drainTime bounds how long a connection that was closed on this side is read
// until the other side closes it too.
const drainTime = 2 * time.Second

// send lets the answer go out, as late and in such pieces as the latency and
// the fault say.
func (e *Emulator) send(ctx context.Context, x *exchange, a answer) {
	pause := e.latency
	if x.fault.name == faultDelay {
		pause += x.fault.duration
	}
	if !e.wait(ctx, pause) {
		e.breakOff(x, false)
		return
	}
	e.setStatus(x, a.status)
	writeHeader(x.w, a)
	switch {
	case !bodyAllowed(a.status):
	case x.fault.name == faultDrip:
		e.drip(ctx, x, a.body)
	case x.fault.name == faultTruncate && a.accepted():
		// The server closes a connection that is short of its Content-Length.
		_, _ = x.w.Write(a.body[:len(a.body)/2]) // fails when the client has gone
	default:
		_, _ = x.w.Write(a.body) // as above
	}
}

// drip sends the body in single bytes. It gives up when the client has gone.
func (e *Emulator) drip(ctx context.Context, x *exchange, body []byte) {
	if len(body) == 0 {
		return
	}
	pause := x.fault.duration / time.Duration(len(body))
	controller := http.NewResponseController(x.w)
	for i := range body {
		if !e.wait(ctx, pause) {
			return
		}
		if _, err := x.w.Write(body[i : i+1]); err != nil {
			return
		}
		if err := controller.Flush(); err != nil {
			return
		}
	}
}

// hang answers nothing until the client has gone or the emulator is closed.
func (e *Emulator) hang(ctx context.Context, x *exchange) {
	select {
	case <-ctx.Done():
	case <-e.closed:
	}
	// Merely to return would be a 200 with an empty body.
	e.breakOff(x, false)
}

// wait returns after the pause, or at once when the emulator is closed; it
// returns false when the client goes away meanwhile.
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

// breakOff ends the connection without an answer: by a reset, or in the orderly
// way that a client sees as the end of the stream.
func (e *Emulator) breakOff(x *exchange, reset bool) {
	conn, _, err := http.NewResponseController(x.w).Hijack()
	if err != nil {
		a := problem(http.StatusInternalServerError, "this server cannot break connections off: "+err.Error())
		e.setStatus(x, a.status)
		writeHeader(x.w, a)
		_, _ = x.w.Write(a.body) // fails when the client has gone
		return
	}
	defer func() { _ = conn.Close() }() // nothing depends on it any more

	// Resets and half-closes are TCP's; below TLS they need its connection.
	raw := conn
	secured, overTLS := conn.(*tls.Conn)
	if overTLS {
		raw = secured.NetConn()
	}
	tcp, ok := raw.(*net.TCPConn)
	if !ok {
		return
	}
	if reset {
		_ = tcp.SetLinger(0) // fails when the client has closed it already
		_ = tcp.Close()      // as above
		return
	}
	if overTLS {
		_ = secured.CloseWrite() // as above
	}
	_ = tcp.CloseWrite() // as above
	// To close a connection with unread data would reset it.
	_ = tcp.SetReadDeadline(time.Now().Add(drainTime))
	_, _ = io.Copy(io.Discard, tcp)
}

func (e *Emulator) setStatus(x *exchange, status int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	x.record.Status = status
}
