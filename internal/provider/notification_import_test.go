package provider

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"

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

// After an import, the next apply fills in the arguments, whatever they are, and sends nothing.
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
	refused := importOf("a b")
	refused.ExpectError = says("The import id contains white space")
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers,
		Steps: []resource.TestStep{
			refused,
			importOf("unknown"), // or the notification_id
			b.step(configuration, release("1"), updated, 0,
				attribute("notification_id", knownvalue.Null()),
				attribute("id", knownvalue.StringExact("unknown")),
				attribute("submitted_at", knownvalue.Null()),
				attribute("confirmed", knownvalue.Null()),
				attribute("as_submitted", knownvalue.Bool(false)),
				attribute("delivery", knownvalue.StringExact("at_least_once"))),
		},
	})
}
