package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/notification/terraform-provider-notification/internal/memnet"
)

// After any response was read, including a redirect and an error, its connection is reused, but not
// if servers may be about to close it.
func TestConnectionsAreReused(t *testing.T) {
	t.Parallel()
	handler := func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/redirect" {
			w.Header().Set("Location", "//A.test:80/b?q=1")
			w.WriteHeader(http.StatusFound)
			_, _ = io.WriteString(w, strings.Repeat("x", 10_000))
			return
		}
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, r.URL.String()+strings.Repeat("x", 50_000))
	}
	synctest.Test(t, func(t *testing.T) {
		server := &http.Server{Handler: http.HandlerFunc(handler), ReadHeaderTimeout: time.Minute}
		network, conns := memnet.Serve(t, server), 0
		dial := func(ctx context.Context, n, a string) (net.Conn, error) {
			conns++
			return network.Dial(ctx, n, a)
		}
		transport := New(Options{RequestTimeout: time.Minute, Dial: dial})
		for _, step := range []struct {
			pause time.Duration // before the request
			path  string
			conns int // so far
		}{{0, "/redirect", 1}, {0, "/", 1}, {3 * time.Second, "/", 1}, {5 * time.Second, "/", 2}} {
			time.Sleep(step.pause)
			got := transport.Send(t.Context(), request(http.MethodGet, "http://a.test"+step.path))
			if got.Err != nil || got.URL.RequestURI() != strings.TrimRight(string(got.Body), "x") ||
				conns != step.conns {
				t.Errorf("%v, %v; %d connections, want %+v", got.URL, got.Err, conns, step)
			}
		}
	})
}

// The error names the proxy and its status.
func TestProxyError(t *testing.T) {
	t.Parallel()
	reject := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }
	proxy := httptest.NewServer(http.HandlerFunc(reject))
	t.Cleanup(proxy.Close)
	transport := New(Options{RequestTimeout: time.Minute})
	transport.pooled.Proxy = func(*http.Request) (*url.URL, error) {
		return url.Parse(proxy.URL)
	}
	got := transport.Send(t.Context(), request(http.MethodGet, "https://a.test/"))
	want := strings.TrimPrefix(proxy.URL, "http://") + " refused to connect: 403 Forbidden"
	if got.Err == nil || !strings.Contains(got.Err.Error(), want) || !got.Permanent || got.Sent ||
		got.ID != (ID{}) {
		t.Errorf("got %+v, want %s", got, want)
	}
}

// startTLS starts a server, which logs no failed handshakes, and returns the roots for its
// certificate.
func startTLS(t *testing.T, server *httptest.Server) *x509.CertPool {
	t.Helper()
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
}

// The transport uses HTTP/1.1 only, whatever the server offers. It resumes TLS sessions, for
// submissions too.
func TestTLS(t *testing.T) {
	t.Parallel()
	handler := func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprint(w, r.Proto, ", resumed: ", r.TLS.DidResume)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(handler))
	server.EnableHTTP2 = true
	transport := New(Options{RequestTimeout: time.Minute, RootCAs: startTLS(t, server)})
	for i, step := range []struct {
		method string
		want   string
	}{
		{http.MethodGet, "HTTP/1.1, resumed: false"},
		{http.MethodPost, "HTTP/1.1, resumed: true"},
		{http.MethodGet, "HTTP/1.1, resumed: false"}, // on the first connection
	} {
		got := transport.Send(t.Context(), request(step.method, server.URL))
		if got.Err != nil || string(got.Body) != step.want {
			t.Errorf("request %d: %q, %v, want %s", i, got.Body, got.Err, step.want)
		}
	}
	transport.pooled.CloseIdleConnections()
}

// A server without HTTP/1.1, such as one with HTTP/2 only, rejects the handshake, so the request is
// not written. (Go's servers make an exception for HTTP/2.)
func TestServerWithoutHTTP1(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.TLS = &tls.Config{NextProtos: []string{"http/9"}}
	transport := New(Options{RequestTimeout: time.Minute, RootCAs: startTLS(t, server)})
	got := transport.Send(t.Context(), request(http.MethodPost, server.URL))
	if got.Err == nil || !strings.Contains(got.Err.Error(), "no application protocol") || got.Sent {
		t.Errorf("written %t, %v", got.Sent, got.Err)
	}
}

// The certificates of Options are used. If the handshake fails, the server has not processed the
// request, even if it was written (TLS 1.3), so no server can have logged its id, and another
// attempt would fail in the same way.
func TestCertificates(t *testing.T) {
	t.Parallel()
	var processed atomic.Int32
	count := func(http.ResponseWriter, *http.Request) { processed.Add(1) }
	server := httptest.NewUnstartedServer(http.HandlerFunc(count))
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	roots := startTLS(t, server)
	certificate := &server.TLS.Certificates[0] // any
	isNotTrusted := func(err error) bool {
		_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
		return untrusted
	}
	for name, test := range map[string]struct {
		options Options
		fails   func(error) bool // nil if the request succeeds
	}{
		"both certificates":      {Options{RootCAs: roots, Certificate: certificate}, nil},
		"not the server's":       {Options{Certificate: certificate}, isNotTrusted},
		"no certificate to send": {Options{RootCAs: roots}, IsCertificateAlert},
	} {
		test.options.RequestTimeout = time.Minute
		got := New(test.options).Send(t.Context(), request(http.MethodPost, server.URL))
		succeeds := test.fails == nil
		if (got.Err == nil) != succeeds || !succeeds && !test.fails(got.Err) ||
			got.Sent != succeeds || got.Permanent == succeeds || (got.ID != ID{}) != succeeds {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if processed.Load() != 1 {
		t.Errorf("%d requests", processed.Load())
	}
}

// IIS asks for the certificate after it has read the request, which Go's servers cannot. Requests
// to the emulator bypass proxies.
func TestRenegotiation(t *testing.T) {
	t.Parallel()
	transport := New(Options{Certificate: new(tls.Certificate), NoProxy: true})
	for _, base := range []*http.Transport{transport.pooled, transport.single} {
		got := base.TLSClientConfig.Renegotiation
		if got != tls.RenegotiateOnceAsClient || base.Proxy != nil {
			t.Errorf("the client renegotiates as %d, and has a proxy: %t", got, base.Proxy != nil)
		}
	}
}
