package provider

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
)

func submitted(want bool) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(deployed, tfjsonpath.New("as_submitted"),
		knownvalue.Bool(want))
}

// With resend_on_change, a change submits once. Turning it on or off submits nothing.
func TestAccNotification_resendOnChange(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	priority := func(config string) string { return strings.Replace(config, "HIGH", "NORMAL", 1) }
	step := func(sent int, config string, want plancheck.ResourceActionType) resource.TestStep {
		return resource.TestStep{
			PreConfig: b.sent(t, sent), Config: b.config(config), ConfigPlanChecks: planned(want),
			ConfigStateChecks: []statecheck.StateCheck{submitted(true)},
		}
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			step(0, notification("one", ""), plancheck.ResourceActionCreate),
			step(1, notification("one", "resend_on_change = true"), plancheck.ResourceActionUpdate),
			step(0, notification("two", "resend_on_change = true"),
				plancheck.ResourceActionReplace),
			step(1, priority(notification("two", "resend_on_change = true")),
				plancheck.ResourceActionReplace),
			step(1, priority(notification("two",
				"resend_on_change = true\n timeouts = { create = \"1m\" }")),
				plancheck.ResourceActionUpdate),
			step(0, priority(notification("two", "resend_on_change = false")),
				plancheck.ResourceActionUpdate),
		},
	})
	b.sent(t, 0)()
}

// as_submitted follows changes in place, and notices when one is undone.
func TestAccNotification_asSubmitted(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	id := statecheck.CompareValue(compare.ValuesSame())
	step := func(
		config string, want plancheck.ResourceActionType, asSubmitted bool,
	) resource.TestStep {
		return resource.TestStep{
			Config: b.config(config),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction(deployed, want),
				plancheck.ExpectKnownValue(deployed, tfjsonpath.New("as_submitted"),
					knownvalue.Bool(asSubmitted)),
			}},
			ConfigStateChecks: []statecheck.StateCheck{
				submitted(asSubmitted),
				id.AddStateValue(deployed, tfjsonpath.New("notification_id")),
			},
		}
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			step(notification("one", ""), plancheck.ResourceActionCreate, true),
			step(notification("two", ""), plancheck.ResourceActionUpdate, false),
			step(notification("two", "triggers = {}"), plancheck.ResourceActionUpdate, false),
			step(strings.Replace(notification("one", ""), "HIGH", "BATCH", 1),
				plancheck.ResourceActionUpdate, false),
			step(notification("one", ""), plancheck.ResourceActionUpdate, true),
		},
	})
	b.sent(t, 1)()
}

// Triggers that are added, removed, and unknown.
func TestAccNotification_triggers(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	step := func(sent int, triggers string, want plancheck.ResourceActionType) resource.TestStep {
		return resource.TestStep{
			PreConfig: b.sent(t, sent), Config: b.config(notification("one", triggers)),
			ConfigPlanChecks: planned(want),
		}
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			step(0, "", plancheck.ResourceActionCreate),
			step(1, "triggers = {}", plancheck.ResourceActionUpdate), // null and empty are the same
			step(0, `triggers = { a = "1" }`, plancheck.ResourceActionReplace),
			step(1, `triggers = { a = "1", b = null }`, plancheck.ResourceActionReplace),
			step(1, "", plancheck.ResourceActionReplace),
		},
	})
	b.sent(t, 1)()
}

func TestAccNotification_unknownTriggers(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	config := func(input string) string {
		return b.config(`
resource "terraform_data" "release" {
  input = "` + input + `"
}
` + notification("one", "triggers = { release = terraform_data.release.output }"))
	}
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{
			tfversion.SkipBelow(tfversion.Version1_4_0),
		},
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{Config: config("1"), ConfigPlanChecks: planned(plancheck.ResourceActionCreate)},
			{
				PreConfig: b.sent(t, 1), Config: config("2"),
				ConfigPlanChecks: planned(plancheck.ResourceActionReplace),
			},
		},
	})
	b.sent(t, 1)()
}

// Unknown values are neither rejected during the plan nor submitted as such.
func TestAccNotification_unknownArguments(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	resources := &strings.Builder{}
	var creates, updates []plancheck.PlanCheck
	var submitted []statecheck.StateCheck
	for name, channels := range map[string]string{
		"all_of_them": `terraform_data.later.output.channels`,
		"their_number": `[for c in terraform_data.later.output.channels : ` +
			`{ type = c.type, subject = c.subject }]`,
		"members": `[{
      type      = terraform_data.later.output.channels[0].type
      subject   = terraform_data.later.output.channels[0].subject
      recipient = terraform_data.later.output.recipient
      fields    = { a = terraform_data.later.output.recipient[0] }
    }]`,
		"a_recipient": `[{
      type = "slack", subject = "later"
      recipient = [terraform_data.later.output.recipient[0], "x"]
    }]`,
		"a_map": `[{
      type = "slack", subject = "later", fields = terraform_data.later.output.channels[0]
    }]`,
	} {
		fmt.Fprintf(resources, `
resource "notification_notification" %q {
  priority = "HIGH"
  channels = %s
}
`, name, channels)
		address := "notification_notification." + name
		creates = append(creates,
			plancheck.ExpectResourceAction(address, plancheck.ResourceActionCreate))
		updates = append(updates,
			plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate))
		submitted = append(submitted, statecheck.ExpectKnownValue(address,
			tfjsonpath.New("as_submitted"), knownvalue.Bool(true)))
	}
	config := func(edit string) string {
		return b.config(`
resource "terraform_data" "later" {
  input = {
    channels  = [{ type = "slack", subject = "later` + edit + `" }]
    recipient = ["C024BE91L` + edit + `"]
  }
}
` + resources.String())
	}
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{
			tfversion.SkipBelow(tfversion.Version1_4_0),
		},
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{
				Config:            config(""),
				ConfigPlanChecks:  resource.ConfigPlanChecks{PreApply: creates},
				ConfigStateChecks: submitted,
			},
			{
				PreConfig: func() {
					for _, submission := range b.Ledger().Submissions {
						body := string(submission.Body)
						if !strings.Contains(body, `"type":"slack"`) ||
							!strings.Contains(body, `"later"`) {
							t.Errorf("sent %s", body)
						}
					}
					b.sent(t, len(creates))()
				},
				Config:           config("!"),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: updates},
			},
		},
	})
	b.sent(t, 0)()
}

// A value that turns out to be invalid during the apply is rejected before anything is submitted.
func TestAccNotification_unknownTurnsOutWrong(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ arguments, want string }{
		"blank": {
			`channels = [{ type = terraform_data.later.output.blank }]`, "must not be blank",
		},
		"null": {
			`channels = [{ type = "x", fields = { a = terraform_data.later.output.null } }]`,
			"null",
		},
		"no channels": {`channels = terraform_data.later.output.none`, "at least 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBackend(t, nil)
			resource.Test(t, resource.TestCase{
				TerraformVersionChecks: []tfversion.TerraformVersionCheck{
					tfversion.SkipBelow(tfversion.Version1_4_0),
				},
				ProtoV6ProviderFactories: providerFactories(),
				Steps: []resource.TestStep{{
					Config: b.config(`
resource "terraform_data" "later" {
  input = { blank = " ", null = null, none = [] }
}
resource "notification_notification" "deployed" {
  priority = "HIGH"
  ` + test.arguments + `
}
`),
					ExpectError: says(test.want),
				}},
			})
			b.sent(t, 0)()
		})
	}
}
