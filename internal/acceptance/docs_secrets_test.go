//go:build unix

package acceptance

import (
	"strings"
	"testing"
)

// The secrets manager is asked in each plan and each apply: what was rotated between them is used,
// nothing of it is kept, and a rotation by itself sends nothing.
func secretsManagerExample(t *testing.T, path string) {
	w := newExample(t, path, nil)
	w.useFakeProvider(t)
	w.put(t, "main.tf", strings.NewReplacer(
		"hashicorp/vault", "hashicorp/fake", "~> 5.0", ">= 0", "vault", "fake",
	).Replace(examples(t)[path]))
	w.setenv("NOTIFICATION_CLIENT_SECRET", "")
	w.setenv("NOTIFICATION_CHECK_CREDENTIALS", "true")
	const oldCode, newCode = "canary-old-code", "canary-new-code"
	manager := func(secret, code string) {
		w.put(t, "secret/notification", `{"client_secret":"`+secret+`"}`)
		w.put(t, "secret/invitation", `{"code":"`+code+`"}`)
	}
	manager(testSecret+"-old", oldCode)
	if out, status := w.plan(t); status != 1 ||
		!strings.Contains(words(out), "Unable to obtain an access token") {
		t.Errorf("with a secret that was rotated: exit status %d\n%s", status, out)
	}
	w.setenv("NOTIFICATION_CHECK_CREDENTIALS", "")
	w.must(t, "plan", "-input=false", "-out=saved.tfplan")
	manager(testSecret, newCode)
	w.must(t, "apply", "-input=false", "saved.tfplan")
	manager(testSecret, oldCode)
	w.settled(t, "a rotation")
	w.submittedOnce(t, 1)
	if got := w.Ledger().Submissions[0].Channels[0].Fields["code"]; got != newCode {
		t.Errorf("sent the code %q, want that of the apply", got)
	}
	for name, content := range searchable(t, w.dir) {
		if !strings.HasPrefix(name, "secret") && (strings.Contains(string(content), testSecret) ||
			strings.Contains(string(content), "-code")) {
			t.Errorf("a secret is in %s", name)
		}
	}
}
