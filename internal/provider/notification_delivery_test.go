package provider_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"terraform-provider-notification/internal/emulator"
)

// A notification that was not submitted within timeouts.create is not stored: the next apply
// submits it.
func TestAccNotification_timeout(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{Faults: emulator.Faults{"submission": "status:429:60"}})
	notification := b.provider("") + `
resource "notification_notification" "deployed" {
  priority = "HIGH"
  channels = [{ type = "slack", subject = "one" }]
  timeouts = { create = "30s" }
}
`
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers(),
		Steps: []resource.TestStep{
			{
				Config:      notification,
				ExpectError: says("Unable to submit notification ... Not submitted: ... wait"),
			},
			{
				PreConfig:        b.submitted(t, 1),
				Config:           notification,
				ConfigPlanChecks: planned(deployed, created),
				PostApplyFunc:    b.submitted(t, 1),
			},
		},
	})
}

// With delivery = "at_most_once", a notification whose response was lost is stored as unconfirmed,
// and never submitted again by itself.
func TestAccNotification_atMostOnce(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{Faults: emulator.Faults{"submission": "reset-after"}})
	notification := b.provider("") + `
variable "delivery" {
  default = "at_most_once"
}

resource "notification_notification" "deployed" {
  priority = "HIGH"
  channels = [{ type = "slack", subject = "one" }]
  delivery = var.delivery
}
`
	unconfirmed := has(deployed, map[string]knownvalue.Check{
		"notification_id": knownvalue.Null(),
		"id":              knownvalue.Null(),
		"submitted_at":    knownvalue.StringFunc(isRecent),
		"confirmed":       knownvalue.Bool(false),
		"as_submitted":    knownvalue.Bool(true),
	})
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers(),
		Steps: []resource.TestStep{
			{
				Config:            notification,
				ConfigPlanChecks:  planned(deployed, created),
				ConfigStateChecks: unconfirmed,
				PostApplyFunc:     b.submitted(t, 1),
			},
			{
				Config:            notification,
				ConfigVariables:   config.Variables{"delivery": config.StringVariable("at_least_once")},
				ConfigPlanChecks:  planned(deployed, updated),
				ConfigStateChecks: unconfirmed,
				PostApplyFunc:     b.submitted(t, 0),
			},
		},
	})
}

// Under a key, a submission whose response is lost is retried, and the service recognises it.
// Another key submits a new notification; adding or removing one does not. A new notification under
// the old key is an error.
func TestAccNotification_idempotencyKey(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{Faults: emulator.Faults{"submission": "reset-after"}})
	step := func(
		arguments string, action plancheck.ResourceActionType, submissions int,
	) resource.TestStep {
		return resource.TestStep{
			Config: b.provider(`idempotency_key_header = "`+keyHeader+`"`) + `
resource "notification_notification" "deployed" {
  priority = "HIGH"
  channels = [{ type = "slack", subject = "one" }]
` + arguments + `
}
`,
			ConfigPlanChecks: planned(deployed, action),
			PostApplyFunc:    b.submitted(t, submissions),
		}
	}
	retried := step(`idempotency_key = "checkout-1"`, created, 2)
	retried.ConfigStateChecks = has(deployed, map[string]knownvalue.Check{
		"confirmed": knownvalue.Bool(true),
		"notification_id": knownvalue.StringFunc(func(id string) error {
			ledger := b.Ledger()
			if first := ledger.Submissions[0]; len(ledger.Submissions) != 1 ||
				first.NotificationID != id || first.IdempotencyKey != "checkout-1" {
				return fmt.Errorf("the service accepted %+v", ledger.Submissions)
			}
			return nil
		}),
	})
	refused := step(`
  idempotency_key = "checkout-2"
  triggers        = { release = "2" }`, replaced, 0)
	refused.ExpectError = says("A new notification needs another idempotency key")
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers(),
		Steps: []resource.TestStep{
			retried,
			step(`idempotency_key = "checkout-2"`, replaced, 1),
			refused,
			step("", updated, 0),
		},
	})
}
