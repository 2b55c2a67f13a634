package emulator

import (
	"cmp"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// defaultDrainTime bounds how long a connection that was closed on this side is read until the
// other side closes it too.
const defaultDrainTime = 2 * time.Second

// serve reads the request and answers it, as far as the fault lets it: as late, in such pieces, or
// not at all.
func (s *service) serve(ctx context.Context, x *exchange) {
	s.arrive(x)
	pause := s.config.Latency
	switch x.fault.Name {
	case "reset-before", "close-before":
		s.breakOff(x, injected)
		return
	case "hang":
		s.read(x)
		s.hang(ctx, x)
		return
	case "delay":
		pause += x.fault.Duration
	}
	s.read(x)
	a := s.respond(x)
	if strings.HasSuffix(x.fault.Name, "-after") {
		s.breakOff(x, cmp.Or(a.reason, injected))
		return
	}
	if !s.wait(ctx, pause) {
		s.breakOff(x, cmp.Or(a.reason, "the client left before the answer"))
		return
	}
	s.conclude(x, a.status, a.reason)
	a.writeHeader(x.w)
	switch {
	case x.fault.Name == "drip":
		s.drip(ctx, x, a.body)
		return
	case x.fault.Name == "truncate" && a.accepted():
		// The server closes a connection that is short of its Content-Length.
		a.body = a.body[:len(a.body)/2]
	}
	_, _ = x.w.Write(a.body) // fails when the client has gone
}

// drip sends the body in single bytes. It gives up when the client has gone.
func (s *service) drip(ctx context.Context, x *exchange, body []byte) {
	pause := x.fault.Duration / time.Duration(max(1, len(body)))
	controller := http.NewResponseController(x.w)
	for i := range body {
		if !s.wait(ctx, pause) {
			return
		}
		if _, err := x.w.Write(body[i : i+1]); err != nil || controller.Flush() != nil {
			return
		}
	}
}

// hang answers nothing until the client has gone or the emulator is closed.
func (s *service) hang(ctx context.Context, x *exchange) {
	s.change(func() { x.book.Hold(x.record) })
	s.conclude(x, 0, injected)
	select {
	case <-ctx.Done():
	case <-s.closed:
	}
	s.change(func() { x.book.Release(x.record) })
	s.drain(hijack(x.w)) // merely to return would be a 200 with an empty body
}

// breakOff ends the connection without an answer: by a reset where the fault says so, which only
// TCP has, or else in the orderly way that a client sees as the end of the stream.
func (s *service) breakOff(x *exchange, reason string) {
	s.conclude(x, 0, reason)
	conn := hijack(x.w)
	if !strings.HasPrefix(x.fault.Name, "reset-") {
		s.drain(conn)
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
func (s *service) drain(conn net.Conn) {
	defer func() { _ = conn.Close() }() // nothing depends on it any more
	tcp, ok := conn.(*net.TCPConn)
	if !ok {
		return
	}
	_ = tcp.CloseWrite() // fails when the client has closed it already
	_ = tcp.SetReadDeadline(time.Now().Add(s.drainTime))
	_, _ = io.Copy(io.Discard, tcp)
}
