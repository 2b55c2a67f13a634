package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
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
		_, _ = io.WriteString(w, `{"status":"ok","version":"1.2.3"}`)
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
	const unreachable = "http://127.0.0.1:1"
	for _, test := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"-wait", "1m", server.URL + "/starting/"}, exitOK, ""},
		{[]string{server.URL + "/starting"}, exitOK, ""},
		{[]string{"-wait", "60ms", unreachable}, exitFailure, "127.0.0.1:1"},
		{[]string{server.URL + "/elsewhere"}, exitFailure, "responded with 302, not as an emulator does"},
		{[]string{server.URL + "/text"}, exitFailure, "responded with 200, not as an emulator does"},
		{[]string{server.URL + "/trouble"}, exitFailure, "responded with 200, not as an emulator does"},
		{[]string{server.URL + "/other"}, exitFailure, "responded with 200, not as an emulator does"},
		{[]string{server.URL + "/silent"}, exitFailure, "deadline exceeded"},
		{[]string{"http://["}, exitFailure, "missing ']'"},
		{[]string{"127.0.0.1:8080"}, exitUsage, `"127.0.0.1:8080" is no URL: it must begin with http://`},
	} {
		r := runWith(t, nil, append([]string{"health"}, test.args...)...)
		if r.status != test.status || r.stdout != "" || !strings.Contains(r.stderr, test.says) ||
			(r.stderr == "") != (test.says == "") || strings.Contains(r.stderr, "\x1b") {
			t.Errorf("%+v: got %+v", test, r)
		}
	}
	if requests != 5 {
		t.Errorf("%d requests to the emulator", requests)
	}
	// A process reads the proxies once, and uses none for loopback addresses such as server.URL.
	direct := exec.CommandContext(t.Context(), os.Args[0], "health", "http://0.0.0.0:1/starting")
	direct.Env = []string{"HTTP_PROXY=" + server.URL}
	if text, err := direct.CombinedOutput(); err == nil || requests != 5 {
		t.Errorf("it used the proxy: %s", text)
	}
}

// Whoever waits until the emulator responds can use its exports, and the file of -env-file.
func TestServeRespondsAfterExports(t *testing.T) {
	t.Parallel()
	exports, stdout := io.Pipe()
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		run(ctx, []string{"serve", "-listen", "127.0.0.1:0"}, nil, nil, stdout, io.Discard)
		_ = stdout.Close() // always nil
	}()
	root := ""
	_, err := fmt.Fscanf(exports, "# The emulator's web UI is at %s", &root) // the rest is not written
	early, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	if health(early, strings.TrimSuffix(root, ";")+"/_emulator/health") == nil || err != nil {
		t.Errorf("it responds at %q before the exports are written; %v", root, err)
	}
	stop()
	_, _ = io.Copy(io.Discard, exports) // until it has ended
}
