package client

import (
	"context"
	"errors"
	"io"
	"net"
	"syscall"
	"testing"
	"time"

	"terraform-provider-notification/internal/client/wire"
	"terraform-provider-notification/internal/emulator"
	"terraform-provider-notification/internal/emulator/emulatortest"
)

// Real connections that really break.
func TestBrokenConnections(t *testing.T) {
	t.Parallel()
	for fault, test := range map[string]struct {
		recorded int
		is       error
	}{
		"close-before": {0, nil}, // reset where it was not read in time
		"close-after":  {1, io.EOF},
		"reset-before": {0, syscall.ECONNRESET},
		"reset-after":  {1, syscall.ECONNRESET},
		"hang":         {0, wire.ErrAttemptTimeout},
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			e, c := servedClient(t, emulator.Faults{"submission": fault})
			_, err := c.SubmitNotification(t.Context(), aNotification())
			failed := failure(t, err)
			if !failed.Ambiguous || failed.Attempts != 1 || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("got %+v", failed)
			}
			if ledger := e.Ledger(); ledger.SubmissionRequests != 1 || len(ledger.Submissions) != test.recorded {
				t.Errorf("%d requests, %d submissions", ledger.SubmissionRequests, len(ledger.Submissions))
			}
		})
	}
}

// A service that is away for a moment gets the notification when it is back.
func TestRefusedConnectionIsRetried(t *testing.T) {
	t.Parallel()
	e, c := servedClient(t, nil)
	config, refused := c.cfg, 0
	config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		if refused++; refused == 1 {
			address = "127.0.0.1:1" // where nothing listens
		}
		conn, err := new(net.Dialer).DialContext(ctx, network, address)
		if refused == 1 && !errors.Is(err, syscall.ECONNREFUSED) {
			t.Error(err)
		}
		return conn, err
	}
	tokens := c.tokens
	c = New(config)
	useTokens(c, tokens)
	if _, err := c.SubmitNotification(t.Context(), aNotification()); err != nil || len(e.Ledger().Submissions) != 1 {
		t.Errorf("%v, %d submissions", err, len(e.Ledger().Submissions))
	}
}

// servedClient is a client that has its token, and an emulator on a loopback port.
func servedClient(t *testing.T, faults emulator.Faults) (*emulator.Emulator, *Client) {
	t.Helper()
	e, root := emulatortest.Serve(t, emulator.Config{
		ClientID: "id", ClientSecret: testSecret, TokenLifetime: time.Hour, Faults: faults,
	})
	config := testConfig(root)
	if faults["submission"] == "hang" {
		config.RequestTimeout = 500 * time.Millisecond
	}
	c := New(config)
	if _, err := c.tokens.Get(t.Context()); err != nil {
		t.Fatal(err)
	}
	return e, c
}
