//go:build unix

package acceptance

import (
	"encoding/json"
	"strings"
	"testing"
)

// An environment retires, and is removed, without an error; so does the last one. Removed at once,
// OpenTofu does not know what to remove its notification with: that is what the page warns of.
func environmentsExample(t *testing.T, path string) {
	if terraformVersion.program != "OpenTofu" || !hasVersion(t, "1.9") {
		t.Skip("needs OpenTofu 1.9")
	}
	w := newExample(t, path, nil)
	url := w.getenv("NOTIFICATION_BASE_URL")
	type environment struct {
		AuthURL  string `json:"auth_url"`
		BaseURL  string `json:"base_url"`
		ClientID string `json:"client_id"`
		Retired  bool   `json:"retired"`
	}
	variable := func(retired bool, names ...string) {
		environments, secrets := map[string]environment{}, map[string]string{}
		for _, name := range names {
			environments[name] = environment{url, url, "id", retired && name == "staging"}
			secrets[name] = testSecret
		}
		for name, value := range map[string]any{
			"environments": environments, "client_secrets": secrets,
		} {
			text, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			w.setenv("TF_VAR_"+name, string(text))
		}
	}
	variable(false, "staging", "production")
	w.apply(t)
	w.submittedOnce(t, 2)
	variable(false, "production")
	out, status := w.plan(t)
	if status != 1 || !strings.Contains(out, "Provider instance not present") {
		t.Errorf("removed at once: exit status %d\n%s", status, out)
	}
	variable(true, "staging", "production")
	w.apply(t)
	variable(false, "production")
	w.apply(t)
	if ids := w.ids(t); len(ids) != 1 || ids["production"] == "" {
		t.Errorf("the state has %v", ids)
	}
	w.must(t, "destroy", "-input=false", "-auto-approve")
	w.submittedOnce(t, 2)
}
