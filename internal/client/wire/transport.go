package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/sync/semaphore"
)

const (
	// idleTimeout is shorter than the keep-alive timeout of most servers and load balancers (5 s in
	// Node.js, 60 s and more in others).
	idleTimeout = 4 * time.Second

	// maxConns limits the pooled connections to a host, and the submissions in flight. It exceeds
	// the usual values of Terraform's -parallelism.
	maxConns = 32
)

// Transport makes attempts. It is safe for concurrent use.
type Transport struct {
	pooled, single *http.Transport
	submissions    *semaphore.Weighted // limits those in flight
	timeout        time.Duration
}

// DialFunc opens a connection, as net.Dialer.DialContext does.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// New returns a transport whose attempts take at most timeout to get a connection, and as long
// again to the last byte of the response. noProxy ignores the proxy that the environment
// configures, roots replaces the system's certificate authorities, certificate authenticates this
// client to servers, and dial opens connections; the last three may be nil.
func New(
	timeout time.Duration, noProxy bool, roots *x509.CertPool, certificate *tls.Certificate,
	dial DialFunc,
) *Transport {
	pooled := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // documented
	pooled.TLSClientConfig = &tls.Config{
		RootCAs:            roots,
		ClientSessionCache: tls.NewLRUClientSessionCache(0),
	}
	if noProxy {
		pooled.Proxy = nil
	}
	if certificate != nil {
		pooled.TLSClientConfig.Certificates = []tls.Certificate{*certificate}
		// IIS asks for the certificate after it has read the request. Go's servers cannot, so there
		// is no test. To try it, type R into openssl s_server -tls1_2.
		pooled.TLSClientConfig.Renegotiation = tls.RenegotiateOnceAsClient
	}

	// HTTP/1.1 only. Losing a shared HTTP/2 connection would make every submission in flight
	// ambiguous, the number of bytes written would not tell which requests were, and net/http
	// replays a POST that the peer reset with PROTOCOL_ERROR.
	pooled.Protocols = new(http.Protocols)
	pooled.Protocols.SetHTTP1(true)

	if dial == nil {
		dial = pooled.DialContext
	}
	pooled.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		ctx, cancel := context.WithTimeout(ctx, timeout) // net/http's context outlives the attempt
		defer cancel()
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &countingConn{Conn: conn}, nil
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

	// A server may close an idle connection while a request is written to it. So that this cannot
	// make a submission ambiguous, each has a separate connection. TLS sessions are resumed.
	single := pooled.Clone()
	single.DisableKeepAlives = true

	pooled.MaxConnsPerHost, pooled.MaxIdleConnsPerHost = maxConns, maxConns
	pooled.IdleConnTimeout = idleTimeout
	submissions := semaphore.NewWeighted(maxConns)
	return &Transport{pooled: pooled, single: single, submissions: submissions, timeout: timeout}
}
