package acceptance

import (
	"bytes"
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

// Without such a variable, the provider writes nothing that Terraform would have to read.
func TestQuietOtherwise(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	stderr := filepath.Join(w.dir, "stderr")
	wrapper := filepath.Join(t.TempDir(), "terraform-provider-notification")
	script := "#!/bin/sh\nexec '" + filepath.Join(filepath.Dir(cliConfig),
		"terraform-provider-notification") + "' \"$@\" 2>>'" + stderr + "'\n"
	config := filepath.Join(filepath.Dir(wrapper), "terraform.rc")
	if err := os.WriteFile(wrapper, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(config, overrides(filepath.Dir(wrapper), ""), 0o600); err != nil {
		t.Fatal(err)
	}
	w.setenv("TF_CLI_CONFIG_FILE", config)
	w.write(t, many(1, "one", "1"))
	w.apply(t)
	content, err := os.ReadFile(stderr)
	if err != nil || lines(content) > 0 {
		t.Errorf("%v, %d lines: %.2000s", err, lines(content), content)
	}
	w.setenv("TF_LOG_PROVIDER", "TRACE")
	w.must(t, "plan", "-input=false")
	if content, err = os.ReadFile(stderr); err != nil || lines(content) == 0 {
		t.Errorf("this cannot tell: nothing is written with TF_LOG_PROVIDER either, %v", err)
	}
}

// lines counts the lines of the SDK and the provider; go-plugin adds a few of its own.
func lines(content []byte) int {
	return bytes.Count(content, []byte(`"@module":"sdk`)) + bytes.Count(content,
		[]byte(`"@module":"notification`))
}
