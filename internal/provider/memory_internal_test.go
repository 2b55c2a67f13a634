package provider

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"terraform-provider-notification/internal/client"
	"terraform-provider-notification/internal/emulator"
	"terraform-provider-notification/internal/emulator/emulatortest"
)

// newClientInMemory returns an emulator in this process and a client of it, whose default settings
// are modified by change.
func newClientInMemory(
	t testing.TB, faults emulator.Faults, gateway func(http.Handler) http.Handler,
	change func(*client.Config),
) (*client.Client, *emulator.Emulator) {
	t.Helper()
	e, network := emulatortest.ServeInMemory(t, emulator.Config{
		ClientID: "id", ClientSecret: testSecret, TokenLifetime: time.Hour, Faults: faults,
	}, gateway)
	root := &url.URL{Scheme: "http", Host: "notifications.example.com"}
	config := client.Config{
		TokenURL:         root.JoinPath("oauth2/token"),
		NotificationsURL: root.JoinPath("notifications/v1"),
		StudiesURL:       root.JoinPath("studies/v1"),
		ClientID:         "id", ClientSecret: testSecret,
		RequestTimeout: 30 * time.Second, MaxRetries: 4, Dial: network.Dial,
	}
	if change != nil {
		change(&config)
	}
	return client.New(config), e
}
