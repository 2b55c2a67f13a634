package provider

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
)

// The behaviour that users rely on, as Terraform shows it: read these tests first. After each step
// terraform-plugin-testing plans again, and fails if something would change; at the end it
// destroys. Where a test counts requests, it includes these plans and the destroy.

// A creation submits, once. A change is recorded and not sent: as_submitted turns false, and stays
// so when the change is undone. A change of triggers submits, and so does any change under
// resend_on_change, which by itself submits nothing. Planning again, refreshing and destroying send
// nothing.
func TestAccNotification(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	const release, resend = `triggers = { release = "1" }`, "\n  resend_on_change = true"
	create, update := plancheck.ResourceActionCreate, plancheck.ResourceActionUpdate
	replace := plancheck.ResourceActionReplace
	step := func(
		config string, want plancheck.ResourceActionType, asSubmitted bool,
	) resource.TestStep {
		step := b.step(t, config, want, has("as_submitted", knownvalue.Bool(asSubmitted)))
		step.ConfigPlanChecks.PreApply = append(step.ConfigPlanChecks.PreApply,
			plancheck.ExpectKnownValue(deployed, tfjsonpath.New("as_submitted"),
				knownvalue.Bool(asSubmitted)))
		return step
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			step(notification("one", release), create, true),
			step(notification("two", release), update, false),
			step(notification("one", release), update, false),
			step(notification("one", ""), replace, true),
			step(notification("one", "triggers = {}"), update, true),
			step(notification("one", release+resend), replace, true),
			step(notification("two", release+resend), replace, true),
			step(notification("two", release), update, true),
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
