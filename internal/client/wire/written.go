package wire

import (
	"crypto/tls"
	"net"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// maxReadWait is how long to read what the peer sent, once writing has failed.
const maxReadWait = 100 * time.Millisecond

// writeTracker finds out whether the whole request may have left this machine. Read it after
// RoundTrip has returned.
type writeTracker struct {
	conn          atomic.Pointer[countingConn] // nil until the request has a connection
	gotConn       time.Time                    // zero until then
	writtenBefore int64                        // bytes written to conn before the request
	complete      atomic.Bool                  // whether net/http has written the request
	responded     atomic.Bool                  // whether a byte of a response has arrived
}

// hooks returns the functions with which net/http updates the tracker. They call onConn when the
// request gets a connection. If it gets several, only the last one counts.
func (w *writeTracker) hooks(onConn func()) *httptrace.ClientTrace {
	return &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) {
			conn := underlying(info.Conn)
			w.gotConn, w.writtenBefore = time.Now(), conn.written.Load()
			w.conn.Store(conn)
			onConn()
		},
		WroteRequest:         func(info httptrace.WroteRequestInfo) { w.complete.Store(info.Err == nil) },
		GotFirstResponseByte: func() { w.responded.Store(true) },
	}
}

// connected reports whether the request has a connection.
func (w *writeTracker) connected() bool { return w.conn.Load() != nil }

// written reports whether the server may have read the whole request, or enough to accept it. size
// is that of its body. err is RoundTrip's error, or nil if there is a response.
func (w *writeTracker) written(size int64, err error) bool {
	// net/http alone also reports a request that is still in its buffer
	// (https://go.dev/issue/60576).
	complete := w.complete.Load() && w.sent() > 0
	switch {
	case err == nil:
		// A response may arrive before net/http reports that it wrote the request. Header and TLS
		// count as well, which errs towards written.
		return complete || w.sent() >= size
	case w.refusedCertificate(err):
		return false
	default: // a server may accept a request before it has read all of it, and then reset
		return complete || w.responded.Load()
	}
}

// refusedCertificate reports whether the handshake failed because of this client's certificate. In
// TLS 1.3 that alert follows the request, which the server has ignored.
func (w *writeTracker) refusedCertificate(err error) bool {
	return IsCertificateAlert(err) && !w.responded.Load()
}

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

// countingConn counts the bytes that the operating system has accepted, or is accepting. When
// writing fails, net/http drops a response that it has not read yet, which may say that the server
// accepted the request. So a failed Write first lets net/http read on until that fails, too.
type countingConn struct {
	net.Conn

	written    atomic.Int64
	readFailed chan struct{} // buffered; receives once reading has failed
}

func (c *countingConn) Write(p []byte) (int, error) {
	c.written.Add(int64(len(p))) // before the peer can respond
	n, err := c.Conn.Write(p)
	c.written.Add(int64(n - len(p)))
	if err != nil {
		select {
		case <-c.readFailed: // at once, if anything is reading
		case <-time.After(maxReadWait):
		}
	}
	return n, err
}

func (c *countingConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil {
		select {
		case c.readFailed <- struct{}{}:
		default: // not the first failure
		}
	}
	return n, err
}
