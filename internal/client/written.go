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

// countingConn knows how many bytes the operating system took for its peer, alerts
// of TLS aside, and counts as open until it is closed.
type countingConn struct {
	net.Conn

	written atomic.Int64
	used    atomic.Bool // by a request
	release func()
}

func (c *countingConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	if !isAlert(p) {
		c.written.Add(int64(n))
	}
	return n, err
}

// isAlert reports whether p, a record of TLS, is an alert, such as the goodbye when
// a connection is closed. TLS 1.3 makes it look like data (RFC 8446, section 5.2),
// but nothing of a request is that short: two bytes, their real type and the tag.
func isAlert(p []byte) bool {
	const alert, applicationData, header = 21, 23, 5
	return len(p) > header && (p[0] == alert || p[0] == applicationData && len(p) == header+2+1+16)
}

func (c *countingConn) Close() error {
	err := c.Conn.Close()
	c.release()
	return err
}
