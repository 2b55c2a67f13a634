package emulator

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"terraform-provider-notification/internal/emulator/emulatortest/memnet"
)

const (
	testID     = "some-client"
	testSecret = "s3cret & sound"

	tokenPath      = "/oauth2/token"
	submissionPath = "/notifications/v1"
	studiesPath    = "/studies/v1"

	minimal = `{"channels":[{"type":"slack"}],"priority":"HIGH"}`
)

// harness is an emulator and a client, which does not follow redirects.
type harness struct {
	*testing.T
	e      *Emulator
	server *http.Server
	root   string
	client *http.Client
}

func newEmulator(t *testing.T, config Config) *Emulator {
	t.Helper()
	if config.ClientID == "" {
		config.ClientID, config.ClientSecret = testID, testSecret
	}
	e, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// newHarness serves on an in-memory network, so that a test can run under a fake clock.
func newHarness(t *testing.T, config Config) *harness {
	t.Helper()
	e := newEmulator(t, config)
	server := e.NewServer()
	network := memnet.Serve(t, server)
	transport := &http.Transport{DialContext: network.Dial}
	return newClient(t, e, server, "http://localhost:8080", transport)
}

// newTCPHarness serves on a socket, for tests that depend on TCP.
func newTCPHarness(t *testing.T, e *Emulator) *harness {
	t.Helper()
	srv := httptest.NewUnstartedServer(nil)
	srv.Config = e.NewServer()
	srv.Start()
	t.Cleanup(srv.Close)
	return newClient(t, e, srv.Config, srv.URL, srv.Client().Transport.(*http.Transport))
}

func newClient(
	t *testing.T, e *Emulator, server *http.Server, root string, transport *http.Transport,
) *harness {
	client := &http.Client{
		Transport: transport,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
	t.Cleanup(func() {
		e.Close()
		client.CloseIdleConnections()
	})
	return &harness{t, e, server, root, client}
}

// result is a response, fully read, or an error.
type result struct {
	status int // 0: no response
	header http.Header
	body   string
	err    error // from the connection or from reading the body
}

func (h *harness) request(method, path, body string, header ...string) *http.Request {
	h.Helper()
	r, err := http.NewRequestWithContext(h.Context(), method, h.root+path, strings.NewReader(body))
	if err != nil {
		h.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	return r
}

func (h *harness) try(r *http.Request) result {
	res, err := h.client.Do(r)
	if err != nil {
		return result{err: err}
	}
	body, err := io.ReadAll(res.Body)
	return result{res.StatusCode, res.Header, string(body), errors.Join(err, res.Body.Close())}
}

// begin sends a request in the background, and its result to the channel.
func (h *harness) begin(r *http.Request) <-chan result {
	results := make(chan result, 1)
	go func() { results <- h.try(r) }()
	return results
}

func (h *harness) do(method, path, body string, header ...string) result {
	h.Helper()
	return h.mustRespond(h.request(method, path, body, header...))
}

// mustRespond is like try, but fails the test without a response.
func (h *harness) mustRespond(r *http.Request) result {
	h.Helper()
	got := h.try(r)
	if got.status == 0 {
		h.Fatal(got.err)
	}
	return got
}

func credentials(more ...string) string {
	form := url.Values{
		"grant_type":    {"client_credentials"},
		"client_id":     {testID},
		"client_secret": {testSecret},
	}
	for i := 0; i < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return form.Encode()
}

func (h *harness) requestToken(form string) result {
	h.Helper()
	return h.do(http.MethodPost, tokenPath, form, "Content-Type", formType)
}

// token obtains a token with the scopes, or with all scopes.
func (h *harness) token(scopes ...string) string {
	h.Helper()
	form := credentials()
	if len(scopes) > 0 {
		form = credentials("scope", strings.Join(scopes, " "))
	}
	r := h.requestToken(form)
	text, _ := h.members(r)["access_token"].(string)
	if r.status != http.StatusOK || text == "" {
		h.Fatalf("no token: %d %s", r.status, r.body)
	}
	return text
}

func (h *harness) submission(token, body string) *http.Request {
	h.Helper()
	return h.request(http.MethodPost, submissionPath, body, "Authorization", "Bearer "+token,
		"Content-Type", "application/json")
}

func (h *harness) submit(token, body string) result {
	h.Helper()
	return h.mustRespond(h.submission(token, body))
}

func (h *harness) lookUp(token, query string) result {
	h.Helper()
	return h.do(http.MethodGet, studiesPath+query, "", "Authorization", "Bearer "+token)
}

// members decodes the body, which must be a JSON object.
func (h *harness) members(r result) map[string]any {
	h.Helper()
	var members map[string]any
	if err := json.Unmarshal([]byte(r.body), &members); err != nil {
		h.Fatalf("%d %q: %v", r.status, r.body, err)
	}
	return members
}

// wantProblem checks that r is an error response of the API whose detail contains the text.
func (h *harness) wantProblem(r result, status int, detail string) {
	h.Helper()
	if r.status != status || r.header.Get("Content-Type") != "application/problem+json" {
		h.Fatalf("got %d %s %s, want a problem with status %d", r.status, r.header.Get("Content-Type"),
			r.body, status)
	}
	members := h.members(r)
	if members["status"] != float64(status) || members["title"] == "" {
		h.Errorf("problem %s does not describe status %d", r.body, status)
	}
	if got, _ := members["detail"].(string); !strings.Contains(got, detail) {
		h.Errorf("detail %q does not contain %q", got, detail)
	}
}
