// Package wire makes one attempt at a request: sockets, TLS and proxies, time
// limits, one log line, and the answer as a whole.
//
// Its promise is that an error tells whether the server may have got the request.
package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/url"
	"time"
)

// Config is what a Transport needs to know.
type Config struct {
	// Timeout bounds one attempt, from the search for a connection to the last byte
	// of the answer.
	Timeout time.Duration

	// RootCAs replaces the system's certificate authorities; nil keeps them.
	RootCAs *x509.CertPool

	// Certificate authenticates this client to the server; nil for none.
	Certificate *tls.Certificate

	// Dial opens connections; nil dials TCP.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// Request is one request. It is not changed, so that it can be sent again.
type Request struct {
	Method string
	URL    *url.URL
	Header http.Header
	Body   []byte

	// Limit is how many bytes of a 2xx answer are read. Of others it is 64 KiB.
	Limit int64

	// Grace is how long a request that has got its connection may still wait for its
	// answer after its caller was cancelled.
	Grace time.Duration

	// Attempt is the number of this attempt, for the log.
	Attempt int
}

// Answer is a response whose body was read.
type Answer struct {
	URL    *url.URL // after redirects
	Status int
	Header http.Header
	Body   []byte // without byte order mark (RFC 8259, section 8.1)

	// BodyErr is why the body is not whole; nil when it is.
	BodyErr error

	// Sent is when the attempt began. Written reports whether the whole request may
	// have been written before the answer came.
	Sent    time.Time
	Written bool
}

// Error is why an attempt got no answer.
type Error struct {
	Err error

	// Sent is when the attempt began.
	Sent time.Time

	// Written reports whether the server may have got the whole request.
	Written bool

	// Permanent reports whether another attempt would come to the same.
	Permanent bool
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Transport makes attempts. It is safe for concurrent use, and shares its
// connections among all callers.
type Transport struct {
	base    http.RoundTripper
	timeout time.Duration
}

// New returns a transport for cfg. It does no I/O.
func New(cfg Config) *Transport {
	return &Transport{base: newSockets(cfg), timeout: cfg.Timeout}
}
