package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"terraform-provider-notification/internal/client"
)

// What Configure leaves is taken back out; what is missing is an error that says so.
func TestProviderData(t *testing.T) {
	t.Parallel()
	var diags diag.Diagnostics
	given := &providerData{client: new(client.Client)}
	if providerDataFrom(nil) != nil || providerDataFrom(given) != given {
		t.Error("got something else")
	}
	if got := given.usableClient(&diags); got != given.client || len(diags) > 0 {
		t.Errorf("%v, %v", got, diags)
	}
	for name, test := range map[string]struct {
		use  func(*diag.Diagnostics) bool
		want string
	}{
		"not configured": {
			func(d *diag.Diagnostics) bool { return (*providerData)(nil).usableClient(d) != nil },
			"The provider is not configured.",
		},
		"unknown": {
			func(d *diag.Diagnostics) bool {
				return (&providerData{unknown: []string{"a", "b"}}).usableClient(d) != nil
			},
			"known only after apply: a, b. Nothing was sent.",
		},
	} {
		var diags diag.Diagnostics
		if test.use(&diags) || len(diags) != 1 || !diags.HasError() ||
			!strings.Contains(diags[0].Detail(), test.want) {
			t.Errorf("%s: %v", name, diags)
		}
	}
}

// The provider block is validated without its environment.
func TestValidateProviderConfig(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	resp, err := w.ValidateProviderConfig(t.Context(), &tfprotov6.ValidateProviderConfigRequest{
		Config: w.value(t, w.schema.Provider, map[string]any{"base_url": "ftp://b"}),
	})
	if err != nil || len(resp.Diagnostics) == 0 ||
		!strings.Contains(resp.Diagnostics[0].Detail, "must be an absolute URL") {
		t.Errorf("%v, %+v", err, resp)
	}
}
