package provider

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
)

const importedID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"

func importedState() []statecheck.StateCheck {
	return []statecheck.StateCheck{
		statecheck.ExpectKnownValue(deployed, tfjsonpath.New("notification_id"),
			knownvalue.StringExact(importedID)),
		statecheck.ExpectKnownValue(deployed, tfjsonpath.New("submitted_at"), knownvalue.Null()),
		statecheck.ExpectKnownValue(deployed,
			tfjsonpath.New("channels").AtSliceIndex(0).AtMapKey("subject"),
			knownvalue.StringExact("one")),
		submitted(false),
		delivery("at_least_once"), confirmed(knownvalue.Null()),
	}
}

// An import submits nothing, whatever the arguments are. Once an apply has filled them in, the plan
// is empty.
func TestAccNotification_import(t *testing.T) {
	t.Parallel()
	const more = "triggers = { release = \"1\" }\n  resend_on_change = true\n" +
		"  timeouts = { create = \"1m\" }"
	b := newBackend(t, nil)
	config := b.config(notification("one", more))
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{
				Config: config, ResourceName: deployed,
				ImportState: true, ImportStateId: importedID, ImportStatePersist: true,
			},
			{
				Config: config, ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
				ConfigStateChecks: importedState(),
			},
			{Config: config, ConfigPlanChecks: emptyPlan},
		},
	})
	b.sent(t, 0)()
}

func TestAccNotification_importBlock(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	config := b.config(notification("one", `triggers = { release = "1" }`))
	block := "\nimport {\n  to = " + deployed + "\n  id = \"" + importedID + "\"\n}\n"
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{
			tfversion.SkipBelow(tfversion.Version1_5_0),
		},
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{Config: config + block, ConfigStateChecks: importedState()},
			{
				Config: config,
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
			},
			{ // from now on it is a resource like any other
				PreConfig:        b.sent(t, 0),
				Config:           b.config(notification("one", `triggers = { release = "2" }`)),
				ConfigPlanChecks: planned(plancheck.ResourceActionReplace),
			},
		},
	})
	b.sent(t, 1)()
}

// ignoring makes Terraform keep the channels in the state, which are null after an import.
const ignoring = "lifecycle {\n    ignore_changes = [channels]\n  }"

// After its first apply an imported notification is like any other, also where ignore_changes
// kept arguments from being filled in: new triggers submit it.
func TestAccNotification_importIgnoringChanges(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	config := func(release string) string {
		return b.config(notification("one", `triggers = { release = "`+release+"\" }\n  "+ignoring))
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{
				Config: config("1"), ResourceName: deployed, ImportState: true,
				ImportStateId: importedID, ImportStatePersist: true,
			},
			{
				Config: config("1"), ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(deployed, tfjsonpath.New("channels"),
						knownvalue.Null()), submitted(false),
				},
			},
			{
				PreConfig: b.sent(t, 0), Config: config("2"),
				ConfigPlanChecks:  planned(plancheck.ResourceActionReplace),
				ConfigStateChecks: []statecheck.StateCheck{submitted(true)},
			},
			{
				PreConfig: b.sent(t, 1), Config: config("3"),
				ConfigPlanChecks: planned(plancheck.ResourceActionReplace),
			},
		},
	})
	b.sent(t, 1)()
}

// Filling in later what ignore_changes kept null is not a change.
func TestAccNotification_importFilledInLater(t *testing.T) {
	t.Parallel()
	for _, ignored := range []string{"[channels, priority]", "all"} {
		t.Run(ignored, func(t *testing.T) {
			t.Parallel()
			b := newBackend(t, nil)
			const more = "resend_on_change = true\n  triggers = { release = \"1\" }"
			kept := b.config(notification("one",
				more+"\n  lifecycle {\n    ignore_changes = "+ignored+"\n  }"))
			filled := b.config(notification("one", more))
			empty := resource.ConfigPlanChecks{
				PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			}
			resource.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: providerFactories(),
				Steps: []resource.TestStep{
					{
						Config: kept, ResourceName: deployed, ImportState: true,
						ImportStateId: importedID, ImportStatePersist: true,
					},
					{Config: kept, ConfigPlanChecks: planned(plancheck.ResourceActionUpdate)},
					{
						Config: filled, ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
						ConfigStateChecks: importedState(),
					},
					{Config: filled, ConfigPlanChecks: empty},
					{
						PreConfig: b.sent(t, 0), Config: b.config(notification("two", more)),
						ConfigPlanChecks: planned(plancheck.ResourceActionReplace),
					},
				},
			})
			b.sent(t, 1)()
		})
	}
}

func TestAccNotification_importRefused(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{{
			Config: b.config(notification("one", "")), ResourceName: deployed,
			ImportState: true, ImportStateId: "a\nb",
			ExpectError: regexp.MustCompile("Unable to import notification"),
		}},
	})
	b.sent(t, 0)()
}
