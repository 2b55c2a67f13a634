package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
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

// world is a client and the emulator it talks to, over a network in memory and
// under a fake clock.
type world struct {
	*emulator.Emulator

	client  *Client
	network *memnet.Network
}

// inWorld runs test in a bubble of package synctest with a world of its own.
// change, if not nil, changes the usual configuration. When the bubble ends, a
// goroutine that is left behind fails the test.
func inWorld(t *testing.T, change func(*emulator.Config, *Config), test func(t *testing.T, w *world)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		service := emulator.Config{ClientID: "id", ClientSecret: testSecret, TokenLifetime: time.Hour}
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
	network := memnet.New()
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		_ = server.Serve(network) // ends with Close
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-stopped
	})
	config := testConfig(testHost)
	config.Dial = network.Dial
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

func TestRequestsHoldWhatTheyShould(t *testing.T) {
	scopes := []string{"notifications.read", "notifications.write"}
	inWorld(t, func(_ *emulator.Config, c *Config) {
		c.Headers = map[string]string{"X-Gateway": "gateway"}
		c.Scopes = scopes
	}, func(t *testing.T, w *world) {
		clear(scopes) // they are the caller's
		request := aNotification()
		request.Channels = append(request.Channels,
			Channel{Type: "a<b>&c", Fields: map[string]string{}},
			Channel{Type: "b", Fields: map[string]string{"a": "1"}, SecretFields: map[string]string{"b": "2"}},
			Channel{Type: "c", SecretFields: map[string]string{"b": "3"}},
		)
		receipt, err := w.client.SubmitNotification(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := w.client.Studies(t.Context(), "A B+C/ü?&"); err != nil {
			t.Fatal(err)
		}

		if got := request.Channels[2].Fields; len(got) != 1 || request.Channels[3].Fields != nil {
			t.Errorf("the caller's fields became %v", got)
		}

		ledger := w.Ledger()
		if got := ledger.Submissions[0].NotificationID; receipt.NotificationID != got || receipt.MissingID != "" {
			t.Errorf("receipt %+v, want id %s", receipt, got)
		}
		want := `{"channels":[{"type":"slack","recipient":["C024BE91L"],"subject":"checkout 1.4.2 is live"},{"type":"a<b>&c","fields":{}},` +
			`{"type":"b","fields":{"a":"1","b":"2"}},{"type":"c","fields":{"b":"3"}}],"priority":"HIGH"}`
		if got := string(ledger.Submissions[0].Body); got != want {
			t.Errorf("body\n%s, want\n%s", got, want)
		}
		issued, submission, lookup := ledger.Requests[0], ledger.Requests[1], ledger.Requests[2]
		if want := "notifications.read notifications.write"; issued.Form.Scope != want {
			t.Errorf("scope %q, want %q", issued.Form.Scope, want)
		}
		if slices.Contains(issued.HeaderNames, "X-Gateway") || slices.Contains(issued.HeaderNames, "Authorization") {
			t.Errorf("token request has headers %v", issued.HeaderNames)
		}
		for _, request := range []emulator.Request{submission, lookup} {
			if request.Headers["X-Gateway"] != "gateway" || request.Headers["User-Agent"] != "test" {
				t.Errorf("%s has headers %v", request.Target, request.Headers)
			}
		}
		if want := "name=A%20B%2BC%2F%C3%BC%3F%26"; lookup.Query != want {
			t.Errorf("query %q, want %q", lookup.Query, want)
		}
		if slices.Contains(lookup.HeaderNames, "Content-Type") {
			t.Error("a lookup has a Content-Type")
		}
	})
}

func TestStudiesPathKeepsItsQuery(t *testing.T) {
	inWorld(t, func(s *emulator.Config, c *Config) {
		s.StudiesPath = "/find"
		c.StudiesURL = mustParse(testHost + "/find?api-version=2")
	}, func(t *testing.T, w *world) {
		_, _, err := w.client.Studies(t.Context(), "ATLAS") // the emulator wants name only
		if failed := failure(t, err); failed.URL != testHost+"/find" || strings.Contains(err.Error(), "?") {
			t.Errorf("the error holds the query: %v", err)
		}
		if got := w.Ledger().Requests[1].Query; got != "api-version=2&name=ATLAS" {
			t.Errorf("query %q", got)
		}
	})
}

// One client is shared by everything in a run.
func TestManyCallersShareTokenAndConnections(t *testing.T) {
	inWorld(t, nil, func(t *testing.T, w *world) {
		const callers, each = 10, 20
		var group sync.WaitGroup
		for range callers {
			group.Go(func() {
				for range each {
					if _, err := w.client.SubmitNotification(t.Context(), aNotification()); err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
		ledger := w.Ledger()
		if len(ledger.Submissions) != callers*each || ledger.SubmissionRequests != callers*each {
			t.Errorf("%d submissions of %d requests, want %d", len(ledger.Submissions), ledger.SubmissionRequests, callers*each)
		}
		if ledger.TokenRequests != 1 {
			t.Errorf("%d token requests, want 1", ledger.TokenRequests)
		}
		if ledger.Connections > callers+1 {
			t.Errorf("%d connections, want at most %d", ledger.Connections, callers+1)
		}
	})
}

// The deadline of an operation whose caller sets none.
func TestOperationsAreBounded(t *testing.T) {
	inWorld(t, func(_ *emulator.Config, c *Config) { c.RequestTimeout = time.Hour }, func(t *testing.T, w *world) {
		w.setFaults(t, "studies", "hang,repeat")
		began := time.Now()
		_, _, err := w.client.Studies(context.WithoutCancel(t.Context()), "ATLAS")
		failed := failure(t, err)
		if took := time.Since(began); took != DefaultTimeout || !failed.TimedOut() {
			t.Errorf("gave up after %s with %v, want %s", took, err, DefaultTimeout)
		}
	})
}

// holdToken gives c an access token without a request.
func holdToken(c *Client) {
	send := func(context.Context, wire.Request) (*wire.Attempt, error) {
		return &wire.Attempt{Body: []byte(`{"access_token":"earlier"}`), Sent: time.Now()}, nil
	}
	address := mustParse(testHost + "/oauth2/token")
	useTokens(c, token.NewCache(token.NewIssuer(address, "id", testSecret, c.secrets, send), nil))
}

// useTokens makes c take its access tokens from cache.
func useTokens(c *Client, cache *token.Cache) {
	c.tokens = cache
	c.api.next.(*authorization).tokens = cache
}
