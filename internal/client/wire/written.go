package wire

import (
	"crypto/tls"
	"net"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// writeTracker finds out whether a request may have left this machine whole. It is read after
// RoundTrip has returned: where that failed, net/http's write loop has ended by then.
type writeTracker struct {
	conn          atomic.Pointer[countingConn] // nil until the request has a connection
	gotConn       time.Time                    // zero until then
	writtenBefore int64                        // bytes that were written to it before
	complete      atomic.Bool
	responded     atomic.Bool // at least in part
}

// trace tells the tracker what net/http does, and calls connected when the request has got its
// connection: more than once where a GET is redirected, or where net/http replaces a pooled
// connection to which it had written nothing. What counts is the last one.
func (w *writeTracker) trace(connected func()) *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) {
			conn := underlying(info.Conn)
			w.gotConn, w.writtenBefore = time.Now(), conn.written.Load()
			w.conn.Store(conn)
			connected()
		},
		// Fires when the request is in net/http's buffer, so that nil does not mean sent; an error
		// means that a part is missing.
		GotFirstResponseByte: func() { w.responded.Store(true) },
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			w.complete.Store(info.Err == nil)
		},
	}
}

// connected reports whether the request has got its connection.
func (w *writeTracker) connected() bool { return w.conn.Load() != nil }

// written reports whether the whole request may have been written.
func (w *writeTracker) written() bool { return w.complete.Load() && w.sent() > 0 }

// sent is how many bytes the connection took after the request had got it.
func (w *writeTracker) sent() int64 { return w.conn.Load().written.Load() - w.writtenBefore }

// underlying finds the connection that was dialled, below any layers of TLS.
func underlying(conn net.Conn) *countingConn {
	for {
		layer, ok := conn.(*tls.Conn)
		if !ok {
			return conn.(*countingConn) //nolint:forcetypeassert // all that are dialled
		}
		conn = layer.NetConn()
	}
}

// countingConn knows how many bytes the operating system took, or is taking, for its peer.
type countingConn struct {
	net.Conn

	written atomic.Int64
}

func (c *countingConn) Write(p []byte) (int, error) {
	c.written.Add(int64(len(p))) // before the peer can answer
	n, err := c.Conn.Write(p)
	c.written.Add(int64(n - len(p)))
	return n, err
}
