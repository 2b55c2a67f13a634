package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Health asks the emulator that is named, past a proxy, and fails where none answers.
func TestHealth(t *testing.T) {
	t.Parallel()
	o, status, done := parseOptions("exec", []string{"--allow-host", "a.b", "true"}, nil, io.Discard,
		io.Discard)
	if done {
		t.Fatalf("got %d", status)
	}
	server := httptest.NewServer(o.emulator)
	t.Cleanup(server.Close)
	other := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(other.Close)
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
	}))
	t.Cleanup(silent.Close)
	for name, test := range map[string]struct {
		args   []string
		url    string // of the environment
		status int
		want   string
	}{
		"argument":    {[]string{server.URL}, other.URL, exitOK, `{"status":"ok","version":"dev",`},
		"slash":       {[]string{server.URL + "/"}, "", exitOK, `{"status":"ok",`},
		"environment": {nil, server.URL, exitOK, `{"status":"ok",`},
		"another":     {nil, other.URL, exitFailure, "404 Not Found"},
		"silent":      {nil, silent.URL, exitFailure, "deadline exceeded"},
		"no host":     {[]string{"http://["}, "", exitFailure, "missing ']'"},
		"no URL":      {[]string{"a b"}, "", exitFailure, "unsupported protocol scheme"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stdout, stderr bytes.Buffer
			env := []string{"NOTIFICATION_EMULATOR_URL=" + test.url, "HTTP_PROXY=http://127.0.0.1:1"}
			status := run(t.Context(), append([]string{"health"}, test.args...), env, nil, &stdout, &stderr)
			if status != test.status || !strings.Contains(stdout.String()+stderr.String(), test.want) ||
				(stdout.Len() > 0) != (status == exitOK) {
				t.Errorf("got %d, %q, %q", status, &stdout, &stderr)
			}
		})
	}
	for host, want := range map[string]int{"a.b": http.StatusOK, "b.a": http.StatusForbidden} {
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodGet, "/_emulator/ledger", nil)
		r.Host = host
		if o.emulator.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%s: got %d", host, w.Code)
		}
	}
}
