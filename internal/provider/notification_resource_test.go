package provider_test

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

	"terraform-provider-notification/internal/emulator"
)

const (
	created  = plancheck.ResourceActionCreate
	updated  = plancheck.ResourceActionUpdate
	replaced = plancheck.ResourceActionReplace
	noChange = plancheck.ResourceActionNoop
)

// announcement is a notification whose subject and triggers are variables.
const announcement = `
variable "subject" {
  default = "one"
}

variable "triggers" {
  type    = map(string)
  default = null
}

variable "resend_on_change" {
  default = null
}

resource "notification_notification" "deployed" {
  priority         = "HIGH"
  channels         = [{ type = "slack", recipient = ["C024BE91L"], subject = var.subject }]
  triggers         = var.triggers
  resend_on_change = var.resend_on_change
}
`

func release(version string) config.Variable {
	return config.MapVariable(map[string]config.Variable{"release": config.StringVariable(version)})
}

// The request holds every argument as it is configured, and the state what the service returned.
func TestAccNotification_everyArgument(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers(),
		Steps: []resource.TestStep{{
			Config: b.provider(`idempotency_key_header = "Idempotency-Key"`) + `
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
`,
			ConfigPlanChecks: planned(deployed, created),
			ConfigStateChecks: append(has(deployed, map[string]knownvalue.Check{
				"priority":         knownvalue.StringExact("BATCH"),
				"channels":         knownvalue.ListSizeExact(2),
				"triggers":         knownvalue.MapSizeExact(1),
				"resend_on_change": knownvalue.Bool(true),
				"delivery":         knownvalue.StringExact("at_most_once"),
				"idempotency_key":  knownvalue.StringExact("checkout-1.4.2"),
				"submitted_at":     knownvalue.StringFunc(isRecent),
				"confirmed":        knownvalue.Bool(true),
				"as_submitted":     knownvalue.Bool(true),
				"notification_id": knownvalue.StringFunc(func(id string) error {
					submission := b.Ledger().Submissions[0]
					const body = `{"channels":[{"type":"slack","recipient":["C024BE91L","C0G9QF9GZ"],` +
						`"subject":"checkout 1.4.2 is live","content_type":"md","template_id":"deployment",` +
						`"fields":{"service":"checkout"}},{"type":"email","recipient":["oncall@example.com"],` +
						`"subject":"Größe: \"<&>\" 🚀"}],"priority":"BATCH"}`
					if submission.NotificationID != id || string(submission.Body) != body ||
						submission.IdempotencyKey != "checkout-1.4.2" {
						return fmt.Errorf("the service received %+v, body %s", submission, submission.Body)
					}
					return nil
				}),
			}), statecheck.CompareValuePairs(deployed, tfjsonpath.New("id"),
				deployed, tfjsonpath.New("notification_id"), compare.ValuesSame())),
			PostApplyFunc: b.submitted(t, 1),
		}},
	})
}

func isRecent(text string) error {
	at, err := time.Parse("2006-01-02T15:04:05Z", text)
	if age := time.Since(at); err == nil && (age < 0 || age > time.Hour) {
		err = fmt.Errorf("%s is not recent", at)
	}
	return err
}

// A change is recorded and not sent: as_submitted turns false, and stays so when the change is
// undone. The id stays.
func TestAccNotification_changedInPlace(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	sameID := statecheck.CompareValue(compare.ValuesSame())
	step := func(
		subject string, action plancheck.ResourceActionType, asSubmitted bool, submissions int,
	) resource.TestStep {
		checks := planned(deployed, action)
		checks.PreApply = append(checks.PreApply, plancheck.ExpectKnownValue(deployed,
			tfjsonpath.New("as_submitted"), knownvalue.Bool(asSubmitted)))
		return resource.TestStep{
			Config:           b.provider("") + announcement,
			ConfigVariables:  config.Variables{"subject": config.StringVariable(subject)},
			ConfigPlanChecks: checks,
			ConfigStateChecks: append(
				has(deployed, map[string]knownvalue.Check{"as_submitted": knownvalue.Bool(asSubmitted)}),
				sameID.AddStateValue(deployed, tfjsonpath.New("notification_id"))),
			PostApplyFunc: b.submitted(t, submissions),
		}
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers(),
		Steps: []resource.TestStep{
			step("one", created, true, 1),
			step("two", updated, false, 0),
			step("one", updated, false, 0),
		},
	})
}

// A change of triggers submits a new notification. Empty triggers are no triggers.
func TestAccNotification_triggers(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	none := config.MapVariable(map[string]config.Variable{})
	step := func(
		triggers config.Variable, action plancheck.ResourceActionType, submissions int,
	) resource.TestStep {
		return resource.TestStep{
			Config:           b.provider("") + announcement,
			ConfigVariables:  config.Variables{"triggers": triggers},
			ConfigPlanChecks: planned(deployed, action),
			PostApplyFunc:    b.submitted(t, submissions),
		}
	}
	withoutTriggers := step(nil, updated, 0)
	withoutTriggers.ConfigVariables = nil
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers(),
		Steps: []resource.TestStep{
			step(release("1"), created, 1),
			step(release("2"), replaced, 1),
			step(none, replaced, 1),
			withoutTriggers,
		},
	})
}

// Under resend_on_change, a change submits a new notification. A change of resend_on_change itself
// submits nothing, even with another one.
func TestAccNotification_resendOnChange(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	step := func(
		resend bool, subject string, action plancheck.ResourceActionType, submissions int,
	) resource.TestStep {
		return resource.TestStep{
			Config: b.provider("") + announcement,
			ConfigVariables: config.Variables{
				"resend_on_change": config.BoolVariable(resend),
				"subject":          config.StringVariable(subject),
			},
			ConfigPlanChecks: planned(deployed, action),
			PostApplyFunc:    b.submitted(t, submissions),
		}
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers(),
		Steps: []resource.TestStep{
			step(false, "one", created, 1),
			step(true, "one", updated, 0),
			step(true, "two", replaced, 1),
			step(false, "three", updated, 0),
		},
	})
}

// Channels come from variables, from for_each, and from values that are known only after apply: as
// a whole, by element or by member. All of them are sent as they are.
func TestAccNotification_channels(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	channel := config.ObjectVariable(map[string]config.Variable{
		"type": config.StringVariable("slack"), "subject": config.StringVariable("one"),
	})
	variables := config.Variables{"channels": config.ListVariable(channel)}
	notifications := b.provider("") + `
variable "channels" {
  type = list(object({ type = string, subject = string }))
}

provider "echo" {
  data = { channels = var.channels, channel = var.channels[0], subject = "one" }
}

resource "echo" "later" {}

resource "notification_notification" "deployed" {
  priority = "HIGH"
  channels = var.channels
}

resource "notification_notification" "each" {
  for_each = { a = var.channels[0], b = { type = "slack", subject = "one" } }
  priority = "HIGH"
  channels = [each.value]
}

resource "notification_notification" "unknown" {
  priority = "HIGH"
  channels = echo.later.data.channels
}

resource "notification_notification" "unknown_element" {
  priority = "HIGH"
  channels = [echo.later.data.channel]
}

resource "notification_notification" "unknown_member" {
  priority = "HIGH"
  channels = [{ type = "slack", subject = echo.later.data.subject }]
}
`
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: withEcho(),
		Steps: []resource.TestStep{
			{
				Config:           notifications,
				ConfigVariables:  variables,
				ConfigPlanChecks: planned(deployed, created),
				PostApplyFunc: func() {
					for _, submission := range b.Ledger().Submissions {
						const want = `{"channels":[{"type":"slack","subject":"one"}],"priority":"HIGH"}`
						if string(submission.Body) != want {
							t.Errorf("the service received %s, want %s", submission.Body, want)
						}
					}
					b.submitted(t, 6)()
				},
			},
			{ // terraform-plugin-testing cannot read a final state with for_each
				Config:          notifications,
				ConfigVariables: variables,
				Destroy:         true,
				PostApplyFunc:   b.submitted(t, 0),
			},
		},
	})
}

// Write-only fields are sent with the others, and stored nowhere. A change of them alone is
// invisible.
func TestAccNotification_fieldsWO(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	const notification = `
resource "notification_notification" "deployed" {
  priority = "HIGH"
  channels = [{ type = "slack", fields = { user = "ada" }, fields_wo = { %s } }]
}
`
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks: needs(since{
			"write-only arguments", tfversion.Version1_11_0, tfversion.Version1_11_0,
		}),
		ProtoV6ProviderFactories: providers(),
		Steps: []resource.TestStep{
			{
				Config:      b.provider("") + fmt.Sprintf(notification, `user = "canary"`),
				ExpectError: says("Field given twice"),
			},
			{
				Config: b.provider("") + fmt.Sprintf(notification, `pin = "canary-1"`),
				ConfigStateChecks: has(deployed, map[string]knownvalue.Check{
					"channels": knownvalue.ListExact([]knownvalue.Check{
						knownvalue.ObjectPartial(map[string]knownvalue.Check{
							"fields":    knownvalue.MapSizeExact(1),
							"fields_wo": knownvalue.Null(),
						}),
					}),
				}),
				PostApplyFunc: func() {
					fields := b.Ledger().Submissions[0].Channels[0].Fields
					if len(fields) != 2 || fields["user"] != "ada" || fields["pin"] != "canary-1" {
						t.Errorf("the service received the fields %q", fields)
					}
					b.submitted(t, 1)()
				},
			},
			{
				Config:           b.provider("") + fmt.Sprintf(notification, `pin = "canary-2"`),
				ConfigPlanChecks: planned(deployed, noChange),
				PostApplyFunc:    b.submitted(t, 0),
			},
		},
	})
}

// Invalid arguments are errors in the plan, before anything is sent.
func TestAccNotification_invalidArguments(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	const channels = `channels = [{ type = "slack", subject = "one" }]`
	var steps []resource.TestStep
	for _, test := range []struct{ arguments, says string }{
		{`priority = "high"` + "\n" + channels, `Invalid priority ... Did you mean "HIGH"?`},
		{`priority = "HIGH"` + "\n" + `channels = []`, "at least 1"},
		{`priority = "HIGH"` + "\n" + `channels = [{ type = " ", recipient = [" "], subject = "" }]`,
			"channels[0].recipient[0] must not be blank"},
		{`priority = "HIGH"
  delivery        = "once"
  idempotency_key = "a key"
  timeouts        = { create = "soon" }
` + channels, "Invalid timeout"},
		{`priority = "HIGH"
  idempotency_key = "a-key"
` + channels, "needs the provider setting idempotency_key_header"},
	} {
		steps = append(steps, resource.TestStep{
			Config: b.provider("") + fmt.Sprintf(
				"resource \"notification_notification\" \"deployed\" {\n  %s\n}\n", test.arguments),
			ExpectError: says(test.says),
		})
	}
	resource.Test(t, resource.TestCase{ProtoV6ProviderFactories: providers(), Steps: steps})
}

// A channel that turns out to be invalid only in the apply is an error there, before anything is
// sent.
func TestAccNotification_invalidAfterApply(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: withEcho(),
		Steps: []resource.TestStep{{
			Config: b.provider("") + `
provider "echo" {
  data = " "
}

resource "echo" "later" {}

resource "notification_notification" "deployed" {
  priority = "HIGH"
  channels = [{ type = "slack", subject = echo.later.data }]
}
`,
			ExpectError: says("Blank value ... Nothing was sent."),
		}},
	})
}
