package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Health asks the emulator that is named, past a proxy, and fails where none answers.
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
	answers := func(body string) string {
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
		url    string // of the environment
		status int
		want   string
	}{
		"argument":   {[]string{server.URL}, other, exitOK, `{"status":"ok","version":"dev"}`},
		"empty":      {[]string{""}, server.URL, exitOK, `{"status":"ok",`},
		"help":       {[]string{"-h"}, other, exitOK, "notification-emulator health [-wait DURATION] [URL]"},
		"no scheme":  {[]string{"localhost:8080"}, "", exitFailure, "unsupported protocol scheme"},
		"redirect":   {[]string{answers("")}, "", exitFailure, "responded with 302"},
		"not JSON":   {[]string{answers("\x1b[31m")}, "", exitFailure, "is not an emulator"},
		"trouble":    {[]string{answers(`{"status":"no","version":"1"}`)}, "", exitFailure, "is not an emulator"},
		"no version": {[]string{answers(`{"status":"ok"}`)}, "", exitFailure, "is not an emulator"},
		"escape": {
			[]string{answers(`{"status":"ok","version":"\u001b[31m"}`)}, "", exitOK,
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

// What another step started in the background is waited for: the address is in the file before the
// emulator responds.
func TestHealthWaits(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	root := "http://" + listener.Addr().String()
	env := filepath.Join(folder(t), "env")
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan int)
	time.AfterFunc(healthPause, func() {
		_ = listener.Close() // from here on somebody else can have the address
		served <- run(ctx, []string{"serve", "-listen", listener.Addr().String(), "-env-file", env}, nil, nil,
			io.Discard, io.Discard)
	})
	if r := runWith(t, nil, "health", "-wait", "1m", root); r.status != exitOK {
		t.Errorf("got %d, %q", r.status, r.stderr)
	}
	if text, err := os.ReadFile(env); err != nil || !strings.Contains(string(text), "_URL="+root+"\n") {
		t.Errorf("%v, the file holds %q", err, text)
	}
	stop()
	if status := <-served; status != exitOK {
		t.Errorf("serve ended with %d", status)
	}
	if r := runWith(t, nil, "health", "-wait", "60ms", root); r.status != exitFailure ||
		!strings.Contains(r.stderr, "refused") {
		t.Errorf("got %d, %q", r.status, r.stderr)
	}
}
