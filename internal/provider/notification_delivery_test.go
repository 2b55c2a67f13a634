package provider

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"terraform-provider-notification/internal/emulator"
)

func confirmed(want knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(deployed, tfjsonpath.New("confirmed"), want)
}

func delivery(want string) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(deployed, tfjsonpath.New("delivery"),
		knownvalue.StringExact(want))
}

func unanswered(c *emulator.Config) { c.Faults = emulator.Faults{"submission": "reset-after"} }

var emptyPlan = resource.ConfigPlanChecks{
	PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
}

// A notification whose answer was lost is stored. Only triggers, resend_on_change and -replace
// submit it again.
func TestAccNotification_atMostOnce(t *testing.T) {
	t.Parallel()
	b := newBackend(t, unanswered)
	const atMost = `delivery = "at_most_once"`
	unconfirmed := []statecheck.StateCheck{
		statecheck.ExpectKnownValue(deployed, tfjsonpath.New("notification_id"), knownvalue.Null()),
		statecheck.ExpectKnownValue(deployed, tfjsonpath.New("submitted_at"),
			knownvalue.StringFunc(isRecent)),
		confirmed(knownvalue.Bool(false)), submitted(true),
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{
				Config:            b.config(notification("one", atMost)),
				ConfigPlanChecks:  planned(plancheck.ResourceActionCreate),
				ConfigStateChecks: append(unconfirmed, delivery("at_most_once")),
			},
			{
				PreConfig:        b.sent(t, 1),
				Config:           b.config(notification("one", atMost)),
				ConfigPlanChecks: emptyPlan,
			},
			{ // edited, and not sent
				Config:           b.config(notification("two", atMost)),
				ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
				ConfigStateChecks: []statecheck.StateCheck{
					confirmed(knownvalue.Bool(false)), submitted(false),
				},
			},
			{ // a change of delivery is recorded
				Config:            b.config(notification("one", "")),
				ConfigPlanChecks:  planned(plancheck.ResourceActionUpdate),
				ConfigStateChecks: append(unconfirmed, delivery("at_least_once")),
			},
			{
				PreConfig: b.sent(t, 0),
				Config: b.config(notification("one",
					atMost+"\n"+`triggers = { release = "1" }`)),
				ConfigPlanChecks: planned(plancheck.ResourceActionReplace),
				ConfigStateChecks: []statecheck.StateCheck{
					confirmed(knownvalue.Bool(true)), submitted(true),
				},
			},
		},
	})
	b.sent(t, 1)()
}

// A rejected notification is an error whatever delivery says, and the next apply submits it.
func TestAccNotification_atMostOnceError(t *testing.T) {
	t.Parallel()
	b := newBackend(t, func(c *emulator.Config) {
		c.Faults = emulator.Faults{"submission": "status:422"}
	})
	config := b.config(notification("one", `delivery = "at_most_once"`))
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{
				Config: config,
				ExpectError: says("Unable to submit notification ... " +
					"The notification was not submitted."),
			},
			{
				Config: config, ConfigPlanChecks: planned(plancheck.ResourceActionCreate),
				ConfigStateChecks: []statecheck.StateCheck{confirmed(knownvalue.Bool(true))},
			},
		},
	})
	if got := len(b.Ledger().Submissions); got != 1 {
		t.Errorf("%d notifications", got)
	}
}

// A lost answer is an error by default, and the next apply submits again.
func TestAccNotification_atLeastOnce(t *testing.T) {
	t.Parallel()
	b := newBackend(t, unanswered)
	config := b.config(notification("one", ""))
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{
				Config: config,
				ExpectError: says("Notification may have been submitted ... Request id: ... " +
					`delivery = "at_most_once"`),
			},
			{
				PreConfig: b.sent(t, 1), Config: config,
				ConfigPlanChecks: planned(plancheck.ResourceActionCreate),
				ConfigStateChecks: []statecheck.StateCheck{
					delivery("at_least_once"), confirmed(knownvalue.Bool(true)),
				},
			},
		},
	})
	b.sent(t, 1)()
}

// delivery may be unknown during the plan.
func TestAccNotification_deliveryUnknown(t *testing.T) {
	t.Parallel()
	b := newBackend(t, unanswered)
	config := func(value string) string {
		return b.config(`
resource "terraform_data" "delivery" {
  input = "` + value + `"
}
` + notification("one", "delivery = terraform_data.delivery.output"))
	}
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{
			tfversion.SkipBelow(tfversion.Version1_4_0),
		},
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{
				Config:            config("at_most_once"),
				ConfigStateChecks: []statecheck.StateCheck{confirmed(knownvalue.Bool(false))},
			},
			{
				PreConfig: b.sent(t, 1), Config: config("at_least_once"),
				ConfigStateChecks: []statecheck.StateCheck{delivery("at_least_once")},
			},
			{
				Config:      config("twice"),
				ExpectError: says(`delivery must be one of at_least_once, at_most_once`),
			},
		},
	})
	b.sent(t, 0)()
}

// A postcondition reports an unconfirmed notification in every plan, until it is submitted again.
func TestAccNotification_postcondition(t *testing.T) {
	t.Parallel()
	b := newBackend(t, unanswered)
	config := func(release string) string {
		return b.config(notification("one", `
  delivery = "at_most_once"
  triggers = { release = "`+release+`" }
  lifecycle {
    postcondition {
      condition     = self.confirmed != false
      error_message = "Nobody knows whether it was submitted."
    }
  }`))
	}
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{
			tfversion.SkipBelow(tfversion.Version1_2_0),
		},
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{Config: config("1"), ExpectError: says("Nobody knows whether it was submitted.")},
			{
				PreConfig: b.sent(t, 1), Config: config("1"), PlanOnly: true,
				ExpectError: says("Nobody knows whether it was submitted."),
			},
			{
				PreConfig: b.sent(t, 0), Config: config("2"),
				ConfigPlanChecks: planned(plancheck.ResourceActionReplace),
			},
			{PreConfig: b.sent(t, 1), Config: config("2"), ConfigPlanChecks: emptyPlan},
		},
	})
}
