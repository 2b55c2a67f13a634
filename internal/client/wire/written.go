package wire

import (
	"context"
	"crypto/tls"
	"net"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// writeTracker finds out whether a request may have left this machine whole. It is read after
// RoundTrip has returned: where that failed, net/http's write loop has ended by then.
type writeTracker struct {
	conn     atomic.Pointer[countingConn] // nil until the request has a connection
	before   atomic.Int64                 // bytes that others had written to it
	wasUsed  atomic.Bool                  // by an earlier request
	complete atomic.Bool
	gotConn  time.Time // zero until then
}

func (w *writeTracker) trace() *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		// Called again when net/http replaces a connection to which it had written nothing; what
		// counts is the last one.
		GotConn: func(info httptrace.GotConnInfo) {
			w.gotConn = time.Now()
			conn := underlying(info.Conn)
			w.before.Store(conn.written.Load())
			w.wasUsed.Store(conn.used.Swap(true))
			w.conn.Store(conn)
		},
		// Fires when the request is in net/http's buffer, so that nil does not mean sent; an error
		// means that a part is missing.
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			w.complete.Store(info.Err == nil)
		},
	}
}

// connected reports whether the request has got its connection.
func (w *writeTracker) connected() bool { return w.conn.Load() != nil }

// reused reports whether that connection had served a request before.
func (w *writeTracker) reused() bool { return w.wasUsed.Load() }

// written reports whether the whole request may have been written.
func (w *writeTracker) written() bool { return w.complete.Load() && w.sent() > 0 }

// sent is how many bytes were written of the request.
func (w *writeTracker) sent() int64 { return w.conn.Load().written.Load() - w.before.Load() }

// underlying finds the connection that was dialled, below any layers of TLS.
func underlying(conn net.Conn) *countingConn {
	for {
		layer, ok := conn.(*tls.Conn)
		if !ok {
			return conn.(*countingConn) //nolint:forcetypeassert // all are of counting
		}
		conn = layer.NetConn()
	}
}

// DialFunc opens a connection.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// counting returns a dial whose connections are *countingConn. It ends after timeout, since
// net/http goes on dialling for an attempt that has ended.
func counting(dial DialFunc, timeout time.Duration) DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &countingConn{Conn: conn}, nil
	}
}

// countingConn knows how many bytes the operating system took, or is taking, for its peer, alerts
// of TLS aside.
type countingConn struct {
	net.Conn

	written atomic.Int64
	used    atomic.Bool // by a request; net/http also calls reused what was idle and never used
}

func (c *countingConn) Write(p []byte) (int, error) {
	if isAlert(p) {
		return c.Conn.Write(p)
	}
	c.written.Add(int64(len(p))) // before the peer can answer
	n, err := c.Conn.Write(p)
	c.written.Add(int64(n - len(p)))
	return n, err
}

// isAlert reports whether p, a record of TLS, is an alert, such as the close_notify when a
// connection is closed. TLS 1.3 makes it look like data (RFC 8446, section 5.2), but nothing of a
// request is that short: two bytes, their real type and the tag.
func isAlert(p []byte) bool {
	const alert, applicationData, header = 21, 23, 5
	return len(p) > header && (p[0] == alert || p[0] == applicationData && len(p) == header+2+1+16)
}
