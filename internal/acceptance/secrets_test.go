package acceptance

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// echoService repeats every secret that it receives, in as many ways as it can, even after the end
// of the response to a token request. It accepts every submission but the first.
func echoService(t *testing.T) http.Handler {
	t.Helper()
	var submissions atomic.Int32
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // as far as it arrived
		echo := fmt.Sprintf("Authorization %s, key %s, body %s", r.Header.Get("Authorization"),
			r.Header.Get("X-Gateway-Key"), body)
		w.Header().Set("X-Request-Id", "request of "+r.Header.Get("Authorization"))
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.URL.Path == "/oauth2/token":
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			const token = `{"access_token":"canary-access-token","token_type":"Bearer","expires_in":3600}`
			_, _ = fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s%s", len(token),
				token, body)
			_, _ = io.Copy(io.Discard, conn) // until the provider closes it
			_ = conn.Close()
		case r.URL.Path == "/refused/oauth2/token":
			w.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprintf(w, `{"error":"invalid_client","error_description":%q}`, echo)
		case r.URL.Path != "/notifications/v1":
			w.WriteHeader(http.StatusNotFound)
			_, _ = fmt.Fprintf(w, "<html><body>%s</body></html>", echo)
		case submissions.Add(1) == 1:
			w.Header().Set("Location", "https://example.com/?token=canary-access-token")
			w.WriteHeader(http.StatusUnprocessableEntity)
			_, _ = fmt.Fprintf(w, `{"detail":%q}`, echo)
		default:
			_, _ = fmt.Fprint(w, `{"notification_id":"n1"}`)
		}
	})
}

// With TF_LOG=TRACE no file and no output contains a secret, whether the run succeeds or fails.
func TestNoSecretAnywhere(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	service := httptest.NewServer(echoService(t))
	t.Cleanup(service.Close)
	w.setenv("NOTIFICATION_AUTH_URL", service.URL)
	w.setenv("NOTIFICATION_BASE_URL", service.URL)
	w.setenv("TF_LOG", "TRACE")
	w.setenv("TF_LOG_PATH", filepath.Join(w.dir, "trace.log"))
	w.setenv("TF_LOG_SDK_PROTO_DATA_DIR", w.dir)
	config := `
resource "notification_notification" "n" {
  priority = "HIGH"
  channels = [{ type = "slack", fields = { service = "checkout" } }]
}
`
	// Terraform itself stores the values of variables in the plan, unless they are ephemeral.
	if hasVersion(t, "1.11") {
		w.setenv("TF_VAR_key", "canary-gateway-key")
		w.setenv("TF_VAR_field", "canary-field")
		config = strings.Replace(config, "}]", ", fields_wo = { key = var.field } }]", 1) + `
variable "key" {
  type      = string
  ephemeral = true
}
variable "field" {
  type      = string
  ephemeral = true
}
provider "notification" {
  headers = { X-Gateway-Key = var.key }
}
`
	}
	var printed bytes.Buffer
	try := func(want int, args ...string) {
		t.Helper()
		output, status := w.terraform(t, args...)
		printed.WriteString(output)
		if status != want {
			t.Errorf("terraform %v: exit status %d, want %d\n%s", args, status, want, output)
		}
	}
	w.write(t, config)
	try(0, "plan", "-out=plan")
	try(1, "apply", "plan") // 422
	try(0, "apply")
	try(0, "show", "-json")
	w.write(t, config+"data \"notification_studies\" \"s\" {\n  name = \"x\"\n}\n")
	try(1, "apply") // 404
	w.setenv("NOTIFICATION_AUTH_URL", service.URL+"/refused")
	try(1, "plan") // invalid_client

	found := w.keepSecret(t, printed.String(),
		testSecret, "canary-access-token", "canary-gateway-key", "canary-field")
	for _, name := range []string{"terraform.tfstate", "plan!tfplan"} {
		if found[name] == "" {
			t.Errorf("nothing to search in %s", name)
		}
	}
	if !strings.Contains(found["trace.log"], "Received response") ||
		!strings.Contains(found["output"], "***") {
		t.Error("the log has no lines of the provider, or no response repeated a secret")
	}
}

// keepSecret fails the test if the output of commands, or a file of the workspace, contains a secret.
// It returns what it searched.
func (w *workspace) keepSecret(t *testing.T, output string, secrets ...string) map[string]string {
	t.Helper()
	found := searchable(t, w.dir)
	found["output"] = output
	for name, content := range found {
		for _, secret := range secrets {
			if at := strings.Index(content, secret); at >= 0 {
				t.Errorf("%s contains %s: …%q…", name, secret,
					content[max(0, at-200):min(len(content), at+60)])
			}
		}
	}
	return found
}

// searchable returns all files below dir, and the members of archives such as plans.
func searchable(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	files := os.DirFS(dir)
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		found[name] = string(content)
		if archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content))); err == nil {
			for _, member := range archive.File {
				content, err := fs.ReadFile(archive, member.Name)
				if err != nil {
					return err
				}
				found[name+"!"+member.Name] = string(content)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
