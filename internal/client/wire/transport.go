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
	// idleTimeout is shorter than the keep-alive time of most servers and load balancers (5 s in
	// Node.js, 60 s and more in others).
	idleTimeout = 4 * time.Second

	// maxConns is how many pooled connections a host gets, and how many submissions are under way
	// at once. It is above any usual parallelism of Terraform.
	maxConns = 32
)

// Transport makes attempts. It is safe for concurrent use.
type Transport struct {
	pooled, single *http.Transport
	submissions    *semaphore.Weighted // those under way
	timeout        time.Duration
}

// DialFunc opens a connection.
type DialFunc func(ctx context.Context, network, address string) (net.Conn, error)

// New returns a transport whose attempts take at most timeout to get a connection, and as much from
// then to the last byte of the response. noProxy bypasses the proxy of the environment, roots
// replaces the system's certificate authorities, certificate authenticates this client to servers,
// and dial opens connections; each may be nil.
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
		// IIS asks for the certificate when it has read the request. Go's servers cannot, so no
		// test does: openssl s_server -tls1_2 does after the key R.
		pooled.TLSClientConfig.Renegotiation = tls.RenegotiateOnceAsClient
	}

	// HTTP/1.1 only. On a shared HTTP/2 connection one loss would leave every submission in flight
	// in doubt, it would not be known whose bytes were written, and net/http replays a POST that
	// the peer broke off with PROTOCOL_ERROR.
	pooled.Protocols = new(http.Protocols)
	pooled.Protocols.SetHTTP1(true)

	if dial == nil {
		dial = pooled.DialContext
	}
	pooled.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		ctx, cancel := context.WithTimeout(ctx, timeout) // net/http's outlives the attempt
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

	// A server may close an idle connection just when a request is written to it. So a submission,
	// which must not be left in doubt, has a connection of its own; TLS sessions are resumed.
	single := pooled.Clone()
	single.DisableKeepAlives = true

	pooled.MaxConnsPerHost, pooled.MaxIdleConnsPerHost = maxConns, maxConns
	pooled.IdleConnTimeout = idleTimeout
	submissions := semaphore.NewWeighted(maxConns)
	return &Transport{pooled: pooled, single: single, submissions: submissions, timeout: timeout}
}
