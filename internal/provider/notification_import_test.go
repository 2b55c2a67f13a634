package provider

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

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
		ProtoV6ProviderFactories: providers,
		Steps: []resource.TestStep{
			refused,
			importOf(importedID, configuration),
			b.step(configuration, first, updated, 0, imported(importedID)...),
			b.step(configuration, second, replaced, 1),
		},
	})
}

// If the response to a submission is lost, nothing is stored. If people were notified, an import of
// the id "unknown" keeps the next apply from doing so again.
func TestAccNotification_importByUnknown(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{Faults: emulator.Faults{"submission": "reset-after"}})
	configuration := requiredProviders + b.provider("") + notification
	adopted := importOf("unknown", configuration)
	adopted.PreConfig = func() { b.requested(t, "submission", "token") }
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers,
		Steps: []resource.TestStep{
			{Config: configuration, ExpectError: says("Notification may have been submitted")},
			adopted,
			b.step(configuration, nil, updated, 0, imported("unknown")...),
		},
	})
}
