package provider_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"terraform-provider-notification/internal/emulator"
)

var moves = since{"moves between types", tfversion.Version1_8_0, tfversion.Version1_10_0}

// A move sends what the old resource would have sent: nothing for the release that it announced,
// one notification for another release, and nothing if that cannot be known. From then on it is a
// notification like any other.
func TestAccNotification_movedFromAnotherType(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	const before = `
variable "release" {}

resource "terraform_data" "same" {
  triggers_replace = { release = "1" }
}

resource "terraform_data" "released" {
  triggers_replace = { release = "1" }
}

resource "terraform_data" "other_names" {
  triggers_replace = { version = "1" }
}

resource "terraform_data" "no_map" {
  triggers_replace = "1"
}
`
	after := b.provider("") + `
variable "release" {}
`
	for name, triggers := range map[string]string{
		"same":        `{ release = var.release == "2" ? "1" : var.release }`,
		"released":    `{ release = var.release }`,
		"other_names": `{ release = var.release }`,
		"no_map":      `{ release = var.release }`,
	} {
		after += strings.NewReplacer("NAME", name, "TRIGGERS", triggers).Replace(`
moved {
  from = terraform_data.NAME
  to   = notification_notification.NAME
}

resource "notification_notification" "NAME" {
  priority = "HIGH"
  channels = [{ type = "slack", subject = "NAME" }]
  triggers = TRIGGERS
}
`)
	}
	step := func(configuration, release string, submissions int) resource.TestStep {
		return resource.TestStep{
			Config:          configuration,
			ConfigVariables: config.Variables{"release": config.StringVariable(release)},
			PostApplyFunc:   b.submitted(t, submissions),
		}
	}
	action := func(name string, action plancheck.ResourceActionType) plancheck.PlanCheck {
		return plancheck.ExpectResourceAction("notification_notification."+name, action)
	}
	moved := step(after, "2", 1)
	moved.ConfigPlanChecks.PreApply = []plancheck.PlanCheck{
		action("same", updated), action("released", replaced), action("other_names", updated),
		action("no_map", updated),
	}
	moved.ConfigStateChecks = has("notification_notification.same", map[string]knownvalue.Check{
		"notification_id": knownvalue.Null(), "confirmed": knownvalue.Null(),
		"as_submitted": knownvalue.Bool(false), "triggers": knownvalue.MapSizeExact(1),
	})
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   needs(moves),
		ProtoV6ProviderFactories: providers(),
		Steps: []resource.TestStep{
			step(before, "1", 0), moved, step(after, "3", 4),
		},
	})
}

// A notification of a fork, or of another address of this provider, is the same one after the move.
func TestAccNotification_movedFromAnotherAddress(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	sameID := statecheck.CompareValue(compare.ValuesSame())
	const arguments = `
  priority = "HIGH"
  channels = [{ type = "slack", subject = "one" }]
  triggers = { release = "1" }
}
`
	ofFork := b.provider("") + strings.Replace(b.provider(""), `"notification"`, `"fork"`, 1)
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   needs(moves),
		ProtoV6ProviderFactories: factories{"notification": newServer, "fork": newServer},
		Steps: []resource.TestStep{
			{
				Config: ofFork + `
resource "notification_notification" "before" {
  provider = fork
` + arguments,
				ConfigStateChecks: []statecheck.StateCheck{sameID.AddStateValue(
					"notification_notification.before", tfjsonpath.New("notification_id"))},
				PostApplyFunc: b.submitted(t, 1),
			},
			{
				Config: ofFork + `
moved {
  from = notification_notification.before
  to   = notification_notification.deployed
}

resource "notification_notification" "deployed" {
` + arguments,
				ConfigPlanChecks: planned(deployed, noChange),
				ConfigStateChecks: append(
					has(deployed, map[string]knownvalue.Check{"as_submitted": knownvalue.Bool(true)}),
					sameID.AddStateValue(deployed, tfjsonpath.New("notification_id"))),
				PostApplyFunc: b.submitted(t, 0),
			},
		},
	})
}
