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

// requiredProviders names the source in the configuration of an import, for which
// terraform-plugin-testing does not.
const requiredProviders = `
terraform {
  required_providers {
    notification = { source = "registry.terraform.io/notification/notification" }
  }
}
`

const importedID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"

func importOf(id, configuration string) resource.TestStep {
	return resource.TestStep{
		Config:             configuration,
		ImportState:        true,
		ResourceName:       deployed,
		ImportStateId:      id,
		ImportStatePersist: true,
	}
}

// imported checks a notification whose arguments were filled in after an import.
func imported(id string) []statecheck.StateCheck {
	return []statecheck.StateCheck{
		attribute("notification_id", knownvalue.StringExact(id)),
		attribute("id", knownvalue.StringExact(id)),
		attribute("submitted_at", knownvalue.Null()),
		attribute("confirmed", knownvalue.Null()),
		attribute("as_submitted", knownvalue.Bool(false)),
		attribute("delivery", knownvalue.StringExact("at_least_once")),
	}
}

// An import sends nothing, and neither does the apply that fills in the arguments, whatever they
// are. From then on it is a notification like any other.
func TestAccNotification_importByCommand(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	configuration := requiredProviders + b.provider("") + notification
	refused := importOf("a b", configuration)
	refused.ExpectError = says("The import id contains white space")
	first, second := release("1"), release("2")
	first["resend_on_change"] = config.BoolVariable(true)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers(),
		Steps: []resource.TestStep{
			refused,
			importOf(importedID, configuration),
			b.step(t, configuration, first, updated, 0, imported(importedID)...),
			b.step(t, configuration, second, replaced, 1),
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
		Steps: []resource.TestStep{b.step(t, b.provider("")+notification+`
import {
  to = notification_notification.deployed
  id = "`+importedID+`"
}
`, release("1"), updated, 0, imported(importedID)...)},
	})
}

// If the response to a submission is lost, nothing is stored. If people were notified, an import of
// the id "unknown" keeps the next apply from doing so again.
func TestAccNotification_importByUnknown(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{Faults: emulator.Faults{"submission": "reset-after"}})
	configuration := requiredProviders + b.provider("") + notification
	adopted := importOf("unknown", configuration)
	adopted.PreConfig = b.submitted(t, 1)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers(),
		Steps: []resource.TestStep{
			{Config: configuration, ExpectError: says("Notification may have been submitted")},
			adopted,
			b.step(t, configuration, nil, updated, 0, imported("unknown")...),
		},
	})
}

var moves = since{"moves between types", tfversion.Version1_8_0, tfversion.Version1_10_0}

// A move sends what the old resource would have sent: nothing for the release that it announced,
// one notification for another release, and nothing if that cannot be known. From then on each is a
// notification like any other.
func TestAccNotification_movedFromAnotherType(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	tests := map[string]struct {
		before, after string // triggers_replace, and the triggers with which it moves
		action        plancheck.ResourceActionType
	}{
		"same":        {`{ release = "1" }`, `{ release = "1" }`, updated},
		"released":    {`{ release = "1" }`, `{ release = "2" }`, replaced},
		"other_names": {`{ version = "1" }`, `{ release = "2" }`, updated},
		"no_map":      {`"1"`, `{ release = "2" }`, updated},
	}
	var before, after strings.Builder
	var actions []plancheck.PlanCheck
	for name, test := range tests {
		replace := strings.NewReplacer("NAME", name, "BEFORE", test.before, "AFTER", test.after)
		_, _ = replace.WriteString(&before, `
resource "terraform_data" "NAME" {
  triggers_replace = BEFORE
}
`)
		_, _ = replace.WriteString(&after, `
moved {
  from = terraform_data.NAME
  to   = notification_notification.NAME
}

resource "notification_notification" "NAME" {
  priority = "HIGH"
  channels = [{ type = "slack", subject = "NAME" }]
  triggers = AFTER
}
`)
		actions = append(actions,
			plancheck.ExpectResourceAction("notification_notification."+name, test.action))
	}
	later := strings.NewReplacer(`{ release = "1" }`, `{ release = "3" }`,
		`{ release = "2" }`, `{ release = "3" }`).Replace(after.String())
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   needs(moves),
		ProtoV6ProviderFactories: providers(),
		Steps: []resource.TestStep{
			{Config: b.provider("") + before.String(), PostApplyFunc: b.submitted(t, 0)},
			{
				Config:           b.provider("") + after.String(),
				ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: actions},
				PostApplyFunc:    b.submitted(t, 1),
			},
			{Config: b.provider("") + later, PostApplyFunc: b.submitted(t, 4)},
		},
	})
}

// A notification of a fork, or of another address of this provider, is the same after the move.
func TestAccNotification_movedFromAnotherAddress(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	both := b.provider("") + strings.Replace(b.provider(""), `"notification"`, `"fork"`, 1)
	before := strings.Replace(notification, `"deployed" {`, `"before" {
  provider         = fork`, 1)
	const moved = `
moved {
  from = notification_notification.before
  to   = notification_notification.deployed
}
`
	sameID := statecheck.CompareValue(compare.ValuesSame())
	id := tfjsonpath.New("notification_id")
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   needs(moves),
		ProtoV6ProviderFactories: factories{"notification": newServer, "fork": newServer},
		Steps: []resource.TestStep{
			{
				Config:          both + before,
				ConfigVariables: release("1"),
				ConfigStateChecks: []statecheck.StateCheck{
					sameID.AddStateValue("notification_notification.before", id),
				},
				PostApplyFunc: b.submitted(t, 1),
			},
			b.step(t, both+notification+moved, release("1"), noChange, 0,
				sameID.AddStateValue(deployed, id), attribute("as_submitted", knownvalue.Bool(true))),
		},
	})
}
