package client

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"
)

const (
	// idleTimeout is shorter than the keep-alive time of common servers and load
	// balancers (Node.js has the shortest usual one, 5 s). A connection that the
	// server closes while a submission is written to it makes the outcome unknown.
	idleTimeout = 4 * time.Second

	// maxIdleConns is above any parallelism that Terraform is run with, so that
	// a run opens each connection once.
	maxIdleConns = 256

	maxHeaderBytes = 1 << 20
	maxRedirects   = 10
)

// newTransport returns the base of the chain: sockets, proxies and TLS.
func newTransport(cfg Config) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // documented to be one
	t.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: cfg.RootCAs}
	if cfg.Certificate != nil {
		t.TLSClientConfig.Certificates = []tls.Certificate{*cfg.Certificate}
	}

	// HTTP/1.1 only. On a shared HTTP/2 connection one loss would leave every
	// submission in flight in doubt, it would not be known whose bytes were
	// written, and net/http replays a POST that the peer broke off with
	// PROTOCOL_ERROR.
	t.Protocols = new(http.Protocols)
	t.Protocols.SetHTTP1(true)
	t.ForceAttemptHTTP2 = false

	t.MaxIdleConns = maxIdleConns
	t.MaxIdleConnsPerHost = maxIdleConns
	t.IdleConnTimeout = idleTimeout
	t.MaxResponseHeaderBytes = maxHeaderBytes
	if cfg.Dial != nil {
		t.DialContext = cfg.Dial
	}
	t.DialContext = countWrites(t.DialContext)
	return t
}

// countWrites makes dial return connections that count what is written to them.
func countWrites(dial func(context.Context, string, string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &countingConn{Conn: conn}, nil
	}
}

// countingConn knows how many bytes the operating system took for its peer.
type countingConn struct {
	net.Conn

	written atomic.Int64
}

func (c *countingConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.written.Add(int64(n))
	return n, err
}

// writeWatch finds out whether a request may have left this machine whole. It
// is read after RoundTrip has failed: by then net/http's write loop has ended.
type writeWatch struct {
	conn      atomic.Pointer[countingConn]
	before    atomic.Int64
	connected atomic.Bool
	cutShort  atomic.Bool
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
			w.connected.Store(true)
		},
		// Fires when the request is in net/http's buffer, so that nil does not
		// mean sent; an error means that a part is missing.
		WroteRequest: func(info httptrace.WroteRequestInfo) {
			w.cutShort.Store(info.Err != nil)
		},
	}
}

// written reports whether the whole request may have been written.
func (w *writeWatch) written() bool {
	if !w.connected.Load() || w.cutShort.Load() {
		return false
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

// refuseRedirect hands a redirect back as the answer: following one would carry
// the client secret, or a notification, to an address that nobody configured.
func refuseRedirect(*http.Request, []*http.Request) error {
	return http.ErrUseLastResponse
}

// sameOriginLookUps follows redirects of look-ups within their origin only, so
// that neither the access token nor a gateway key leaves it.
func sameOriginLookUps(req *http.Request, via []*http.Request) error {
	first := via[0]
	if first.Method != http.MethodGet || req.URL.Scheme != first.URL.Scheme || req.URL.Host != first.URL.Host {
		return http.ErrUseLastResponse
	}
	if len(via) >= maxRedirects {
		return errTooManyRedirects
	}
	return nil
}

var errTooManyRedirects = errors.New("the service redirected the request too many times")
