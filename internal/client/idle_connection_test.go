package client

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A connection that the server had closed took nothing, also where TLS said
// goodbye on it.
func TestIdleConnectionClosedByTheServer(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(answering(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"notification_id":"x"}`) }))
	t.Cleanup(server.Close)
	config := testConfig(server.URL)
	config.RootCAs = server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	config.MaxRetries = 1
	var conns []*endingConn
	config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		ending := &endingConn{Conn: conn, ended: make(chan struct{})}
		conns = append(conns, ending)
		return ending, err
	}
	c := New(config)
	t.Cleanup(c.transport(t).CloseIdleConnections)
	if _, err := c.SubmitNotification(t.Context(), aNotification()); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) {
		once.Do(func() { // just when it is chosen
			conns[0].end(t)
			<-conns[0].closed()
		})
	}})
	if _, err := c.SubmitNotification(ctx, aNotification()); err != nil {
		t.Error(err)
	}
}

// The goodbye of TLS is no part of a request, whatever it looks like on the wire.
func TestGoodbyeIsNotCounted(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(nil)
	server.StartTLS()
	t.Cleanup(server.Close)
	for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
		raw, err := new(net.Dialer).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		counted := &countingConn{Conn: raw, release: func() {}}
		config := server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
		config.ServerName, config.MinVersion, config.MaxVersion = "example.com", version, version
		conn := tls.Client(counted, config)
		if err := conn.HandshakeContext(t.Context()); err != nil {
			t.Fatal(err)
		}
		before := counted.written.Load()
		if _, err := io.WriteString(conn, "POST"); err != nil {
			t.Fatal(err)
		}
		after := counted.written.Load()
		if after == before {
			t.Errorf("%s: a request is not counted", tls.VersionName(version))
		}
		if err := conn.Close(); err != nil {
			t.Fatal(err)
		}
		if got := counted.written.Load(); got != after {
			t.Errorf("%s: the goodbye counts as %d bytes of a request", tls.VersionName(version), got-after)
		}
	}
}

// endingConn can come to its end as if the server had closed it.
type endingConn struct {
	net.Conn

	once  sync.Once
	eof   atomic.Bool
	ended chan struct{}
}

func (c *endingConn) end(t *testing.T) {
	c.eof.Store(true)
	if err := c.SetReadDeadline(time.Unix(1, 0)); err != nil {
		t.Error(err)
	}
}

func (c *endingConn) closed() <-chan struct{} { return c.ended }

func (c *endingConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.eof.Load() {
		return 0, io.EOF
	}
	return n, err
}

func (c *endingConn) Close() error {
	defer c.once.Do(func() { close(c.ended) })
	return c.Conn.Close()
}
