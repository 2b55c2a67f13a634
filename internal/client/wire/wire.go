// Package wire makes one attempt at a request: sockets, TLS and proxies, time limits, one log line,
// and the answer as a whole.
//
// Its promise is that an error tells whether the server may have got the request.
package wire

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/url"
	"time"
)

// Request is one request. It is not changed, so that it can be sent again.
type Request struct {
	Method string
	URL    *url.URL
	Header http.Header
	Body   []byte

	Limit   int64 // how many bytes of a 2xx answer are read; of others it is 64 KiB
	Attempt int   // the number of this attempt, for the log
	Trace   Trace // that the request belongs to

	// Grace is how long a request that has got its connection may still wait for its answer after
	// its caller was cancelled.
	Grace time.Duration
}

// Answer is a response whose body was read.
type Answer struct {
	URL     *url.URL // after redirects
	Status  int
	Header  http.Header
	Body    []byte // without byte order mark (RFC 8259, section 8.1)
	BodyErr error  // why the body is not whole; nil when it is

	ID      ID
	Sent    time.Time // when the request got its connection
	Written bool      // whether the whole request may have been written before the answer came
}

// Error is why an attempt got no answer.
type Error struct {
	Err error

	ID        ID
	Sent      time.Time // when the request got its connection, or the attempt began
	Written   bool      // whether the server may have got the whole request
	Permanent bool      // whether another attempt would come to the same
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

// Transport makes attempts. It is safe for concurrent use, and shares its connections among all
// callers.
type Transport struct {
	base     http.RoundTripper
	timeout  time.Duration
	idHeader string
}

// New returns a transport whose attempts take at most timeout to get a connection, and as much from
// then to the last byte of the answer. idHeader is a header for the id of each attempt, besides
// traceparent; it may be empty. roots replaces the system's certificate authorities, certificate
// authenticates this client to servers, and dial opens connections; each may be nil. It does no
// I/O.
func New(
	timeout time.Duration, idHeader string,
	roots *x509.CertPool, certificate *tls.Certificate, dial DialFunc,
) *Transport {
	base := newSockets(timeout, roots, certificate, dial)
	return &Transport{base: base, timeout: timeout, idHeader: idHeader}
}
