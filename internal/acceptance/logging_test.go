package acceptance

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

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
	w.write(t, many(5, "one", "1"))
	// One after the other: net/http could take the bytes for the answer to a request beside it.
	output := w.apply(t, "-parallelism=1")
	if strings.Contains(output, "canary-token") || !strings.Contains(output, "Request answered") {
		t.Error(output)
	}
}
