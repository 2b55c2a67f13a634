package emulator

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/notification/terraform-provider-notification/internal/memnet"
)

const (
	testID     = "some-client"
	testSecret = "s3cret & sound"

	tokenPath      = "/oauth2/token"
	submissionPath = "/notifications/v1"
	studiesPath    = "/studies/v1"

	minimal  = `{"channels":[{"type":"slack"}],"priority":"HIGH"}`
	jsonType = "application/json"

	// keyHeader is not Idempotency-Key, which makes Go's transport retry requests.
	keyHeader = "Notification-Key"
)

// harness is an emulator on an in-memory network, so that a test can run under a fake clock, and a
// client, which does not follow redirects.
type harness struct {
	t *testing.T

	*Emulator
	server *http.Server
	client *http.Client
}

func newHarness(t *testing.T, config Config) *harness {
	t.Helper()
	config.ClientID, config.ClientSecret = testID, testSecret
	e, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	server := e.NewServer()
	client := &http.Client{
		Transport:     &http.Transport{DialContext: memnet.Serve(t, server).Dial},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	t.Cleanup(func() {
		e.Close()
		client.CloseIdleConnections()
	})
	return &harness{t, e, server, client}
}

// result is a response, fully read, or an error.
type result struct {
	status int // 0: no response
	header http.Header
	body   string
	err    error // from the connection or from reading the body
}

func (h *harness) request(method, path, body string, header ...string) *http.Request {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), method, "http://localhost:8080"+path,
		strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Add(header[i], header[i+1])
	}
	return r
}

func (h *harness) send(r *http.Request) result {
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
	go func() { results <- h.send(r) }()
	return results
}

func (h *harness) do(method, path, body string, header ...string) result {
	h.t.Helper()
	return h.send(h.request(method, path, body, header...))
}

// credentials returns the form of a token request, with more parameters.
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
	h.t.Helper()
	return h.do(http.MethodPost, tokenPath, form, "Content-Type", formType)
}

// token obtains a token, with parameters of the form such as a scope.
func (h *harness) token(more ...string) string {
	h.t.Helper()
	r := h.requestToken(credentials(more...))
	text, _ := h.members(r)["access_token"].(string)
	if r.status != http.StatusOK || text == "" {
		h.t.Fatalf("no token: %d %s", r.status, r.body)
	}
	return text
}

// submission returns a submission with idempotency keys, each in a header.
func (h *harness) submission(token, body string, keys ...string) *http.Request {
	h.t.Helper()
	r := h.request(http.MethodPost, submissionPath, body, "Authorization", "Bearer "+token,
		"Content-Type", jsonType)
	r.Header[keyHeader] = keys
	return r
}

func (h *harness) submit(token, body string, keys ...string) result {
	h.t.Helper()
	return h.send(h.submission(token, body, keys...))
}

// recorded returns the request at an index of the ledger.
func (h *harness) recorded(i int) Request {
	h.t.Helper()
	requests := h.Ledger().Requests
	if i >= len(requests) {
		h.t.Fatalf("%d requests were recorded, and none at index %d", len(requests), i)
	}
	return requests[i]
}

// members decodes the body, which must be a JSON object.
func (h *harness) members(r result) map[string]any {
	h.t.Helper()
	var members map[string]any
	if err := json.Unmarshal([]byte(r.body), &members); err != nil {
		h.t.Fatalf("%d %q: %v", r.status, r.body, err)
	}
	return members
}

// wantProblem checks that r is an error response of the API whose detail contains the text.
func (h *harness) wantProblem(r result, status int, detail string) {
	h.t.Helper()
	if r.status != status || r.header.Get("Content-Type") != "application/problem+json" {
		h.t.Fatalf("got %+v, want a problem with status %d", r, status)
	}
	members := h.members(r)
	got, _ := members["detail"].(string)
	if members["status"] != float64(status) || members["title"] == "" ||
		!strings.Contains(got, detail) {
		h.t.Errorf("problem %s does not describe status %d: %s", r.body, status, detail)
	}
}
