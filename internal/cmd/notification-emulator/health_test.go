package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The command bypasses proxies, waits for an emulator that is still starting, and fails unless one
// responds at the URL.
func TestHealth(t *testing.T) {
	t.Parallel()
	requests := 0
	mux := http.NewServeMux()
	mux.HandleFunc("/starting/_emulator/health", func(w http.ResponseWriter, _ *http.Request) {
		if requests++; requests < 4 {
			w.WriteHeader(http.StatusBadGateway)
		}
		_, _ = io.WriteString(w, `{"status":"ok","version":"\u001b[31m"}`)
	})
	mux.Handle("/elsewhere/", http.RedirectHandler("/starting/_emulator/health", http.StatusFound))
	mux.HandleFunc("/silent/", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	for path, body := range map[string]string{
		"/text/": "\x1b[31m", "/trouble/": `{"status":"no","version":"1"}`, "/other/": `{"status":"ok"}`,
	} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, body)
		})
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	const running = `{"status":"ok","version":"\x1b[31m"}`
	const proxy, unreachable = "HTTP_PROXY=http://127.0.0.1:1", "http://127.0.0.1:1"
	for _, test := range []struct {
		fromEnvironment string
		args            []string
		status          int
		says            string
	}{
		{unreachable, []string{"-wait", "1m", server.URL + "/starting/"}, exitOK, running},
		{server.URL + "/starting", nil, exitOK, running},
		{server.URL + "/starting", []string{"-wait", "60ms", unreachable}, exitFailure, "127.0.0.1:1"},
		{server.URL + "/elsewhere", nil, exitFailure, "responded with 302"},
		{server.URL + "/text", nil, exitFailure, "is not a working emulator"},
		{server.URL + "/trouble", nil, exitFailure, "is not a working emulator"},
		{server.URL + "/other", nil, exitFailure, "is not a working emulator"},
		{server.URL + "/silent", nil, exitFailure, "deadline exceeded"},
		{"localhost:8080", nil, exitFailure, "unsupported protocol scheme"},
		{"http://[", nil, exitFailure, "missing ']'"},
	} {
		r := runWith(t, []string{proxy, "NOTIFICATION_EMULATOR_URL=" + test.fromEnvironment},
			append([]string{"health"}, test.args...)...)
		if r.status != test.status || !strings.Contains(r.stdout+r.stderr, test.says) ||
			strings.Contains(r.stdout+r.stderr, "\x1b") || (r.stdout != "") != (r.status == exitOK) {
			t.Errorf("%+v: got %+v", test, r)
		}
	}
	if requests != 5 {
		t.Errorf("%d requests to the emulator", requests)
	}
}
