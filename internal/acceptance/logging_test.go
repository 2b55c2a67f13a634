package acceptance

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The provider writes log lines whenever a variable asks for them.
func TestLogsWhenAskedFor(t *testing.T) {
	t.Parallel()
	const (
		own = "Request answered"
		sdk = "Received request" // of the protocol server
	)
	for name, test := range map[string]struct {
		environment map[string]string
		own, sdk    bool
	}{
		"TF_LOG":          {map[string]string{"TF_LOG": "TRACE"}, true, true},
		"TF_LOG at DEBUG": {map[string]string{"TF_LOG": "DEBUG"}, true, false},
		"TF_LOG_PROVIDER": {map[string]string{"TF_LOG_PROVIDER": "TRACE"}, true, true},
		"TF_LOG_PROVIDER and SDK": {
			map[string]string{"TF_LOG_PROVIDER": "TRACE", "TF_LOG_SDK": "OFF"}, true, false,
		},
		"TF_LOG_CORE": {map[string]string{"TF_LOG_CORE": "TRACE"}, false, false},
		"TF_LOG_PROVIDER_NOTIFICATION": {map[string]string{
			"TF_LOG_PROVIDER": "TRACE", "TF_LOG_PROVIDER_NOTIFICATION": "OFF",
		}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t, nil)
			path := filepath.Join(w.dir, "log")
			w.setenv("TF_LOG_PATH", path)
			for variable, value := range test.environment {
				w.setenv(variable, value)
			}
			w.write(t, many(1, "one", "1"))
			w.apply(t)
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(string(content), own); got != test.own {
				t.Errorf("own lines: %t", got)
			}
			if got := strings.Contains(string(content), sdk); got != test.sdk {
				t.Errorf("lines of the SDK: %t", got)
			}
		})
	}
}

// Bytes that follow an answer, where there should be none, are in no log, not even in that of
// net/http.
func TestBytesBeyondAnAnswer(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/oauth2/token" {
			_, _ = io.WriteString(w, `{"access_token":"canary-token"}`)
			return
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 204 No Content\r\n\r\n{\"echo\":\"canary-token\"}")
		_, _ = io.Copy(io.Discard, conn) // until the provider closes it
		_ = conn.Close()
	}))
	t.Cleanup(server.Close)
	w := newWorkspace(t, nil)
	w.setenv("NOTIFICATION_AUTH_URL", server.URL)
	w.setenv("NOTIFICATION_BASE_URL", server.URL)
	w.setenv("TF_LOG", "TRACE")
	w.write(t, many(20, "one", "1"))
	output := w.apply(t)
	if strings.Contains(output, "canary-token") || !strings.Contains(output, "Request answered") {
		t.Error(output)
	}
}
