package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"terraform-provider-notification/internal/emulator"
)

const importedID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"

// requiredProviders names the source in the configuration of an import, for which
// terraform-plugin-testing does not.
const requiredProviders = `
terraform {
  required_providers {
    notification = { source = "registry.terraform.io/notification/notification" }
  }
}
`

func imported(id string) []statecheck.StateCheck {
	return has(deployed, map[string]knownvalue.Check{
		"notification_id": knownvalue.StringExact(id),
		"id":              knownvalue.StringExact(id),
		"submitted_at":    knownvalue.Null(),
		"confirmed":       knownvalue.Null(),
		"as_submitted":    knownvalue.Bool(false),
		"delivery":        knownvalue.StringExact("at_least_once"),
	})
}

// An import sends nothing, and neither does the apply that fills in the arguments, whatever they
// are. From then on it is a notification like any other.
func TestAccNotification_importByCommand(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	notification := requiredProviders + b.provider("") + announcement
	step := func(version string, action plancheck.ResourceActionType) resource.TestStep {
		return resource.TestStep{
			Config: notification,
			ConfigVariables: config.Variables{
				"triggers": release(version), "resend_on_change": config.BoolVariable(true),
			},
			ConfigPlanChecks: planned(deployed, action),
		}
	}
	filledIn, announced := step("1", updated), step("2", replaced)
	filledIn.PreConfig = b.submitted(t, 0)
	filledIn.ConfigStateChecks = imported(importedID)
	filledIn.PostApplyFunc = b.submitted(t, 0)
	announced.PostApplyFunc = b.submitted(t, 1)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers(),
		Steps: []resource.TestStep{
			{
				Config:             notification,
				ImportState:        true,
				ResourceName:       deployed,
				ImportStateId:      "a b",
				ImportStatePersist: true,
				ExpectError:        says("The import id contains white space"),
			},
			{
				Config:             notification,
				ImportState:        true,
				ResourceName:       deployed,
				ImportStateId:      importedID,
				ImportStatePersist: true,
			},
			filledIn,
			announced,
		},
	})
}

// An import block imports and fills in the arguments in one apply.
func TestAccNotification_importByBlock(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks: needs(since{
			"import blocks", tfversion.Version1_5_0, tfversion.Version1_6_0,
		}),
		ProtoV6ProviderFactories: providers(),
		Steps: []resource.TestStep{{
			Config: b.provider("") + announcement + `
import {
  to = notification_notification.deployed
  id = "` + importedID + `"
}
`,
			ConfigVariables:   config.Variables{"triggers": release("1")},
			ConfigPlanChecks:  planned(deployed, updated),
			ConfigStateChecks: imported(importedID),
			PostApplyFunc:     b.submitted(t, 0),
		}},
	})
}

// Where the response to a submission is lost, nothing is stored. If people were notified, an import
// of the id "unknown" keeps the next apply from doing so again.
func TestAccNotification_importByUnknown(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{Faults: emulator.Faults{"submission": "reset-after"}})
	notification := requiredProviders + b.provider("") + announcement
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers(),
		Steps: []resource.TestStep{
			{
				Config:      notification,
				ExpectError: says("Notification may have been submitted"),
			},
			{
				PreConfig:          b.submitted(t, 1),
				Config:             notification,
				ImportState:        true,
				ResourceName:       deployed,
				ImportStateId:      "unknown",
				ImportStatePersist: true,
			},
			{
				Config:            notification,
				ConfigPlanChecks:  planned(deployed, updated),
				ConfigStateChecks: imported("unknown"),
				PostApplyFunc:     b.submitted(t, 0),
			},
		},
	})
}
