package client

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"terraform-provider-notification/internal/client/wire"
	"terraform-provider-notification/internal/emulator"
	"terraform-provider-notification/internal/emulator/emulatortest"
)

// Real connections that really break. Only API requests go through the proxy.
func TestBrokenConnections(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		toxic    string
		recorded int
		is       error
	}{
		"request cut off": {`{"type":"limit_data","stream":"upstream","attributes":{"bytes":200}}`, 0, io.EOF},
		"answer cut off":  {`{"type":"limit_data","stream":"downstream","attributes":{"bytes":10}}`, 1, nil},
		"answer reset":    {`{"type":"reset_peer","stream":"downstream","attributes":{"timeout":0}}`, 1, syscall.ECONNRESET},
		"answer lost":     {`{"type":"timeout","stream":"downstream","attributes":{"timeout":0}}`, 1, wire.ErrTimeout},
		"request lost":    {`{"type":"timeout","stream":"upstream","attributes":{"timeout":0}}`, 0, wire.ErrTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, c, proxy := behindProxy(t)
			if _, err := proxy.Toxics.AddToxicJson(strings.NewReader(test.toxic)); err != nil {
				t.Fatal(err)
			}
			_, err := c.SubmitNotification(t.Context(), aNotification())
			failed := failure(t, err)
			if !failed.Ambiguous || failed.Attempts != 1 || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("got %+v", failed)
			}
			if ledger := e.Ledger(); len(ledger.Submissions) != test.recorded {
				t.Errorf("%d submissions, want %d", len(ledger.Submissions), test.recorded)
			}
		})
	}
}

// A service that is away for a moment gets the notification when it is back.
func TestRefusedConnectionIsTriedAgain(t *testing.T) {
	t.Parallel()
	e, c, proxy := behindProxy(t)
	proxy.Stop()
	back := make(chan error, 1)
	config := c.cfg
	config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		if errors.Is(err, syscall.ECONNREFUSED) {
			back <- proxy.Start()
		}
		return conn, err
	}
	c = New(config)
	if _, err := c.SubmitNotification(t.Context(), aNotification()); err != nil {
		t.Fatal(err)
	}
	if err := <-back; err != nil {
		t.Fatal(err)
	}
	if got := len(e.Ledger().Submissions); got != 1 {
		t.Errorf("%d submissions", got)
	}
}

// behindProxy is a client that has its token, and reaches an emulator through a
// proxy that can be told to break connections.
func behindProxy(t *testing.T) (*emulator.Emulator, *Client, *toxiproxy.Proxy) {
	t.Helper()
	e, root := servedEmulator(t)
	proxy := toxiproxy.NewProxy(toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop()), "", "127.0.0.1:0", mustParse(root).Host)
	if err := proxy.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(proxy.Stop)

	config := testConfig("http://" + proxy.Listen)
	config.TokenURL = mustParse(root + "/oauth2/token")
	config.RequestTimeout = 500 * time.Millisecond
	c := New(config)
	if _, err := c.tokens.Get(t.Context()); err != nil {
		t.Fatal(err)
	}
	return e, c, proxy
}

// servedEmulator serves an emulator on a loopback port.
func servedEmulator(t *testing.T) (e *emulator.Emulator, root string) {
	t.Helper()
	return emulatortest.Serve(t, emulator.Config{ClientID: "id", ClientSecret: testSecret, TokenLifetime: time.Hour})
}
