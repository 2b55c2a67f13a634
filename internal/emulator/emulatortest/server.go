// Package emulatortest runs emulators for tests.
package emulatortest

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"terraform-provider-notification/internal/emulator"
	"terraform-provider-notification/internal/memnet"
)

// The credentials of an emulator whose configuration has none. Tests search output for the secret.
const (
	ClientID     = "id"
	ClientSecret = "canary-client-secret"
)

// Serve serves an emulator on a loopback port until the test ends, and returns its root URL too. Its
// tokens are valid for an hour unless config says otherwise. configure changes the server before it
// starts.
func Serve(
	t testing.TB, config emulator.Config, configure ...func(*http.Server),
) (e *emulator.Emulator, url string) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	e, server.Config = newServer(t, config, configure)
	server.Start()
	t.Cleanup(server.Close)
	t.Cleanup(e.Close)
	return e, server.URL
}

// ServeInMemory is like Serve, on a new in-memory network.
func ServeInMemory(
	t testing.TB, config emulator.Config, configure ...func(*http.Server),
) (*emulator.Emulator, *memnet.Network) {
	t.Helper()
	e, server := newServer(t, config, configure)
	network := memnet.Serve(t, server)
	t.Cleanup(e.Close)
	return e, network
}

func newServer(
	t testing.TB, config emulator.Config, configure []func(*http.Server),
) (*emulator.Emulator, *http.Server) {
	t.Helper()
	config.ClientID = cmp.Or(config.ClientID, ClientID)
	config.ClientSecret = cmp.Or(config.ClientSecret, ClientSecret)
	config.TokenLifetime = cmp.Or(config.TokenLifetime, time.Hour)
	e, err := emulator.New(config)
	if err != nil {
		t.Fatal(err)
	}
	server := e.NewServer()
	for _, change := range configure {
		change(server)
	}
	return e, server
}
