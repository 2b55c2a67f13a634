//go:build unix

package acceptance

import (
	"fmt"
	"testing"
)

// An environment that is first retired can be removed without an error.
func environmentsExample(t *testing.T, w *workspace, _ string) {
	if terraformVersion.program != "OpenTofu" {
		t.Skip("needs OpenTofu")
	}
	environment := func(retired bool) string {
		return fmt.Sprintf(`{"auth_url":%q,"base_url":%[1]q,"client_id":"id","retired":%t}`,
			w.url, retired)
	}
	active, retired := environment(false), environment(true)
	use := func(environments string) { w.setenv("TF_VAR_environments", environments) }
	w.setenv("TF_VAR_client_secrets", `{"staging":"`+testSecret+`","production":"`+testSecret+`"}`)
	use(`{"staging":` + active + `,"production":` + active + `}`)
	w.apply(t)
	w.sent(t, "checkout 1.4.2 is live in staging", "checkout 1.4.2 is live in production")
	use(`{"staging":` + retired + `,"production":` + active + `}`)
	w.apply(t)
	use(`{"production":` + active + `}`)
	w.apply(t)
	if ids := w.ids(t); len(ids) != 1 || ids["production"] == "" {
		t.Errorf("the state has %v", ids)
	}
	w.must(t, "destroy")
	w.sent(t)
}
