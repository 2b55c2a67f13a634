package client

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"terraform-provider-notification/internal/client/token"
	"terraform-provider-notification/internal/client/wire"
	"terraform-provider-notification/internal/emulator"
	"terraform-provider-notification/internal/emulator/emulatortest"
	"terraform-provider-notification/internal/emulator/emulatortest/memnet"
)

const (
	testSecret = "canary-client-secret"
	testHost   = "http://notifications.test"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is a client and the emulator it talks to, over a network in memory and under a fake clock.
type world struct {
	*emulator.Emulator

	client  *Client
	network *memnet.Network
}

// inWorld runs test in a bubble of package synctest with a world of its own. change, if not nil,
// changes the usual configuration. When the bubble ends, a goroutine that is left behind fails the
// test.
func inWorld(
	t *testing.T, change func(*emulator.Config, *Config), test func(t *testing.T, w *world),
) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := emulatorConfig()
		config := testConfig(testHost)
		if change != nil {
			change(&service, &config)
		}
		e, network := emulatortest.ServeInMemory(t, service)
		config.Dial = network.Dial
		test(t, &world{Emulator: e, network: network, client: New(config)})
		synctest.Wait()
	})
}

// emulatorConfig is that of a service for testConfig.
func emulatorConfig() emulator.Config {
	return emulator.Config{ClientID: "id", ClientSecret: testSecret, TokenLifetime: time.Hour}
}

// testConfig has every endpoint below root.
func testConfig(root string) Config {
	return Config{
		TokenURL:         mustParse(root + "/oauth2/token"),
		NotificationsURL: mustParse(root + "/notifications/v1"),
		StudiesURL:       mustParse(root + "/studies/v1"),
		ClientID:         "id",
		ClientSecret:     testSecret,
		RequestTimeout:   30 * time.Second,
		MaxRetries:       4,
		UserAgent:        "test",
	}
}

func mustParse(text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil {
		panic(err)
	}
	return u
}

// scriptedClient is a client whose requests, tokens included, go to handler.
func scriptedClient(t *testing.T, handler http.HandlerFunc, change func(*Config)) *Client {
	t.Helper()
	config := testConfig(testHost)
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	config.Dial = memnet.Serve(t, server).Dial
	if change != nil {
		change(&config)
	}
	return New(config)
}

// aNotification is one that the emulator accepts.
func aNotification() NotificationRequest {
	subject := "checkout 1.4.2 is live"
	return NotificationRequest{
		Priority: "HIGH",
		Channels: []Channel{{Type: "slack", Recipient: []string{"C024BE91L"}, Subject: &subject}},
	}
}

// failure fails the test unless err is an *Error.
func failure(t *testing.T, err error) *Error {
	t.Helper()
	var failed *Error
	if !errors.As(err, &failed) {
		t.Fatalf("got %v (%T), want an *Error", err, err)
	}
	return failed
}

// setFaults makes the emulator misbehave.
func (w *world) setFaults(t *testing.T, target, sequence string) {
	t.Helper()
	if err := w.SetFaults(emulator.Faults{target: sequence}); err != nil {
		t.Fatal(err)
	}
}

// holdToken gives c an access token without a request.
func holdToken(c *Client) { useTokens(c, token.NewCache(earlierToken{}, nil)) }

type earlierToken struct{}

func (earlierToken) Issue(context.Context, []string) (*token.Token, error) {
	return &token.Token{Value: "earlier", Requested: time.Now()}, nil
}

// useTokens makes c take its access tokens from cache.
func useTokens(c *Client, cache *token.Cache) {
	c.tokens = cache
	c.api.next.(*authorization).tokens = cache
}

// dialingClient is a client that has an access token, and connections of dial.
func dialingClient(dial wire.DialFunc) *Client {
	config := testConfig(testHost)
	config.Dial = dial
	c := New(config)
	holdToken(c)
	return c
}

// failing is a dial that fails with err.
func failing(err error) wire.DialFunc {
	return func(context.Context, string, string) (net.Conn, error) { return nil, err }
}
