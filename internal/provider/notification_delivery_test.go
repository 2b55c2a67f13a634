package provider

import (
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"

	"terraform-provider-notification/internal/emulator"
)

// A notification that was not submitted within timeouts.create is not stored, not even with
// at_most_once: the next apply submits it. One that was accepted without an id is stored.
func TestAccNotification_timeout(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{
		Faults: emulator.Faults{"submission": "status:429:60,empty"},
	})
	limited := b.provider("") + `
resource "notification_notification" "deployed" {
  priority = "HIGH"
  channels = [{ type = "slack", subject = "one" }]
  timeouts = { create = "30s" }
  delivery = "at_most_once"
}
`
	withoutID := b.step(limited, nil, created, 1, attribute("id", knownvalue.Null()),
		attribute("notification_id", knownvalue.Null()), attribute("confirmed", knownvalue.Bool(true)))
	withoutID.PreConfig = func() { b.requested(t, "submission", "token") }
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers,
		Steps: []resource.TestStep{
			{Config: limited, ExpectError: says("Not submitted (429 ... asked to wait")},
			withoutID,
		},
	})
}

// With delivery = "at_most_once", a notification whose response was lost is stored as unconfirmed,
// and never submitted again by itself.
func TestAccNotification_atMostOnce(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{Faults: emulator.Faults{"submission": "reset-after"}})
	step := func(delivery string) config.Variables {
		return config.Variables{"delivery": config.StringVariable(delivery)}
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers,
		Steps: []resource.TestStep{
			b.step(b.provider("")+notification, step("at_most_once"), created, 1,
				attribute("notification_id", knownvalue.Null()),
				attribute("id", knownvalue.Null()),
				attribute("submitted_at", knownvalue.StringFunc(isAbout(time.Now()))),
				attribute("confirmed", knownvalue.Bool(false)),
				attribute("as_submitted", knownvalue.Bool(true))),
			b.step(b.provider("")+notification, step("at_least_once"), updated, 0,
				attribute("confirmed", knownvalue.Bool(false))),
		},
	})
}

// Under a key, a submission whose response is lost is retried, and the service recognises it.
// Another key submits a new notification; adding or removing one does not. A new notification under
// the old key is an error.
func TestAccNotification_idempotencyKey(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{Faults: emulator.Faults{"submission": "reset-after"}})
	keyed := b.provider(withKeys) + notification
	key := func(key string) config.Variables {
		return config.Variables{"idempotency_key": config.StringVariable(key)}
	}
	newRelease := release("2")
	newRelease["idempotency_key"] = config.StringVariable("checkout-2")
	once := knownvalue.StringFunc(func(id string) error {
		all := b.Ledger().Submissions
		if len(all) != 1 || all[0].NotificationID != id || all[0].IdempotencyKey != "checkout-1" {
			return fmt.Errorf("the service accepted %+v", all)
		}
		return nil
	})
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers,
		Steps: []resource.TestStep{
			b.step(keyed, key("checkout-1"), created, 2, attribute("notification_id", once),
				attribute("confirmed", knownvalue.Bool(true))),
			b.step(keyed, key("checkout-2"), replaced, 1),
			{
				Config:          keyed,
				ConfigVariables: newRelease,
				ExpectError:     says("A new notification needs another idempotency key"),
			},
			b.step(keyed, nil, updated, 0),
		},
	})
}
