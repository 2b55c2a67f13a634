//go:build unix

package acceptance

import (
	"encoding/json"
	"strings"
	"testing"
)

// An environment that is first retired can be removed without an error. If it is removed at once,
// OpenTofu has no provider to delete its notification with, as the guide warns.
func environmentsExample(t *testing.T, w *workspace, _ string) {
	if terraformVersion.program != "OpenTofu" {
		t.Skip("needs OpenTofu")
	}
	url := w.url
	type environment struct {
		AuthURL  string `json:"auth_url"`
		BaseURL  string `json:"base_url"`
		ClientID string `json:"client_id"`
		Retired  bool   `json:"retired"`
	}
	active, retired := environment{url, url, "id", false}, environment{url, url, "id", true}
	use := func(environments map[string]environment) {
		t.Helper()
		text, err := json.Marshal(environments)
		if err != nil {
			t.Fatal(err)
		}
		w.setenv("TF_VAR_environments", string(text))
	}
	w.setenv("TF_VAR_client_secrets", `{"staging":"`+testSecret+`","production":"`+testSecret+`"}`)
	use(map[string]environment{"staging": active, "production": active})
	w.apply(t)
	w.sent(t, "checkout 1.4.2 is live in staging", "checkout 1.4.2 is live in production")
	use(map[string]environment{"production": active})
	if out, status := w.terraform(t, "plan"); status != 1 ||
		!strings.Contains(out, "Provider instance not present") {
		t.Errorf("removed at once: exit status %d\n%s", status, out)
	}
	use(map[string]environment{"staging": retired, "production": active})
	w.apply(t)
	use(map[string]environment{"production": active})
	w.apply(t)
	if ids := w.ids(t); len(ids) != 1 || ids["production"] == "" {
		t.Errorf("the state has %v", ids)
	}
	w.must(t, "destroy")
	w.sent(t)
}
