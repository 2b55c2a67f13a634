package client

import (
	"crypto/tls"
	"net"
	"net/http/httptrace"
	"sync/atomic"
)

// writeWatch finds out whether a request may have left this machine whole. It
// is read after RoundTrip has failed: by then net/http's write loop has ended.
type writeWatch struct {
	conn      atomic.Pointer[countingConn]
	before    atomic.Int64
	connected atomic.Bool
	complete  atomic.Bool
}

func (w *writeWatch) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		// Called again when net/http replaces a connection to which it had
		// written nothing; what counts is the last one.
		GotConn: func(info httptrace.GotConnInfo) {
			conn := underlying(info.Conn)
			if conn != nil {
				w.before.Store(conn.written.Load())
			}
			w.conn.Store(conn)
			w.complete.Store(false)
			w.connected.Store(true)
		},
		// Fires when the request is in net/http's buffer, so that nil does not
		// mean sent; an error means that a part is missing.
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			w.complete.Store(info.Err == nil)
		},
	}
}

// written reports whether the whole request may have been written.
func (w *writeWatch) written() bool {
	if !w.connected.Load() || !w.complete.Load() {
		return false // what was written is at most the goodbye of TLS
	}
	conn := w.conn.Load()
	return conn == nil || conn.written.Load() > w.before.Load()
}

// underlying finds the connection that was dialled below any layers of TLS; nil
// when it was not dialled by this package.
func underlying(conn net.Conn) *countingConn {
	for {
		switch c := conn.(type) {
		case *countingConn:
			return c
		case *tls.Conn:
			conn = c.NetConn()
		default:
			return nil
		}
	}
}
