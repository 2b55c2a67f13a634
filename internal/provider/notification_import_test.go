package provider

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
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

// If the response to a submission is lost, nothing is stored. If people were notified, an import
// keeps the next apply from doing so again: it fills in the arguments, whatever they are. From then
// on it is a notification like any other.
func TestAccNotification_import(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{Faults: emulator.Faults{"submission": "reset-after"}})
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
	refused.PreConfig = func() { b.requested(t, "submission", "token") }
	first, second := release("1"), release("2")
	first["resend_on_change"] = config.BoolVariable(true)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers,
		Steps: []resource.TestStep{
			{Config: configuration, ExpectError: says("Notification may have been submitted")},
			refused,
			importOf("unknown"), // or the notification_id
			b.step(configuration, first, updated, 0,
				attribute("notification_id", knownvalue.Null()),
				attribute("id", knownvalue.StringExact("unknown")),
				attribute("submitted_at", knownvalue.Null()),
				attribute("confirmed", knownvalue.Null()),
				attribute("as_submitted", knownvalue.Bool(false)),
				attribute("delivery", knownvalue.StringExact("at_least_once"))),
			b.step(configuration, second, replaced, 1,
				attribute("as_submitted", knownvalue.Bool(true))),
		},
	})
}
