package provider

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"github.com/notification/terraform-provider-notification/internal/emulator"
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

// After an import without triggers, or with those of the configuration, the next apply fills in the
// arguments and sends nothing. After an import of another release, it sends.
func TestAccNotification_import(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	configuration := requiredProviders + b.provider("") + notification
	importOf := func(id string) resource.TestStep {
		return resource.TestStep{
			Config:             configuration,
			ImportState:        true,
			ResourceName:       deployed,
			ImportStateId:      id,
			ImportStatePersist: true,
		}
	}
	refused := func(id, why string) resource.TestStep {
		step := importOf(id)
		step.ExpectError = says(why)
		return step
	}
	const notTriggers = "After the id, only a space and the triggers"
	isImported := []statecheck.StateCheck{
		attribute("notification_id", knownvalue.Null()),
		attribute("id", knownvalue.StringExact("unknown")),
		attribute("submitted_at", knownvalue.Null()),
		attribute("confirmed", knownvalue.Null()),
		attribute("as_submitted", knownvalue.Bool(false)),
		attribute("delivery", knownvalue.StringExact("at_least_once")),
	}
	for _, steps := range [][]resource.TestStep{
		{
			refused(" n-1", "The import id is empty"),
			refused("00000000-0000-0000-0000-000000000000", "which stands for none"),
			refused("n-1 n-2", notTriggers),
			refused("unknown ", notTriggers),
			refused("unknown {release:1}", notTriggers), // as a shell of Windows passes it
			refused(`unknown {"release":1}`, notTriggers),
			refused(`unknown {"release":null}`, notTriggers), // as of a variable that is not set
			refused(`unknown{"release":"1"}`, notTriggers),
			importOf("unknown"),
			b.step(configuration, release("1"), updated, 0, isImported...),
		},
		{
			importOf(`n-1 {"release":"1"}`),
			b.step(configuration, release("1"), updated, 0,
				attribute("notification_id", knownvalue.StringExact("n-1")),
				attribute("id", knownvalue.StringExact("n-1"))),
			b.step(configuration, release("2"), replaced, 1),
		},
		{
			importOf("n-1 \t\n\u00a0" + `{ "release" : "1" }`),
			b.step(configuration, release("2"), replaced, 1),
		},
	} {
		resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: providers, Steps: steps})
	}
}
