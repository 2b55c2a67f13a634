package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/url"
	"time"
)

const (
	// idleTimeout is shorter than the keep-alive time of most servers and load balancers (5 s in
	// Node.js, 60 s and more in others). A connection that the server closes while a submission is
	// written to it makes the outcome unknown.
	idleTimeout = 4 * time.Second

	// maxConns keeps net/http from dialling for every request that finds no idle connection. It is
	// above any usual parallelism of Terraform.
	maxConns = 32
)

// newSockets returns what opens connections and writes requests to them.
func newSockets(
	timeout time.Duration, roots *x509.CertPool, certificate *tls.Certificate, dial DialFunc,
) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // documented
	t.TLSClientConfig = &tls.Config{
		RootCAs:            roots,
		ClientSessionCache: tls.NewLRUClientSessionCache(0),
	}
	if certificate != nil {
		t.TLSClientConfig.Certificates = []tls.Certificate{*certificate}
		// IIS asks for the certificate when it has read the request. Go's servers cannot, so no
		// test does: openssl s_server -tls1_2 does after the key R.
		t.TLSClientConfig.Renegotiation = tls.RenegotiateOnceAsClient
	}

	// HTTP/1.1 only. On a shared HTTP/2 connection one loss would leave every submission in flight
	// in doubt, it would not be known whose bytes were written, and net/http replays a POST that
	// the peer broke off with PROTOCOL_ERROR.
	t.Protocols = new(http.Protocols)
	t.Protocols.SetHTTP1(true)

	t.MaxConnsPerHost = maxConns
	t.MaxIdleConnsPerHost = maxConns
	t.IdleConnTimeout = idleTimeout
	t.MaxResponseHeaderBytes = 1 << 20
	if dial == nil {
		dial = t.DialContext
	}
	t.DialContext = counting(dial, timeout)
	t.OnProxyConnectResponse = func(
		_ context.Context, proxy *url.URL, _ *http.Request, resp *http.Response,
	) error {
		if resp.StatusCode == http.StatusOK {
			return nil
		}
		return &proxyError{proxy: proxy.Host, status: resp.StatusCode}
	}
	return t
}
