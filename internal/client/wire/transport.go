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

const (
	// idleTimeout is shorter than the keep-alive timeout of most servers and load balancers (5 s in
	// Node.js, 60 s and more in others).
	idleTimeout = 4 * time.Second

	// maxIdle exceeds the usual values of Terraform's -parallelism, which limits the attempts in
	// flight.
	maxIdle = 32
)

// Transport makes attempts. It is safe for concurrent use.
type Transport struct {
	pooled, single *http.Transport
	timeout        time.Duration
}

// Options configure a Transport. All but RequestTimeout may be zero.
type Options struct {
	// RequestTimeout limits one attempt, from the connection to the last byte of the response.
	// Connecting has the same limit again.
	RequestTimeout time.Duration

	NoProxy     bool             // ignores the proxy that the environment configures
	RootCAs     *x509.CertPool   // replaces the system's certificate authorities
	Certificate *tls.Certificate // authenticates this client to servers

	// Dial opens connections instead of a net.Dialer (tests use an in-memory network).
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// New returns a Transport configured by o.
func New(o Options) *Transport {
	pooled := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // documented
	pooled.TLSClientConfig = &tls.Config{
		RootCAs:            o.RootCAs,
		ClientSessionCache: tls.NewLRUClientSessionCache(0),
		NextProtos:         []string{"http/1.1"}, // else an HTTP/2 server fails after the request
	}
	if o.NoProxy {
		pooled.Proxy = nil
	}
	if o.Certificate != nil {
		pooled.TLSClientConfig.Certificates = []tls.Certificate{*o.Certificate}
		// IIS asks for the certificate after it has read the request, which Go's servers cannot. To
		// try it, type R into openssl s_server -tls1_2.
		pooled.TLSClientConfig.Renegotiation = tls.RenegotiateOnceAsClient
	}

	// HTTP/1.1 only. Losing a shared HTTP/2 connection would make every submission in flight
	// ambiguous, and net/http replays a POST that the peer reset with PROTOCOL_ERROR.
	pooled.Protocols = new(http.Protocols)
	pooled.Protocols.SetHTTP1(true)

	dial := o.Dial
	if dial == nil {
		dial = new(net.Dialer).DialContext
	}
	// net/http lets a dial and a handshake outlive their attempt. They get a second more, so that the
	// limit of the attempt ends it first.
	pooled.TLSHandshakeTimeout = max(o.RequestTimeout, o.RequestTimeout+time.Second) // may overflow
	pooled.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		ctx, cancel := context.WithTimeout(ctx, pooled.TLSHandshakeTimeout)
		defer cancel()
		return dial(ctx, network, address)
	}
	pooled.OnProxyConnectResponse = func(
		_ context.Context, proxy *url.URL, _ *http.Request, resp *http.Response,
	) error {
		if resp.StatusCode == http.StatusOK {
			return nil
		}
		return &proxyError{proxy: proxy.Host, status: resp.StatusCode}
	}
	pooled.MaxResponseHeaderBytes = 1 << 20

	// A server may close an idle connection while a request is written to it
	// (https://go.dev/issue/22158). So that this cannot make a submission ambiguous, each has a
	// separate connection. TLS sessions are resumed.
	single := pooled.Clone()
	single.DisableKeepAlives = true

	pooled.MaxIdleConnsPerHost = maxIdle
	pooled.IdleConnTimeout = idleTimeout
	return &Transport{pooled: pooled, single: single, timeout: o.RequestTimeout}
}
