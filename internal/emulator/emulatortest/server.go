// Package emulatortest runs emulators for tests.
package emulatortest

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"terraform-provider-notification/internal/emulator"
	"terraform-provider-notification/internal/emulator/emulatortest/memnet"
)

// Serve serves an emulator on a loopback port until the test ends, and returns its root URL too.
func Serve(t testing.TB, config emulator.Config) (e *emulator.Emulator, url string) {
	t.Helper()
	e = newEmulator(t, config)
	server := httptest.NewUnstartedServer(nil)
	server.Config = e.NewServer()
	server.Start()
	t.Cleanup(func() {
		e.Close()
		server.Close()
	})
	return e, server.URL
}

// ServeInMemory serves an emulator on a new in-memory network until the test ends. A gateway that
// is not nil wraps the emulator's handler.
func ServeInMemory(
	t testing.TB, config emulator.Config, gateway func(http.Handler) http.Handler,
) (*emulator.Emulator, *memnet.Network) {
	t.Helper()
	e := newEmulator(t, config)
	server := e.NewServer()
	if gateway != nil {
		server.Handler = gateway(e)
	}
	network := memnet.Serve(t, server)
	t.Cleanup(e.Close)
	return e, network
}

func newEmulator(t testing.TB, config emulator.Config) *emulator.Emulator {
	t.Helper()
	e, err := emulator.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
