package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// The command bypasses proxies, and fails unless an emulator responds at the URL.
func TestHealth(t *testing.T) {
	t.Parallel()
	o, status, done := parseOptions("exec", []string{"true"}, io.Discard, io.Discard)
	if done {
		t.Fatalf("got %d", status)
	}
	server := httptest.NewServer(o.emulator)
	t.Cleanup(server.Close)
	const other = "http://127.0.0.1:1"
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
	}))
	t.Cleanup(silent.Close)
	respondsWith := func(body string) string {
		odd := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if body == "" {
				w.Header().Set("Location", server.URL+"/_emulator/health")
				w.WriteHeader(http.StatusFound)
			}
			_, _ = io.WriteString(w, body)
		}))
		t.Cleanup(odd.Close)
		return odd.URL
	}
	for name, test := range map[string]struct {
		args   []string
		url    string // in the environment
		status int
		want   string
	}{
		"argument":   {[]string{server.URL}, other, exitOK, `{"status":"ok","version":"dev"}`},
		"empty":      {[]string{""}, server.URL, exitOK, `{"status":"ok",`},
		"help":       {[]string{"-h"}, other, exitOK, "notification-emulator health [-wait DURATION] [URL]"},
		"no scheme":  {[]string{"localhost:8080"}, "", exitFailure, "unsupported protocol scheme"},
		"redirect":   {[]string{respondsWith("")}, "", exitFailure, "responded with 302"},
		"not JSON":   {[]string{respondsWith("\x1b[31m")}, "", exitFailure, "is not a working emulator"},
		"trouble":    {[]string{respondsWith(`{"status":"no","version":"1"}`)}, "", exitFailure, "is not a working emulator"},
		"no version": {[]string{respondsWith(`{"status":"ok"}`)}, "", exitFailure, "is not a working emulator"},
		"escape": {
			[]string{respondsWith(`{"status":"ok","version":"\u001b[31m"}`)}, "", exitOK,
			`{"status":"ok","version":"\x1b[31m"}`,
		},
		"slash":       {[]string{server.URL + "/"}, "", exitOK, `{"status":"ok",`},
		"environment": {nil, server.URL, exitOK, `{"status":"ok",`},
		"silent":      {nil, silent.URL, exitFailure, "deadline exceeded"},
		"no host":     {[]string{"http://["}, "", exitFailure, "missing ']'"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			env := []string{"NOTIFICATION_EMULATOR_URL=" + test.url, "HTTP_PROXY=http://127.0.0.1:1"}
			status := run(t.Context(), append([]string{"health"}, test.args...), env, nil, &stdout, &stderr)
			if status != test.status || !strings.Contains(stdout.String()+stderr.String(), test.want) ||
				strings.Contains(stdout.String()+stderr.String(), "\x1b") || (stdout.Len() > 0) != (status == exitOK) {
				t.Errorf("got %d, %q, %q", status, &stdout, &stderr)
			}
		})
	}
}

// With -wait, health waits for an emulator that is still starting.
func TestHealthWaits(t *testing.T) {
	t.Parallel()
	responses := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if responses++; responses < 4 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		_, _ = io.WriteString(w, `{"status":"ok","version":"1"}`)
	}))
	if r := runWith(t, nil, "health", "-wait", "1m", server.URL); r.status != exitOK ||
		responses != 4 {
		t.Errorf("got %d, %q after %d responses", r.status, r.stderr, responses)
	}
	server.Close()
	if r := runWith(t, nil, "health", "-wait", "60ms", server.URL); r.status != exitFailure ||
		!strings.Contains(r.stderr, "refused") {
		t.Errorf("got %d, %q", r.status, r.stderr)
	}
}
