package provider

import (
	"regexp"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
)

// What users rely on, as Terraform shows it to them: read these tests first. After each step
// terraform-plugin-testing plans again, and fails if there is something to do; at the end it
// destroys. Such plans and the end count too where a test counts requests.

// A creation submits what the configuration contains, and nothing else. Nothing is sent when it is
// planned again, refreshed and destroyed.
func TestAccNotification_create(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	create := b.step(t, `
resource "notification_notification" "deployed" {
  priority = "BATCH"
  channels = [
    { type = "slack" },
    {
      type         = "email"
      recipient    = ["a@example.com", "b@example.com"]
      subject      = "checkout <1.4.2> & \"more\" ü"
      content_type = "md"
      template_id  = "deployment"
      fields       = { service = "checkout", empty = "" }
    },
    { type = "sms", fields = {}, subject = null },
  ]
}`, plancheck.ResourceActionCreate,
		has("notification_id", knownvalue.StringRegexp(
			regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`))),
		has("submitted_at", knownvalue.StringFunc(isRecent)),
		has("confirmed", knownvalue.Bool(true)), has("as_submitted", knownvalue.Bool(true)),
		has("resend_on_change", knownvalue.Bool(false)),
		has("delivery", knownvalue.StringExact("at_least_once")),
		after(func() {
			const want = `{"channels":[{"type":"slack"},` +
				`{"type":"email","recipient":["a@example.com","b@example.com"],` +
				`"subject":"checkout <1.4.2> & \"more\" ü",` +
				`"content_type":"md","template_id":"deployment",` +
				`"fields":{"empty":"","service":"checkout"}},` +
				`{"type":"sms","fields":{}}],"priority":"BATCH"}`
			if got := string(b.Ledger().Submissions[0].Body); got != want {
				t.Errorf("got\n%s, want\n%s", got, want)
			}
		}))
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(), Steps: []resource.TestStep{create},
	})
	b.sent(t, 0)
}

// A change is recorded and not sent. as_submitted turns false, and stays so when it is undone.
func TestAccNotification_change(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	same := statecheck.CompareValue(compare.ValuesSame())
	step := func(config string, want plancheck.ResourceActionType, submitted bool) resource.TestStep {
		step := b.step(t, config, want, has("as_submitted", knownvalue.Bool(submitted)),
			same.AddStateValue(deployed, tfjsonpath.New("notification_id")))
		step.ConfigPlanChecks.PreApply = append(step.ConfigPlanChecks.PreApply,
			plancheck.ExpectKnownValue(deployed, tfjsonpath.New("as_submitted"),
				knownvalue.Bool(submitted)))
		return step
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			step(notification("one", ""), plancheck.ResourceActionCreate, true),
			step(notification("two", ""), plancheck.ResourceActionUpdate, false),
			step(notification("one", `timeouts = { create = "1m" }`),
				plancheck.ResourceActionUpdate, false),
		},
	})
	b.sent(t, 0)
}

// Triggers submit, and so does a change under resend_on_change, which by itself submits nothing.
func TestAccNotification_triggers(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	const release, resend = `triggers = { release = "1" }`, "\n  resend_on_change = true"
	newID := statecheck.CompareValue(compare.ValuesDiffer())
	sends := func(config string, want plancheck.ResourceActionType) resource.TestStep {
		return b.step(t, config, want, has("as_submitted", knownvalue.Bool(true)),
			newID.AddStateValue(deployed, tfjsonpath.New("notification_id")))
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			sends(notification("one", ""), plancheck.ResourceActionCreate),
			b.step(t, notification("one", "triggers = {}"), plancheck.ResourceActionUpdate),
			sends(notification("one", release), plancheck.ResourceActionReplace),
			b.step(t, notification("one", release+resend), plancheck.ResourceActionUpdate),
			sends(notification("two", release+resend), plancheck.ResourceActionReplace),
		},
	})
	b.sent(t, 0)
}

// An import submits nothing, whatever the arguments are, and neither does the apply that fills them
// in. From then on it is a notification like any other.
func TestAccNotification_import(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	config := func(release string) string {
		return notification("one", `triggers = { release = "`+release+`" }
  resend_on_change = true`)
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{
				Config: b.config(config("1")), ResourceName: deployed,
				ImportState: true, ImportStateId: importedID, ImportStatePersist: true,
			},
			b.step(t, config("1"), plancheck.ResourceActionUpdate,
				has("notification_id", knownvalue.StringExact(importedID)),
				has("submitted_at", knownvalue.Null()), has("confirmed", knownvalue.Null()),
				has("as_submitted", knownvalue.Bool(false))),
			b.step(t, config("2"), plancheck.ResourceActionReplace,
				has("confirmed", knownvalue.Bool(true)), has("as_submitted", knownvalue.Bool(true))),
		},
	})
	b.sent(t, 0)
}
