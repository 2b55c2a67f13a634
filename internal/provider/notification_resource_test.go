package provider

import (
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/notification/terraform-provider-notification/internal/emulator"
)

// The request holds every argument as it is configured, and the state what the service returned.
func TestAccNotification_everyArgument(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{Faults: emulator.Faults{"submission": "status:422"}})
	const configured = `
resource "notification_notification" "deployed" {
  priority = "BATCH"
  channels = [
    {
      type         = "slack"
      recipient    = ["C024BE91L", "C0G9QF9GZ"]
      subject      = "checkout 1.4.2 is live"
      content_type = "md"
      template_id  = "deployment"
      fields       = { service = "checkout" }
    },
    { type = "email", recipient = ["oncall@example.com"], subject = "Größe: \"<&>\" \U0001F680" },
  ]
  triggers         = { release = "1.4.2" }
  resend_on_change = true
  delivery         = "at_most_once"
  idempotency_key  = "checkout-1.4.2"
  timeouts         = { create = "1m" }
}
`
	const body = `{"channels":[{"type":"slack","recipient":["C024BE91L","C0G9QF9GZ"],` +
		`"subject":"checkout 1.4.2 is live","content_type":"md","template_id":"deployment",` +
		`"fields":{"service":"checkout"}},{"type":"email","recipient":["oncall@example.com"],` +
		`"subject":"Größe: \"<&>\" 🚀"}],"priority":"BATCH"}`
	returned := knownvalue.StringFunc(func(id string) error {
		if got := b.Ledger().Submissions[0].NotificationID; got != id {
			return fmt.Errorf("the service returned %s, the state has %s", got, id)
		}
		return nil
	})
	create := b.step(b.provider(withKeys)+configured, nil, created, 1,
		b.content(body, "checkout-1.4.2"),
		attribute("notification_id", returned),
		attribute("id", returned),
		attribute("submitted_at", knownvalue.StringFunc(isAbout(time.Now()))),
		attribute("confirmed", knownvalue.Bool(true)),
		attribute("as_submitted", knownvalue.Bool(true)),
		attribute("channels", knownvalue.ListSizeExact(2)),
		attribute("triggers", knownvalue.MapSizeExact(1)),
		attribute("timeouts", knownvalue.ObjectExact(
			map[string]knownvalue.Check{"create": knownvalue.StringExact("1m")})))
	create.PreConfig = b.ClearLedger
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers,
		Steps: []resource.TestStep{
			{ // the service knows the key of another notification
				Config:      create.Config,
				ExpectError: says("Correct the content, or set a different idempotency_key."),
			},
			create,
		},
	})
}

// A change is recorded and not sent: as_submitted turns false, and the id stays. Under
// resend_on_change, it submits a new notification.
func TestAccNotification_changed(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	sameID := statecheck.CompareValue(compare.ValuesSame())
	step := func(
		priority string, resend bool, action plancheck.ResourceActionType, asSubmitted bool,
		submissions int,
	) resource.TestStep {
		variables := config.Variables{
			"priority": config.StringVariable(priority), "resend_on_change": config.BoolVariable(resend),
		}
		step := b.step(b.provider("")+notification, variables, action, submissions,
			attribute("priority", knownvalue.StringExact(priority)),
			attribute("as_submitted", knownvalue.Bool(asSubmitted)))
		if action != replaced {
			step.ConfigStateChecks = append(step.ConfigStateChecks,
				sameID.AddStateValue(deployed, tfjsonpath.New("notification_id")),
				sameID.AddStateValue(deployed, tfjsonpath.New("id")))
		}
		step.ConfigPlanChecks.PreApply = append(step.ConfigPlanChecks.PreApply,
			plancheck.ExpectKnownValue(deployed, tfjsonpath.New("as_submitted"),
				knownvalue.Bool(asSubmitted)))
		return step
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers,
		Steps: []resource.TestStep{
			step("HIGH", false, created, true, 1),
			step("BATCH", false, updated, false, 0),
			step("HIGH", true, replaced, true, 1),
		},
	})
}

var writeOnly = since{
	"write-only arguments", tfversion.Version1_11_0, tfversion.Version1_11_0,
}

// Write-only fields are sent with the others, and stored nowhere. A change of them alone is
// invisible.
func TestAccNotification_fieldsWO(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	withField := func(field string) string {
		return b.provider("") + `
resource "notification_notification" "deployed" {
  priority = "HIGH"
  channels = [{ type = "slack", fields = { user = "ada" }, fields_wo = { ` + field + ` } }]
}
`
	}
	stored := knownvalue.ListExact([]knownvalue.Check{
		knownvalue.ObjectPartial(map[string]knownvalue.Check{
			"fields": knownvalue.MapSizeExact(1), "fields_wo": knownvalue.Null(),
		}),
	})
	const sent = `{"channels":[{"type":"slack","fields":{"pin":"canary-1","user":"ada"}}],` +
		`"priority":"HIGH"}`
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{writeOnly},
		ProtoV6ProviderFactories: providers,
		Steps: []resource.TestStep{
			b.step(withField(`pin = "canary-1"`), nil, created, 1,
				attribute("channels", stored), b.content(sent, "")),
			b.step(withField(`pin = "canary-2"`), nil, noChange, 0),
		},
	})
}
