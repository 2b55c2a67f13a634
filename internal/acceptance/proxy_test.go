//go:build unix

package acceptance

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// A proxy that repeats its credentials, in a response or in a malformed one, does not make them
// appear in an error or the log.
func TestProxyCredentialsAreSecret(t *testing.T) {
	t.Parallel()
	const password, pair, inBase64 = "canary/pass", "bob:canary/pass", "Ym9iOmNhbmFyeS9wYXNz"
	const alone = "Y2FuYXJ5L3Bhc3M6" // the password as a user, such as a token, in base64
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got := r.Header.Get("Proxy-Authorization")
		if got != "Basic "+inBase64 && got != "Basic "+alone {
			t.Errorf("%s has the credentials %q", r.URL, got)
		}
		if r.URL.Path == "/oauth2/token" {
			w.WriteHeader(http.StatusProxyAuthRequired)
			_, _ = io.WriteString(w, "bad proxy credentials "+pair+" or "+password)
			return
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = fmt.Fprintf(conn, "HTTP/1.1 %s\r\n\r\n", inBase64)
		_ = conn.Close()
	}))
	t.Cleanup(proxy.Close)
	w := newWorkspace(t, nil)
	w.setenv("HTTP_PROXY", strings.Replace(proxy.URL, "//", "//bob:canary%2Fpass@", 1))
	w.setenv("NOTIFICATION_ALLOW_INSECURE_HTTP", "true")
	w.setenv("NOTIFICATION_BASE_URL", "http://service.invalid")
	w.setenv("NOTIFICATION_MAX_RETRIES", "0")
	w.setenv("TF_LOG", "TRACE")
	w.setenv("TF_LOG_PATH", filepath.Join(w.dir, "trace.log"))
	w.write(t, oneNotification)
	fail := func(want string) {
		t.Helper()
		output, status := w.terraform(t, "apply")
		if status != 1 || !strings.Contains(output, want) {
			t.Errorf("exit status %d, want %q in %s", status, want, output)
		}
		w.keepSecret(t, output, password, inBase64)
	}
	fail("(not shown, since it repeats a secret)") // from the submission
	w.setenv("NOTIFICATION_AUTH_URL", "http://service.invalid")
	fail("credentials *** or ***")
	w.setenv("HTTP_PROXY", strings.Replace(proxy.URL, "//", "//canary%2Fpass@", 1))
	fail("credentials bob:*** or ***")
}
