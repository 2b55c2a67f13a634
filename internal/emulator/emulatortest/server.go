// Package emulatortest runs emulators for tests.
package emulatortest

import (
	"cmp"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/notification/terraform-provider-notification/internal/emulator"
)

// The credentials of an emulator whose configuration has none. Tests search output for the secret.
const (
	ClientID     = "id"
	ClientSecret = "canary-client-secret"
)

// New returns an emulator, whose tokens are valid for an hour unless config says otherwise, and its
// server. A test that does not call Serve must close the emulator before the server.
func New(t testing.TB, config emulator.Config) (*emulator.Emulator, *http.Server) {
	t.Helper()
	config.ClientID = cmp.Or(config.ClientID, ClientID)
	config.ClientSecret = cmp.Or(config.ClientSecret, ClientSecret)
	config.TokenLifetime = cmp.Or(config.TokenLifetime, time.Hour)
	e, err := emulator.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return e, e.NewServer()
}

// Serve serves an emulator on a loopback port until the test ends, and returns its root URL.
func Serve(t testing.TB, e *emulator.Emulator, config *http.Server) (url string) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	server.Config = config
	server.Start()
	t.Cleanup(server.Close)
	t.Cleanup(e.Close)
	return server.URL
}
