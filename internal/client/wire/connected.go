package wire

import (
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

// connTracker records whether a request got a connection, including a proxy's tunnel and TLS. Until
// then nothing of the request is sent. From then on, the server may have read all of it: how much
// net/http wrote is not asked, since a server may accept a request before it has read all of it.
type connTracker struct {
	gotConn atomic.Pointer[time.Time] // nil until then; of several connections, the last one
}

// hooks returns the functions with which net/http updates the tracker. They call onConn when the
// request gets a connection.
func (c *connTracker) hooks(onConn func()) *httptrace.ClientTrace {
	return &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) {
		now := time.Now()
		c.gotConn.Store(&now)
		onConn()
	}}
}

// connected reports whether the request has a connection.
func (c *connTracker) connected() bool { return c.gotConn.Load() != nil }

// maySend reports whether the server may have read the request. err is RoundTrip's error, or nil if
// there is a response. In TLS 1.3, a server reports that it refuses this client's certificate once
// the client has a connection; it has ignored the request.
func (c *connTracker) maySend(err error) bool { return c.connected() && !IsCertificateAlert(err) }
