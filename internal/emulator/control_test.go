package emulator

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Control requests are not recorded. Clearing the ledger keeps tokens, keys and faults.
func TestControl(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{
		IdempotencyKeyHeader: keyHeader, Faults: Faults{"studies": "hang,repeat"},
	})
	control := func(method, path string) {
		t.Helper()
		if r := h.do(method, "/_emulator/"+path, ""); r.status != http.StatusNoContent || r.body != "" {
			t.Errorf("%s %s: got %d %q", method, path, r.status, r.body)
		}
	}
	token := h.token()
	first := h.submitUnder(token, minimal, "k")

	control(http.MethodDelete, "ledger")
	if l := h.e.Ledger(); len(l.Requests) != 0 || l.Notifications != 0 || l.Connections != 0 {
		t.Errorf("after clearing, the ledger holds %+v", l)
	}
	again := h.submitUnder(token, minimal, "k")
	if again.body != first.body || h.e.Faults()["studies"] != "hang,repeat" {
		t.Errorf("clearing the ledger removed the key or the faults: %+v", again)
	}

	control(http.MethodPost, "reset")
	if l := h.e.Ledger(); len(l.Requests) != 0 || h.e.Faults()["studies"] != "" {
		t.Errorf("after the reset: ledger %+v, faults %v", l, h.e.Faults())
	}
	if r := h.submitUnder(token, minimal, "k"); r.status != 201 || r.body == first.body {
		t.Errorf("the reset kept the key: %+v", r)
	}

	control(http.MethodPost, "revoke")
	h.wantProblem(h.submit(token, minimal), http.StatusUnauthorized, "revoked")
	if n := len(h.e.Ledger().Requests); n != 2 {
		t.Errorf("got %d recorded requests, want 2", n)
	}
}

// A request that sets faults returns all of them. Targets that this test does not name may be added.
func TestControlFaults(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Faults: Faults{"studies": "hang,repeat"}})
	post := func(body string) result { return h.do(http.MethodPost, "/_emulator/faults", body) }
	want := func(r result, token, submission, studies string) {
		t.Helper()
		got := h.members(r)
		if r.status != http.StatusOK || got["token"] != token || got["submission"] != submission ||
			got["studies"] != studies {
			t.Errorf("got %d %s", r.status, r.body)
		}
	}
	want(post(`{"submission":"pass*2,status:503:0,repeat","token":"html*2"}`),
		"html*2", "pass*2,status:503:0,repeat", "hang,repeat")
	h.requestToken(credentials())
	h.submit("x", minimal)
	const left = "pass,status:503:0,pass,repeat"
	want(h.do(http.MethodGet, "/_emulator/faults", ""), "html", left, "hang,repeat")

	for _, bad := range []string{
		``, `[]`, `{"token":1}`, `{"all":"pass"}`, `{"token":"empty","submission":"oops"}`,
	} {
		h.wantProblem(post(bad), http.StatusBadRequest, "")
	}
	want(post(`{"studies":""}`), "html", left, "")
	if r := h.do(http.MethodDelete, "/_emulator/faults", ""); r.status != http.StatusNoContent {
		t.Errorf("DELETE faults: %d", r.status)
	}
	want(h.do(http.MethodGet, "/_emulator/faults", ""), "", "", "")
}

// The ledger is always whole.
func TestLedgerTakesNoParameters(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	for _, query := range []string{"subject=x", "kind=token", "x"} {
		r := h.do(http.MethodGet, "/_emulator/ledger?"+query, "")
		h.wantProblem(r, http.StatusBadRequest, "takes no query parameters")
	}
	if r := h.do(http.MethodGet, "/_emulator/ledger?", ""); r.status != http.StatusOK {
		t.Errorf("got %d %s", r.status, r.body)
	}
}

// Unknown paths and methods below /_emulator/ are rejected.
func TestControlRejects(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	for request, want := range map[string]int{
		"GET /_emulator/nothing":  http.StatusNotFound,
		"PUT /_emulator/":         http.StatusMethodNotAllowed,
		"POST /_emulator/ledger":  http.StatusMethodNotAllowed,
		"PATCH /_emulator/faults": http.StatusMethodNotAllowed,
		"GET /_emulator/revoke":   http.StatusNotFound, // the method is POST
	} {
		method, path, _ := strings.Cut(request, " ")
		if r := h.do(method, path, ""); r.status != want {
			t.Errorf("%s: got %d %s", request, r.status, r.body)
		}
	}
}

func TestHealth(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Faults: Faults{"token": "hang,repeat"}, Version: "1.2.3"})
	r := h.do(http.MethodGet, "/_emulator/health", "")
	members := h.members(r)
	text, _ := members["started"].(string)
	started, err := time.Parse(time.RFC3339, text)
	if r.status != http.StatusOK || members["status"] != "ok" || members["version"] != "1.2.3" ||
		err != nil || !strings.HasSuffix(text, "Z") || time.Since(started) > time.Minute ||
		r.header.Get("Content-Type") != "application/json" ||
		r.header.Get("Cache-Control") != "no-store" ||
		r.header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("got %d %v %s", r.status, r.header, r.body)
	}
	if r := h.do(http.MethodHead, "/_emulator/health", ""); r.status != http.StatusOK {
		t.Errorf("HEAD: %d", r.status)
	}
}

// At /, a configured path of the service takes precedence over the web UI, which otherwise takes
// GET and HEAD requests.
func TestWebUIPaths(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Paths: map[string]string{"studies": "/"}})
	h.wantProblem(h.do(http.MethodGet, "/", ""), http.StatusUnauthorized, "missing")
	if r := h.do(http.MethodGet, "/_emulator/", ""); !strings.Contains(r.body, "<title>Notification emulator") ||
		r.header.Get("Cache-Control") != "no-store" ||
		r.header.Get("Cross-Origin-Resource-Policy") != "same-origin" {
		t.Errorf("%d %v %s", r.status, r.header, r.body)
	}
	h = newHarness(t, Config{})
	h.wantProblem(h.do(http.MethodPost, "/", "{}"), http.StatusNotFound, "nothing at /")
	for _, path := range []string{"/", "/favicon.ico"} {
		if r := h.do(http.MethodHead, path, ""); r.status != http.StatusOK {
			t.Errorf("HEAD %s: %d", path, r.status)
		}
	}
}

// One event is sent at first, and one for any number of simultaneous changes.
func TestEvents(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, Config{})
		began := time.Now()
		time.AfterFunc(time.Second, func() {
			for range 100 {
				h.e.RevokeTokens()
			}
		})
		time.AfterFunc(2*time.Second, h.e.ClearLedger)
		time.AfterFunc(time.Minute, h.e.Close)
		r := h.do(http.MethodGet, "/_emulator/events", "")
		took := time.Since(began)
		if r.body != "data:\n\ndata:\n\ndata:\n\n" || took != time.Minute ||
			r.header.Get("Content-Type") != "text/event-stream" {
			t.Errorf("got %q after %s", r.body, took)
		}
	})
}

// A web page of another origin can make a browser send requests, but must not change or read
// anything.
func TestOtherOrigins(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Faults: Faults{"token": "hang"}})
	for _, header := range [][]string{
		{"Origin", "https://evil.example"}, {"Origin", "null"}, {"Sec-Fetch-Site", "cross-site"},
		{"Sec-Fetch-Site", "same-site"},
	} {
		for _, request := range []string{
			"POST /_emulator/faults", "DELETE /_emulator/faults", "POST /_emulator/revoke",
			"DELETE /_emulator/ledger", "POST /oauth2/token", "POST /notifications/v1",
		} {
			method, path, _ := strings.Cut(request, " ")
			h.wantProblem(h.do(method, path, `{"token":""}`, header...), http.StatusForbidden, "origin")
		}
	}
	if l := h.e.Ledger(); len(l.Requests) > 0 || h.e.Faults()["token"] != "hang" {
		t.Errorf("recorded %+v, faults left %v", l.Requests, h.e.Faults())
	}
	own := []string{"Origin", h.root, "Sec-Fetch-Site", "same-origin"}
	r := h.do(http.MethodPost, "/_emulator/faults", `{"token":""}`, own...)
	if r.status != http.StatusOK {
		t.Errorf("the web UI got %d %s", r.status, r.body)
	}
}

// By DNS rebinding, a web page of another site has the same origin, under the name of that site.
func TestHosts(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{AllowedHosts: []string{"host.docker.internal", "Emulator.CI.svc"}})
	try := func(method, path, host string) result {
		request := h.request(method, path, "")
		request.Host = host
		return h.mustRespond(request)
	}
	for _, host := range []string{
		"localhost", "LOCALHOST:8080", "a.localhost", "127.0.0.1:1", "192.168.1.7", "[::1]:80",
		"emulator:8080", "host.docker.internal:8080", "HOST.docker.internal", "emulator.ci.svc",
		"localhost.", "host.docker.internal.:80",
	} {
		if r := try(http.MethodGet, "/_emulator/ledger", host); r.status != http.StatusOK {
			t.Errorf("%s is rejected: %d %s", host, r.status, r.body)
		}
	}
	for _, host := range []string{
		"evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "evil.",
		"evil..", "localhost..", "docker.internal", "x.host.docker.internal",
		"host.docker.internal.evil.example",
	} {
		for _, request := range []string{
			"GET /", "GET /_emulator/", "GET /_emulator/ledger", "GET /_emulator/events",
			"POST /_emulator/reset", "GET /_emulator/webui/script.js",
		} {
			method, path, _ := strings.Cut(request, " ")
			h.wantProblem(try(method, path, host), http.StatusForbidden, "localhost")
		}
	}
}
