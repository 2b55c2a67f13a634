// Package emulatortest serves emulators to tests.
package emulatortest

import (
	"net/http/httptest"
	"testing"

	"terraform-provider-notification/internal/emulator"
)

// Serve serves an emulator on a loopback port until the test ends, and returns it
// with its root URL.
func Serve(t testing.TB, config emulator.Config) (e *emulator.Emulator, url string) {
	t.Helper()
	e, err := emulator.New(config)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(nil)
	server.Config = e.NewServer()
	server.Start()
	t.Cleanup(func() {
		e.Close()
		server.Close()
	})
	return e, server.URL
}
