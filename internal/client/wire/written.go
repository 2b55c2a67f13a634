package wire

import (
	"crypto/tls"
	"net"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// writeTracker determines whether the whole request may have left this machine. Read it after
// RoundTrip has returned: if RoundTrip failed, net/http's write loop has ended by then.
type writeTracker struct {
	conn          atomic.Pointer[countingConn] // nil until the request has a connection
	gotConn       time.Time                    // zero until then
	writtenBefore int64                        // bytes written to conn before the request
	complete      atomic.Bool
	responded     atomic.Bool // at least the first byte has arrived
}

// trace returns the hooks with which net/http updates the tracker. They call connected whenever the
// request gets a connection: again if a GET is redirected, or if net/http replaces a pooled
// connection before it has written to it. Only the last connection counts.
func (w *writeTracker) trace(connected func()) *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) {
			conn := underlying(info.Conn)
			w.gotConn, w.writtenBefore = time.Now(), conn.written.Load()
			w.conn.Store(conn)
			connected()
		},
		GotFirstResponseByte: func() { w.responded.Store(true) },
		// Without an error, the request may still be in net/http's buffer; with one, it is
		// incomplete.
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			w.complete.Store(info.Err == nil)
		},
	}
}

// connected reports whether the request has a connection.
func (w *writeTracker) connected() bool { return w.conn.Load() != nil }

// written reports whether the whole request may have been written.
func (w *writeTracker) written() bool { return w.complete.Load() && w.sent() > 0 }

// sent returns the number of bytes written to the connection since the request got it.
func (w *writeTracker) sent() int64 { return w.conn.Load().written.Load() - w.writtenBefore }

// underlying returns the dialled connection below any layers of TLS.
func underlying(conn net.Conn) *countingConn {
	for {
		layer, ok := conn.(*tls.Conn)
		if !ok {
			return conn.(*countingConn) //nolint:forcetypeassert // New wraps every dialled connection
		}
		conn = layer.NetConn()
	}
}

// countingConn counts the bytes that the operating system has accepted, or is accepting.
type countingConn struct {
	net.Conn

	written atomic.Int64
}

func (c *countingConn) Write(p []byte) (int, error) {
	c.written.Add(int64(len(p))) // before the peer can respond
	n, err := c.Conn.Write(p)
	c.written.Add(int64(n - len(p)))
	return n, err
}
