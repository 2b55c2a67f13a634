package wire

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/url"
	"time"
)

const (
	// idleTimeout is shorter than the keep-alive time of common servers and load
	// balancers (Node.js has the shortest usual one, 5 s). A connection that the
	// server closes while a submission is written to it makes the outcome unknown.
	idleTimeout = 4 * time.Second

	// maxConns keeps net/http from dialling for every request that finds no idle
	// connection. It is above any usual parallelism of Terraform.
	maxConns = 32

	maxHeaderBytes = 1 << 20
)

// newSockets returns what opens connections and writes requests to them.
func newSockets(cfg Config) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // documented to be one
	t.TLSClientConfig = &tls.Config{
		RootCAs:            cfg.RootCAs,
		ClientSessionCache: tls.NewLRUClientSessionCache(0),
	}
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

	t.MaxConnsPerHost = maxConns
	t.MaxIdleConnsPerHost = maxConns
	t.IdleConnTimeout = idleTimeout
	t.MaxResponseHeaderBytes = maxHeaderBytes
	if cfg.Dial != nil {
		t.DialContext = cfg.Dial
	}
	t.DialContext = counting(t.DialContext, cfg.Timeout)
	t.OnProxyConnectResponse = func(_ context.Context, proxy *url.URL, _ *http.Request, resp *http.Response) error {
		if resp.StatusCode == http.StatusOK {
			return nil
		}
		return &proxyError{proxy: proxy.Host, status: resp.StatusCode}
	}
	return t
}
