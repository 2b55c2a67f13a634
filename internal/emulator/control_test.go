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
	token := h.token()
	first := h.submit(token, minimal, "k")

	cleared := h.do(http.MethodDelete, "/_emulator/ledger", "")
	const empty = `,"other_requests":0,"submissions":[],"requests":[]}` // not null
	if r := h.do(http.MethodGet, "/_emulator/ledger", ""); !strings.HasSuffix(r.body, empty) {
		t.Errorf("after clearing, the ledger is %s", r.body)
	}
	again := h.submit(token, minimal, "k")
	if again.body != first.body || h.Faults()["studies"] != "hang,repeat" {
		t.Errorf("clearing the ledger removed the key or the faults: %+v", again)
	}

	reset := h.do(http.MethodPost, "/_emulator/reset", "")
	if l := h.Ledger(); len(l.Requests) != 0 || h.Faults()["studies"] != "" {
		t.Errorf("after the reset: ledger %+v, faults %v", l, h.Faults())
	}
	if r := h.submit(token, minimal, "k"); r.status != 201 || r.body == first.body ||
		cleared.status != http.StatusNoContent || reset.status != http.StatusNoContent {
		t.Errorf("the reset kept the key: %+v; clearing got %+v, the reset %+v", r, cleared, reset)
	}
	h.do(http.MethodPut, "/_emulator", "")
	h.do(http.MethodPut, "/_emulator/studies/v1", "")
	if n := len(h.Ledger().Requests); n != 1 {
		t.Errorf("got %d recorded requests, want 1", n)
	}
}

// A request that sets faults returns what is left of all. A wrong one changes nothing.
func TestControlFaults(t *testing.T) {
	t.Parallel()
	const path = "/_emulator/faults"
	h := newHarness(t, Config{Faults: Faults{"studies": "hang,repeat"}})
	set := h.do(http.MethodPost, path,
		`{"submission":"pass*2,status:429:0,repeat","token":"html*2"}`)
	h.requestToken(credentials())
	h.submit("x", minimal)
	for _, wrong := range []string{
		``, `null`, `[]`, `{"token":""} x`,
		`{"token":1}`, `{"studies":null}`, `{"all":"pass"}`, `{"token":"empty","submission":"oops"}`,
	} {
		h.wantProblem(h.do(http.MethodPost, path, wrong), http.StatusBadRequest, "")
	}
	left := h.do(http.MethodGet, path, "")
	unset := h.do(http.MethodPost, path, `{"studies":""}`)
	deletion := h.do(http.MethodDelete, path, "")
	none := h.do(http.MethodGet, path, "")
	for _, test := range []struct {
		got  result
		want string
	}{
		{set, `{"studies":"hang,repeat","submission":"pass*2,status:429:0,repeat","token":"html*2"}`},
		{left, `{"studies":"hang,repeat","submission":"pass,status:429:0,pass,repeat","token":"html"}`},
		{unset, `{"studies":"","submission":"pass,status:429:0,pass,repeat","token":"html"}`},
		{deletion, ""},
		{none, `{"studies":"","submission":"","token":""}`},
	} {
		if test.got.status >= 300 || test.got.body != test.want {
			t.Errorf("got %d %s, want %s", test.got.status, test.got.body, test.want)
		}
	}
}

// The web UI is at / unless the service has a path there, which then takes precedence.
func TestWebUI(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Version: "1.2.3"})
	for path, want := range map[string]struct{ contentType, content string }{
		"/_emulator/health":    {jsonType, `","status":"ok","version":"1.2.3"}`}, // after started
		"/":                    {"text/html; charset=utf-8", "<title>Notification emulator"},
		"/_emulator/":          {"text/html; charset=utf-8", "<title>Notification emulator"},
		"/_emulator/icon.svg":  {"image/svg+xml", "<svg"},
		"/_emulator/script.js": {"text/javascript; charset=utf-8", "'use strict'"},
		"/_emulator/style.css": {"text/css; charset=utf-8", ":root"},
	} {
		r := h.do(http.MethodGet, path, "")
		if !strings.Contains(r.body, want.content) {
			t.Errorf("%s: got %d %.99s", path, r.status, r.body)
		}
		for name, value := range map[string]string{
			"Content-Type": want.contentType, "Cross-Origin-Resource-Policy": "same-origin",
			"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
			"Referrer-Policy": "no-referrer", "Content-Security-Policy": "default-src 'none'; " +
				"script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
				"form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
		} {
			if got := r.header.Get(name); got != value {
				t.Errorf("%s: %s is %q, want %q", path, name, got, value)
			}
		}
		if r := h.do(http.MethodHead, path, ""); r.status != http.StatusOK {
			t.Errorf("HEAD %s: %d", path, r.status)
		}
	}
	icon := h.do(http.MethodGet, "/favicon.ico", "")
	if icon.header.Get("Location") != "/_emulator/icon.svg" {
		t.Errorf("got %+v", icon)
	}
	h.wantProblem(h.do(http.MethodPost, "/", "{}"), http.StatusNotFound, "nothing at /")
	h = newHarness(t, Config{StudiesPath: "/"})
	h.wantProblem(h.do(http.MethodGet, "/", ""), http.StatusUnauthorized, "missing")
}

// One event is sent at first, and one for any number of simultaneous changes.
func TestEvents(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := newHarness(t, Config{})
		began := time.Now()
		time.AfterFunc(time.Second, func() {
			for range 100 {
				h.ClearLedger()
			}
		})
		time.AfterFunc(2*time.Second, h.ClearLedger)
		time.AfterFunc(time.Minute, h.Close)
		r := h.do(http.MethodGet, "/_emulator/events", "")
		if r.body != "data:\n\ndata:\n\ndata:\n\n" || time.Since(began) != time.Minute ||
			r.header.Get("Content-Type") != "text/event-stream" {
			t.Errorf("got %+v after %s", r, time.Since(began))
		}
	})
}

// A web page of another origin can make a browser send requests, but must not change or read
// anything.
func TestOtherOrigins(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{Faults: Faults{"token": "hang"}})
	for _, path := range []string{
		"/_emulator/faults", "/_emulator/reset", tokenPath, submissionPath,
	} {
		r := h.do(http.MethodPost, path, `{"token":""}`, "Sec-Fetch-Site", "cross-site")
		h.wantProblem(r, http.StatusForbidden, "origin")
	}
	if l := h.Ledger(); len(l.Requests) > 0 || h.Faults()["token"] != "hang" {
		t.Errorf("recorded %+v, faults left %v", l.Requests, h.Faults())
	}
	r := h.do(http.MethodPost, "/_emulator/faults", "{}", "Origin", "http://localhost:8080")
	if r.status != http.StatusOK {
		t.Errorf("the web UI got %+v", r)
	}
}

// By DNS rebinding, a web page of another site has the same origin, under the name of that site.
func TestHosts(t *testing.T) {
	t.Parallel()
	h := newHarness(t, Config{})
	for host, allowed := range map[string]bool{
		"localhost": true, "LOCALHOST:8080": true, "a.localhost": true, "localhost.": true,
		"127.0.0.1:1": true, "192.168.1.7": true, "[::1]:80": true, "emulator:8080": true,
		"host.docker.internal:8080": true, "HOST.docker.internal": true, "emulator.ci.svc": true,
		"host.docker.internal.:80": true, "a.svc.cluster.local": true, "emulator.test": true,

		"evil.example": false, "evil.example:8080": false, "localhost.evil.example": false,
		"127.0.0.1.evil.example": false, "evil.": false, "evil..": false, "localhost..": false,
		"host.docker.internal.evil.example": false, "evilinternal.example": false, ".test": false,
		"eviltest": true, "evil.mytest": false,
	} {
		for _, path := range []string{"/", "/_emulator/ledger", "/_emulator/script.js"} {
			request := h.request(http.MethodGet, path, "")
			request.Host = host
			if r := h.send(request); allowed && r.status != http.StatusOK {
				t.Errorf("%s is rejected: %+v", host, r)
			} else if !allowed {
				h.wantProblem(r, http.StatusForbidden, "localhost")
			}
		}
	}
}
