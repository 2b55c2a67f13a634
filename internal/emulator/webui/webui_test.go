package webui

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHandler(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		request, contentType, content string
		status                        int
	}{
		{"GET /", "text/html; charset=utf-8", "<!doctype html>", 200},
		{"GET /_emulator/", "text/html; charset=utf-8", "<!doctype html>", 200},
		{"GET /favicon.ico", "image/svg+xml", "<svg", 200},
		{"GET /_emulator/webui/icon.svg", "image/svg+xml", "<svg", 200},
		{"GET /_emulator/webui/script.js", "text/javascript; charset=utf-8", "'use strict'", 200},
		{"GET /_emulator/webui/style.css", "text/css; charset=utf-8", ":root", 200},
		{"GET /_emulator/webui/webui.go", "", "", 404},
		{"GET /_emulator/webui/", "", "", 404},
		{"POST /", "", "", 405},
	} {
		method, path, _ := strings.Cut(test.request, " ")
		w := httptest.NewRecorder()
		Handler().ServeHTTP(w, httptest.NewRequest(method, path, nil))
		if w.Code != test.status {
			t.Errorf("%s: status %d", test.request, w.Code)
		}
		if w.Code != http.StatusOK {
			continue
		}
		if got := w.Header().Get("Content-Type"); got != test.contentType ||
			!strings.Contains(w.Body.String(), test.content) {
			t.Errorf("%s: %s\n%s", test.request, got, w.Body)
		}
		for name, want := range map[string]string{
			"Content-Security-Policy": contentSecurityPolicy,
			"Referrer-Policy":         "no-referrer",
		} {
			if got := w.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q", test.request, name, got)
			}
		}
	}
}
