package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
)

var writeOnlyVersions = []tfversion.TerraformVersionCheck{
	tfversion.SkipBelow(tfversion.Version1_11_0),
}

func writeOnly(secret, fields, more string) string {
	return `
resource "notification_notification" "deployed" {
  priority = "HIGH"
  channels = [{
    type      = "slack"
    ` + fields + `
    fields_wo = { pin = "` + secret + `" }
  }]
  ` + more + `
}
`
}

// Write-only fields are submitted and not stored. Terraform does not see their changes.
func TestAccNotification_writeOnlyFields(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	body := func(want string) func() {
		return func() {
			t.Helper()
			if got := string(b.Ledger().Submissions[0].Body); !strings.Contains(got, want) {
				t.Errorf("sent %s, want %s", got, want)
			}
			b.sent(t, 1)()
		}
	}
	nothingKept := statecheck.ExpectKnownValue(deployed,
		tfjsonpath.New("channels").AtSliceIndex(0).AtMapKey("fields_wo"), knownvalue.Null())
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   writeOnlyVersions,
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{
				Config: b.config(writeOnly("canary", `fields = { service = "checkout" }`,
					`triggers = { pin = "1" }`)),
				ConfigStateChecks: []statecheck.StateCheck{nothingKept, submitted(true)},
			},
			{
				PreConfig: body(`"fields":{"pin":"canary","service":"checkout"}`),
				Config: b.config(writeOnly("other", `fields = { service = "checkout" }`,
					`triggers = { pin = "1" }`)),
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
			},
			{
				PreConfig:         b.sent(t, 0),
				Config:            b.config(writeOnly("third", "", `triggers = { pin = "2" }`)),
				ConfigPlanChecks:  planned(plancheck.ResourceActionReplace),
				ConfigStateChecks: []statecheck.StateCheck{nothingKept},
			},
		},
	})
	body(`"fields":{"pin":"third"}`)()
}

// A key in both maps is rejected: during the apply, where a map is known only then.
func TestAccNotification_writeOnlyCollision(t *testing.T) {
	t.Parallel()
	for name, fields := range map[string]string{
		"known":          `fields = { pin = "1" }`,
		"value is later": `fields = { pin = terraform_data.later.output.pin }`,
		"map is later":   `fields = terraform_data.later.output`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBackend(t, nil)
			resource.Test(t, resource.TestCase{
				TerraformVersionChecks:   writeOnlyVersions,
				ProtoV6ProviderFactories: providerFactories(),
				Steps: []resource.TestStep{{
					Config: b.config("resource \"terraform_data\" \"later\" {\n" +
						"  input = { pin = \"2\" }\n}\n" + writeOnly("canary", fields, "")),
					ExpectError: says("fields_wo has a key that is also in fields"),
				}},
			})
			b.sent(t, 0)()
		})
	}
}

// Terraform before 1.11 would plan these values like any others, and display them.
func TestWriteOnlyInOldTerraform(t *testing.T) {
	t.Parallel()
	w := newWire(t, newBackend(t, nil))
	for name, fields := range map[string]any{
		"known":         map[string]any{"pin": "canary"},
		"unknown value": map[string]any{"pin": tftypes.UnknownValue},
		"unknown":       tftypes.UnknownValue,
	} {
		config := w.value(t, w.schema.ResourceSchemas[resourceName], map[string]any{
			"priority": "HIGH", "channels": []any{
				map[string]any{"type": "slack", "fields_wo": fields},
			},
		})
		req := &tfprotov6.ValidateResourceConfigRequest{TypeName: resourceName, Config: config}
		resp, err := w.ValidateResourceConfig(t.Context(), req)
		if err != nil || len(resp.Diagnostics) != 1 ||
			!strings.Contains(resp.Diagnostics[0].Detail, "1.11") ||
			!strings.HasSuffix(resp.Diagnostics[0].Attribute.String(),
				`AttributeName("fields_wo")`) {
			t.Errorf("%s: %v, %v", name, err, resp.Diagnostics)
		}
		for _, d := range resp.Diagnostics {
			if strings.Contains(d.Summary+d.Detail, "canary") {
				t.Errorf("%s: the value is shown: %s", name, d.Detail)
			}
		}
		req.ClientCapabilities = &tfprotov6.ValidateResourceConfigClientCapabilities{
			WriteOnlyAttributesAllowed: true,
		}
		if resp, err = w.ValidateResourceConfig(t.Context(), req); err != nil ||
			len(resp.Diagnostics) != 0 {
			t.Errorf("%s: refused in new Terraform too: %v, %v", name, err, resp.Diagnostics)
		}
	}
}
