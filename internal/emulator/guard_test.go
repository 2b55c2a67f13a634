package emulator

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// A page of another origin can make a browser send, but must not change or read anything.
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
		t.Errorf("its own page got %d %s", r.status, r.body)
	}
}

// By DNS rebinding a page of another site has the same origin, under the name of that site.
func TestHosts(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{AllowedHosts: []string{"host.docker.internal", "Emulator.CI.svc"}})
	try := func(method, path, host string) reply {
		request := h.request(method, path, "")
		request.Host = host
		return h.answered(request)
	}
	for _, host := range []string{
		"localhost", "LOCALHOST:8080", "a.localhost", "127.0.0.1:1", "192.168.1.7", "[::1]:80",
		"emulator:8080", "host.docker.internal:8080", "HOST.docker.internal", "emulator.ci.svc",
		"localhost.", "host.docker.internal.:80",
	} {
		if r := try(http.MethodGet, "/_emulator/ledger", host); r.status != http.StatusOK {
			t.Errorf("%s is refused: %d %s", host, r.status, r.body)
		}
	}
	for _, host := range []string{
		"evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "evil.", "evil..",
		"localhost..",
		"docker.internal", "x.host.docker.internal", "host.docker.internal.evil.example",
	} {
		for _, request := range []string{
			"GET /", "GET /_emulator/", "GET /_emulator/ledger", "GET /_emulator/events",
			"GET /_emulator/health", "POST /_emulator/reset",
			"POST /_emulator/faults", "POST /_emulator/revoke", "GET /_emulator/page/script.js",
		} {
			method, path, _ := strings.Cut(request, " ")
			h.wantProblem(try(method, path, host), http.StatusForbidden, "localhost")
		}
	}
}

func TestAdministrationHeaders(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	for _, path := range []string{
		"/", "/_emulator/", "/_emulator/ledger", "/_emulator/page/script.js",
	} {
		r := h.do(http.MethodGet, path, "")
		policy := strings.Split(r.header.Get("Content-Security-Policy"), "; ")
		for _, directive := range []string{
			"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
			"base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'",
		} {
			if !slices.Contains(policy, directive) {
				t.Errorf("%s: the policy %q lacks %s", path, policy, directive)
			}
		}
		if r.status != http.StatusOK || r.body == "" {
			t.Errorf("%s: got %d %q", path, r.status, r.body)
		}
		if strings.Contains(r.header.Get("Content-Security-Policy"), "unsafe") ||
			r.header.Get("X-Content-Type-Options") != "nosniff" ||
			r.header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: header %v", path, r.header)
		}
	}
}
