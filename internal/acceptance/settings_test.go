package acceptance

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// Wrong values in the provider block are errors of validate, without credentials, and so of a plan.
// Once they are right, the plan names what is missing, as lines to copy.
func TestValidateFindsWrongSettings(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	for _, name := range []string{"AUTH_URL", "BASE_URL", "CLIENT_ID", "CLIENT_SECRET"} {
		w.setenv("NOTIFICATION_"+name, "")
	}
	const config = `
variable "secret" {}
provider "notification" {
  base_url      = "BASE"
  max_retries   = RETRIES
  client_secret = var.secret
  headers       = { HEADER = "canary" }
}
`
	with := func(base, retries, header string) string {
		return strings.NewReplacer("BASE", base, "RETRIES", retries, "HEADER", header).Replace(config) +
			many(1, "one", "1")
	}
	w.write(t, with("ftp://notifications.example.com", "99", "Host"))
	output, status := w.terraform(t, "validate", "-no-color")
	for _, want := range []string{
		"Invalid provider setting base_url", "absolute URL", "whole number from 0 to 10", `"Host"`,
	} {
		if status != 1 || !strings.Contains(output, want) {
			t.Errorf("exit status %d, does not say %q:\n%s", status, want, output)
		}
	}
	if strings.Count(output, "Error: ") != 3 || strings.Contains(output, "Missing") {
		t.Errorf("it says more:\n%s", output)
	}
	w.write(t, with("https://notifications.example.com", "9", "X-Key"))
	w.must(t, "validate")
	output, status = w.plan(t, "-var=secret=x")
	if status != 1 || strings.Count(output, "Error: ") != 1 || strings.Count(output, "export ") != 2 ||
		!strings.Contains(output, `export NOTIFICATION_AUTH_URL="https://unused.invalid"`+"\n") ||
		!strings.Contains(output, `export NOTIFICATION_CLIENT_ID="placeholder"`+"\n") {
		t.Errorf("exit status %d:\n%s", status, output)
	}
}

// A plan succeeds although a secret is created in the same run. Only a lookup that is made during
// the plan fails; the error names the setting.
func TestUnknownSecret(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.useFakeProvider(t)
	w.setenv("NOTIFICATION_CLIENT_SECRET", "canary-wrong")
	config := `
resource "fake_later" "secret" {
  input = "` + testSecret + `"
}
provider "notification" {
  client_secret = fake_later.secret.output
}
`
	w.write(t, config+lookup)
	if output, status := w.plan(t); status != 1 ||
		!strings.Contains(words(output), "known only after apply: client_secret.") {
		t.Errorf("exit status %d\n%s", status, output)
	}
	w.silent(t, "a secret that is not known yet")
	w.write(t, config+oneNotification)
	w.apply(t)
	w.write(t, config+oneNotification+lookup)
	w.apply(t)
	w.submittedOnce(t, 1)
}

// With check_credentials, wrong credentials fail a plan that will submit, once, however many
// notifications it holds. Terraform plans what is pending before a destroy too, unless told not to.
func TestCheckCredentials(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.setenv("NOTIFICATION_CHECK_CREDENTIALS", "true")
	tokens := func(while string, want int) {
		t.Helper()
		if ledger := w.Ledger(); ledger.TokenRequests != want ||
			len(ledger.Requests) != want+ledger.SubmissionRequests {
			t.Errorf("%s: %d token requests, want %d", while, ledger.TokenRequests, want)
		}
		w.ClearLedger()
	}
	fails := func(args ...string) {
		t.Helper()
		output, status := w.terraform(t, append(args, "-no-color", "-input=false")...)
		if status != 1 || strings.Count(output, "invalid_client") != 1 ||
			strings.Count(output, "Error: ") != 1 {
			t.Errorf("exit status %d:\n%s", status, output)
		}
		tokens(args[0], 1)
	}
	w.write(t, many(20, "one", "1"))
	w.setenv("NOTIFICATION_CLIENT_SECRET", "canary-wrong")
	fails("plan")

	w.setenv("NOTIFICATION_CLIENT_SECRET", testSecret)
	w.must(t, "plan", "-out=saved.tfplan", "-input=false")
	tokens("a plan", 1)
	w.must(t, "apply", "saved.tfplan")
	w.submittedOnce(t, 20)
	tokens("its apply", 1)

	w.setenv("NOTIFICATION_CLIENT_SECRET", "canary-wrong")
	fails("plan", "-replace="+address+"[\"3\"]")
	w.write(t, many(20, "one", "2"))
	fails("destroy", "-auto-approve")
	w.must(t, "destroy", "-auto-approve", "-refresh=false", "-input=false")
	tokens("a destroy without a refresh", 0)
	if left := w.instances(t); len(left) != 0 {
		t.Errorf("%d notifications are left", len(left))
	}
}

// Requests to this machine go past a proxy, however its name is spelt: plain http is only allowed
// because they do.
func TestNoProxyForThisMachine(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	var proxied atomic.Int32
	proxy := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		proxied.Add(1)
	}))
	t.Cleanup(proxy.Close)
	w.setenv("HTTP_PROXY", proxy.URL)
	_, port, _ := strings.Cut(strings.TrimPrefix(w.getenv("NOTIFICATION_BASE_URL"), "http://"), ":")
	w.setenv("NOTIFICATION_AUTH_URL", "http://localhost.:"+port)
	w.setenv("NOTIFICATION_BASE_URL", "http://LocalHost:"+port)
	w.write(t, oneNotification)
	w.apply(t)
	w.submittedOnce(t, 1)
	if n := proxied.Load(); n > 0 {
		t.Errorf("%d requests went to the proxy", n)
	}
}
