package client

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/notification/terraform-provider-notification/internal/client/wire"
	"github.com/notification/terraform-provider-notification/internal/emulator"
	"github.com/notification/terraform-provider-notification/internal/emulator/emulatortest"
	"github.com/notification/terraform-provider-notification/internal/memnet"
)

const (
	testSecret = emulatortest.ClientSecret
	testHost   = "http://notifications.test"
)

// After a large request that it did not read, the server waits for half a second. Only benchmarks
// do not wait for that.
func TestMain(m *testing.M) {
	emulatortest.ClearEnvironment()
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

// testEnv is a client and an emulator, on an in-memory network and under a fake clock.
type testEnv struct {
	*emulator.Emulator

	client  *Client
	latency atomic.Int64 // a time.Duration, before a request arrives
	opened  atomic.Int32 // connections
}

// newTestEnv returns a testEnv. Its client has the given configuration but for Dial.
func newTestEnv(t testing.TB, config Config) *testEnv {
	t.Helper()
	env := new(testEnv)
	var server *http.Server
	env.Emulator, server = emulatortest.New(t, emulator.Config{})
	server.Handler = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		time.Sleep(time.Duration(env.latency.Load()))
		env.ServeHTTP(rw, r)
	})
	server.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			env.opened.Add(1)
		}
	}
	config.Dial = memnet.Serve(t, server).Dial
	t.Cleanup(env.Close)
	env.client = New(config)
	return env
}

// setFaults sets the faults of the emulator for target.
func (env *testEnv) setFaults(t testing.TB, target, sequence string) {
	t.Helper()
	if err := env.SetFaults(emulator.Faults{target: sequence}); err != nil {
		t.Fatal(err)
	}
}

// testConfig returns a Config whose endpoints are at testHost.
func testConfig() Config {
	return Config{
		TokenURL:         mustParse(testHost + "/oauth2/token"),
		NotificationsURL: mustParse(testHost + "/notifications/v1"),
		StudiesURL:       mustParse(testHost + "/studies/v1"),
		ClientID:         emulatortest.ClientID,
		ClientSecret:     testSecret,
		Options:          wire.Options{RequestTimeout: 30 * time.Second},
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

// scripted returns a client with an access token, and the service that sends it the responses.
func scripted(t *testing.T, config Config, responses ...string) (*Client, *scriptedService) {
	t.Helper()
	c, service := newClient(t, config, responses...)
	presetToken(c)
	return c, service
}

// newClient returns a client without an access token, and the service that sends it the
// responses, to token requests too.
func newClient(t *testing.T, config Config, responses ...string) (*Client, *scriptedService) {
	t.Helper()
	service := &scriptedService{responses: responses}
	server := &http.Server{Handler: service, ReadHeaderTimeout: time.Minute}
	config.Dial = memnet.Serve(t, server).Dial
	return New(config), service
}

// presetToken gives c an access token without a request.
func presetToken(c *Client) {
	c.tokens.current.Store(&Token{Value: "earlier"})
	c.secrets.AddCredential("earlier")
}

// scriptedService sends its responses in order, whatever the requests are, and then only ok.
type scriptedService struct {
	responses []string
	keepOpen  time.Duration // how long a connection stays open after a response

	mu       sync.Mutex
	requests []*http.Request
	times    []time.Time
}

// A response is "STATUS\nField: value\n\nbody". The connection is closed after it.
const (
	ok   = "201\n\n" + `{"access_token":"earlier","notification_id":"n-1"}`
	lost = ""     // closes the connection without a response
	echo = "ECHO" // in a response: the id of the request
)

func (s *scriptedService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	response := ok
	if n := len(s.requests); n < len(s.responses) {
		response = s.responses[n]
	}
	s.requests, s.times = append(s.requests, r), append(s.times, time.Now())
	s.mu.Unlock()
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		panic(err)
	}
	if response != lost {
		head, body, _ := strings.Cut(response, "\n\n")
		head = strings.NewReplacer("\n", "\r\n", echo, r.Header.Get("X-Request-Id")).Replace(head)
		_, _ = io.WriteString(conn, "HTTP/1.1 "+head+"\r\n\r\n"+body)
	}
	time.Sleep(s.keepOpen)
	_ = conn.Close()
}

// testNotification returns a notification that the emulator accepts.
func testNotification() NotificationRequest {
	subject := "checkout v1.4.2 is live"
	return NotificationRequest{
		Priority: "HIGH",
		Channels: []Channel{{Type: "slack", Recipient: []string{"C024BE91L"}, Subject: &subject}},
	}
}

// inBubble runs a parallel subtest in a bubble of package synctest.
func inBubble(t *testing.T, name string, test func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, test)
	})
}

// concurrently calls do that many times at once, and waits until all calls have returned.
func concurrently(calls int, do func()) {
	var group sync.WaitGroup
	for range calls {
		group.Go(do)
	}
	group.Wait()
}

// mustSubmit submits a notification, and fails the test on an error.
func mustSubmit(t *testing.T, c *Client) {
	t.Helper()
	if err := submit(t, c); err != nil {
		t.Error(err)
	}
}

// mustLookUp looks up studies, and fails the test on an error.
func mustLookUp(t *testing.T, c *Client) {
	t.Helper()
	if err := lookUp(t, c); err != nil {
		t.Error(err)
	}
}

// fetchToken makes c obtain an access token.
func fetchToken(t *testing.T, c *Client) {
	t.Helper()
	if _, err := c.tokens.get(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// at returns the element at an index, and fails the test if there is none.
func at[T any](t *testing.T, all []T, i int) (element T) {
	t.Helper()
	if i >= len(all) {
		t.Fatalf("there are only %d, and none at index %d", len(all), i)
	}
	return all[i]
}

// asError returns err as an *Error, and fails the test if it is not one.
func asError(t *testing.T, err error) *Error {
	t.Helper()
	failed, ok := errors.AsType[*Error](err)
	if !ok {
		t.Fatalf("got %v (%T), want an *Error", err, err)
	}
	return failed
}
