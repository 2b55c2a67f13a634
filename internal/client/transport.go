package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
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
func newTransport(cfg Config) *connections {
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
	t.OnProxyConnectResponse = func(_ context.Context, proxy *url.URL, _ *http.Request, resp *http.Response) error {
		if resp.StatusCode == http.StatusOK {
			return nil
		}
		return &proxyError{proxy: proxy.Host, status: resp.StatusCode}
	}
	return limited(t)
}

// proxyError says that a proxy did not open a way to the server.
type proxyError struct {
	proxy  string // host and port
	status int
}

// final reports whether trying again is no use. With 5xx a proxy tells of trouble
// behind it, which may pass.
func (e *proxyError) final() bool {
	return e.status < 500 && e.status != http.StatusRequestTimeout && e.status != http.StatusTooManyRequests
}

func (e *proxyError) Error() string {
	return fmt.Sprintf("the proxy %s refused to connect: %d %s", e.proxy, e.status, http.StatusText(e.status))
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
	if first.Method != http.MethodGet || origin(req.URL) != origin(first.URL) {
		return http.ErrUseLastResponse
	}
	if len(via) >= maxRedirects {
		return errTooManyRedirects
	}
	return nil
}

var errTooManyRedirects = errors.New("the service redirected the request too many times")

// origin is the origin of u (RFC 6454), with its port even where it is the usual one.
func origin(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}
