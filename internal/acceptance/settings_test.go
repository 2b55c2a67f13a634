package acceptance

import (
	"os"
	"strings"
	"testing"
)

// validate finds invalid values in the provider block, without credentials.
func TestValidateFindsWrongSettings(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	for _, name := range []string{"AUTH_URL", "BASE_URL", "CLIENT_ID", "CLIENT_SECRET"} {
		w.setenv("NOTIFICATION_"+name, "")
	}
	w.write(t, `
variable "secret" {}
provider "notification" {
  base_url      = "ftp://notifications.example.com"
  max_retries   = 99
  client_secret = var.secret
  headers       = { Host = "canary" }
}
`+many(1, "one", "1"))
	output, status := w.terraform(t, "validate", "-no-color")
	for _, want := range []string{
		"base_url", "absolute URL", "max_retries", "whole number from 0 to 10", `"Host"`,
	} {
		if status != 1 || !strings.Contains(output, want) {
			t.Errorf("exit status %d, does not say %q:\n%s", status, want, output)
		}
	}
	if strings.Contains(output, "Error: Missing") {
		t.Errorf("asks for credentials:\n%s", output)
	}
	output, status = w.terraform(t, "plan", "-no-color", "-input=false", "-var=secret=x")
	for _, want := range []string{
		"absolute URL", "whole number", `"Host"`, "Missing provider setting auth_url",
		"NOTIFICATION_CLIENT_ID",
	} {
		if status != 1 || !strings.Contains(output, want) {
			t.Errorf("plan: exit status %d, does not say %q:\n%s", status, want, output)
		}
	}
}

// A plan finds invalid settings, before anything is sent.
func TestWrongSettings(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.setenv("NOTIFICATION_CA_CERT_PEM", "not PEM")
	w.setenv("NOTIFICATION_MAX_RETRIES", "11")
	w.write(t, many(1, "one", "1"))
	w.must(t, "validate") // needs no settings
	output, status := w.terraform(t, "plan", "-no-color", "-input=false")
	if status != 1 || !strings.Contains(output, "ca_cert_pem") ||
		!strings.Contains(output, "max_retries") {
		t.Errorf("exit status %d\n%s", status, output)
	}
	w.silent(t, "a wrong setting")
	if _, err := os.Stat(w.dir + "/terraform.tfstate"); !os.IsNotExist(err) {
		t.Errorf("there is a state: %v", err)
	}
}
