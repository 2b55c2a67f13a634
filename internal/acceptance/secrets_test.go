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
	"testing"
)

// canaries are the secrets of a run, each easy to find in a text.
var canaries = []string{
	"canary-client-secret", "canary-access-token", "canary-gateway-key", "canary-field",
}

// newEchoService starts a service that repeats every secret that it receives, in as many ways as it
// can. It accepts every second submission.
func newEchoService(t *testing.T) *httptest.Server {
	t.Helper()
	submissions := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // as far as it arrived
		echo := fmt.Sprintf("Authorization %s, key %s, body %s", r.Header.Get("Authorization"),
			r.Header.Get("X-Gateway-Key"), body)
		w.Header().Set("X-Request-Id", "request of "+r.Header.Get("Authorization"))
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/oauth2/token":
			_, _ = fmt.Fprint(w,
				`{"access_token":"canary-access-token","token_type":"Bearer","expires_in":3600}`)
		case "/refused/oauth2/token":
			w.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprintf(w, `{"error":"invalid_client","error_description":%q}`, echo)
		case "/notifications/v1":
			if submissions++; submissions%2 == 1 {
				w.Header().Set("Location", "https://example.com/?token=canary-access-token")
				w.WriteHeader(http.StatusUnprocessableEntity)
				_, _ = fmt.Fprintf(w, `{"detail":%q}`, echo)
				return
			}
			_, _ = fmt.Fprint(w, `{"notification_id":"n1"}`)
		default:
			w.WriteHeader(http.StatusNotFound)
			_, _ = fmt.Fprintf(w, "<html><body>%s</body></html>", echo)
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// With TF_LOG=TRACE no file and no output contains a secret, whether the run succeeds or fails.
func TestNoSecretAnywhere(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	service := newEchoService(t)
	w.setenv("NOTIFICATION_AUTH_URL", service.URL)
	w.setenv("NOTIFICATION_BASE_URL", service.URL)
	w.setenv("TF_LOG", "TRACE")
	w.setenv("TF_LOG_PATH", filepath.Join(w.dir, "trace.log"))
	w.setenv("TF_LOG_SDK_PROTO_DATA_DIR", w.dir)
	// Terraform itself stores the values of variables in the plan, unless they are ephemeral.
	headers, writeOnly := "", ""
	if hasVersion(t, "1.11") {
		headers = `headers = { X-Gateway-Key = var.key }`
		writeOnly = `fields_wo = { key = var.field }`
		w.setenv("TF_VAR_key", "canary-gateway-key")
		w.setenv("TF_VAR_field", "canary-field")
	}
	variables := ""
	if headers != "" {
		const ephemeral = " {\n  type      = string\n  ephemeral = true\n}\n"
		variables = `variable "key"` + ephemeral + `variable "field"` + ephemeral
	}
	config := func(more string) string {
		return variables + `
provider "notification" {
  ` + headers + `
}
resource "notification_notification" "n" {
  priority = "HIGH"
  channels = [{
    type   = "slack"
    fields = { service = "checkout" }
    ` + writeOnly + `
  }]
}
` + more
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
	w.write(t, config(""))
	try(0, "plan", "-input=false", "-out=plan")
	try(0, "show", "-json", "plan")
	try(1, "apply", "-input=false", "plan") // 422
	try(0, "apply", "-input=false", "-auto-approve")
	try(0, "show", "-json")
	w.write(t, config("data \"notification_studies\" \"s\" {\n  name = \"x\"\n}\n"))
	try(1, "apply", "-input=false", "-auto-approve") // 404
	w.setenv("NOTIFICATION_AUTH_URL", service.URL+"/refused")
	try(1, "plan", "-input=false") // invalid_client
	try(0, "destroy", "-input=false", "-auto-approve", "-refresh=false",
		"-target=notification_notification.n")

	found := searchable(t, w.dir)
	found["output"] = printed.Bytes()
	for _, name := range []string{"trace.log", "terraform.tfstate", "plan!tfplan", "output"} {
		if len(found[name]) == 0 {
			t.Errorf("nothing to search in %s", name)
		}
	}
	if !bytes.Contains(found["trace.log"], []byte("Request answered")) {
		t.Error("the log does not hold the provider's lines")
	}
	if !strings.Contains(printed.String(), "***") {
		t.Error("no answer repeated a secret; this tests nothing")
	}
	for name, content := range found {
		for _, canary := range canaries {
			if at := bytes.Index(content, []byte(canary)); at >= 0 {
				t.Errorf("%s holds %s: …%q…", name, canary,
					content[max(0, at-200):min(len(content), at+60)])
			}
		}
	}
}

// searchable returns all files below dir, and the members of archives such as plans.
func searchable(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if found[name], err = os.ReadFile(path); err != nil {
			return err
		}
		archive, err := zip.OpenReader(path)
		if err != nil {
			return nil // not an archive
		}
		defer func() { _ = archive.Close() }() // opened to read
		for _, member := range archive.File {
			file, err := member.Open()
			if err != nil {
				return err
			}
			if found[name+"!"+member.Name], err = io.ReadAll(file); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
