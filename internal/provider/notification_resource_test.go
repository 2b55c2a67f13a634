package provider

import (
	"regexp"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"terraform-provider-notification/internal/emulator"
)

const deployed = "notification_notification.deployed"

var uuid = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// notification is a resource with channels and the given arguments.
func notification(subject, more string) string {
	return `
resource "notification_notification" "deployed" {
  priority = "HIGH"
  channels = [{
    type      = "slack"
    recipient = ["C024BE91L"]
    subject   = "` + subject + `"
  }]
` + more + `
}
`
}

func planned(want plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{
		PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(deployed, want)},
	}
}

// Each operation, one after the other, and how many notifications it submits.
func TestAccNotification_operations(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	sameID := statecheck.CompareValue(compare.ValuesSame())
	newID := statecheck.CompareValue(compare.ValuesDiffer())
	id := tfjsonpath.New("notification_id")
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{ // create
				Config:           b.config(notification("one", `triggers = { release = "1" }`)),
				ConfigPlanChecks: planned(plancheck.ResourceActionCreate),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(deployed, id, knownvalue.StringRegexp(uuid)),
					statecheck.ExpectKnownValue(deployed, tfjsonpath.New("submitted_at"),
						knownvalue.StringFunc(isRecent)),
					statecheck.ExpectKnownValue(deployed, tfjsonpath.New("as_submitted"),
						knownvalue.Bool(true)),
					statecheck.ExpectKnownValue(deployed, tfjsonpath.New("resend_on_change"),
						knownvalue.Bool(false)),
					delivery("at_least_once"), confirmed(knownvalue.Bool(true)),
					sameID.AddStateValue(deployed, id), newID.AddStateValue(deployed, id),
				},
			},
			{ // no change: neither plan nor refresh asks the service
				PreConfig: b.sent(t, 1),
				Config:    b.config(notification("one", `triggers = { release = "1" }`)),
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
			},
			{ // update in place: recorded, not sent
				PreConfig:        b.sent(t, 0),
				Config:           b.config(notification("two", `triggers = { release = "1" }`)),
				ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
				ConfigStateChecks: []statecheck.StateCheck{
					sameID.AddStateValue(deployed, id),
					statecheck.ExpectKnownValue(deployed, tfjsonpath.New("as_submitted"),
						knownvalue.Bool(false)),
					statecheck.ExpectKnownValue(deployed,
						tfjsonpath.New("channels").AtSliceIndex(0).AtMapKey("subject"),
						knownvalue.StringExact("two")),
				},
			},
			{ // other arguments
				PreConfig: b.sent(t, 0),
				Config: b.config(notification("two",
					"triggers = { release = \"1\" }\n  timeouts = { create = \"1m\" }")),
				ConfigPlanChecks:  planned(plancheck.ResourceActionUpdate),
				ConfigStateChecks: []statecheck.StateCheck{sameID.AddStateValue(deployed, id)},
			},
			{ // triggers: exactly one more
				PreConfig:         b.sent(t, 0),
				Config:            b.config(notification("two", `triggers = { release = "2" }`)),
				ConfigPlanChecks:  planned(plancheck.ResourceActionReplace),
				ConfigStateChecks: []statecheck.StateCheck{newID.AddStateValue(deployed, id)},
			},
			{ // destroy
				PreConfig: b.sent(t, 1),
				Config:    b.config(notification("two", `triggers = { release = "2" }`)),
				Destroy:   true,
			},
		},
	})
	b.sent(t, 0)()
}

// The submitted JSON contains what the configuration contains, and nothing else.
func TestAccNotification_request(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{{
			Config: b.config(`
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
}`),
		}},
	})
	want := `{"channels":[{"type":"slack"},` +
		`{"type":"email","recipient":["a@example.com","b@example.com"],` +
		`"subject":"checkout <1.4.2> & \"more\" ü",` +
		`"content_type":"md","template_id":"deployment",` +
		`"fields":{"empty":"","service":"checkout"}},` +
		`{"type":"sms","fields":{}}],"priority":"BATCH"}`
	if got := string(b.Ledger().Submissions[0].Body); got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	b.sent(t, 1)()
}

// Invalid values are reported by the plan, at the attribute, all at once. Nothing is submitted.
func TestAccNotification_invalid(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ arguments, want string }{
		"no channels":  {`channels = []`, `channels list must contain at least 1 elements`},
		"null channel": {`channels = [null]`, `null`},
		"no type":      {`channels = [{ subject = "x" }]`, `attribute "type" is required`},
		"blank type": {
			`channels = [{ type = " " }]`, `channels[0].type must not be blank`,
		},
		"no recipients": {
			`channels = [{ type = "x", recipient = [] }]`,
			`channels[0].recipient list must contain at least 1`,
		},
		"blank recipient": {
			`channels = [{ type = "x", recipient = ["a", ""] }]`,
			`channels[0].recipient[1] must not be blank`,
		},
		"null recipient": {`channels = [{ type = "x", recipient = [null] }]`, `null`},
		"blank subject": {
			`channels = [{ type = "x", subject = "" }]`, `channels[0].subject must not be blank`,
		},
		"blank content type": {
			`channels = [{ type = "x", content_type = "" }]`,
			`channels[0].content_type must not be blank`,
		},
		"blank template": {
			`channels = [{ type = "x", template_id = "\t" }]`,
			`channels[0].template_id must not be blank`,
		},
		"null field":          {`channels = [{ type = "x", fields = { a = null } }]`, `null`},
		"lower-case priority": {`priority = "high"`, `Did you mean "HIGH"?`},
		"unknown priority":    {`priority = "LOW"`, `must be one of HIGH, NORMAL, BATCH.`},
		"wrong timeout": {
			`timeouts = { create = "5 minutes" }`, `must be a duration above zero`,
		},
		"unknown delivery": {
			`delivery = "exactly_once"`, `delivery must be one of at_least_once, at_most_once`,
		},
		"misspelt delivery": {`delivery = "At-Most-Once"`, `Did you mean "at_most_once"?`},
		"no time":           {`timeouts = { create = "0s" }`, `must be a duration above zero`},
		"field twice": {
			`channels = [{ type = "x", fields = { a = "1", b = "2" }, fields_wo = { b = "3" } }]`,
			`fields_wo has a key that is also in fields`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBackend(t, nil)
			channels, priority := `channels = [{ type = "slack" }]`, `priority = "HIGH"`
			switch test.arguments[:8] {
			case "channels":
				channels = ""
			case "priority":
				priority = ""
			}
			resource.Test(t, resource.TestCase{
				ProtoV6ProviderFactories: providerFactories(),
				Steps: []resource.TestStep{{
					Config: b.config(`resource "notification_notification" "deployed" {` + "\n" +
						channels + "\n" + priority + "\n" + test.arguments + "\n}"),
					PlanOnly:    true,
					ExpectError: says(test.want),
				}},
			})
			b.sent(t, 0)()
		})
	}
}

// A notification that the service rejects is not in the state, and the next apply submits it.
func TestAccNotification_refused(t *testing.T) {
	t.Parallel()
	b := newBackend(t, func(c *emulator.Config) {
		c.Faults = emulator.Faults{"submission": "status:422"}
	})
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{
				Config: b.config(notification("one", "")),
				ExpectError: says("Unable to submit notification ... " +
					"422 Unprocessable Entity ... The notification was not submitted."),
			},
			{
				PreConfig: func() {
					if got := len(b.Ledger().Submissions); got != 0 {
						t.Errorf("%d submitted", got)
					}
					b.ClearLedger()
				},
				Config:           b.config(notification("one", "")),
				ConfigPlanChecks: planned(plancheck.ResourceActionCreate),
			},
		},
	})
	b.sent(t, 1)()
}

// timeouts.create bounds the submission.
func TestAccNotification_timeout(t *testing.T) {
	t.Parallel()
	b := newBackend(t, func(c *emulator.Config) {
		c.Faults = emulator.Faults{"submission": "status:429:60"}
	})
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{{
			Config:      b.config(notification("one", `timeouts = { create = "10s" }`)),
			ExpectError: says("due in 1m0s, but only ...s are left for the whole operation"),
		}},
	})
}

// A notification that was accepted without an id is not submitted again.
func TestAccNotification_withoutID(t *testing.T) {
	t.Parallel()
	b := newBackend(t, func(c *emulator.Config) {
		c.Faults = emulator.Faults{"submission": "no-id"}
	})
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{
				Config: b.config(notification("one", "")),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(deployed, tfjsonpath.New("notification_id"),
						knownvalue.Null()),
					statecheck.ExpectKnownValue(deployed, tfjsonpath.New("submitted_at"),
						knownvalue.StringFunc(isRecent)),
				},
			},
			{
				PreConfig: b.sent(t, 1),
				Config:    b.config(notification("one", "")),
				ConfigPlanChecks: resource.ConfigPlanChecks{
					PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
				},
			},
			{
				PreConfig:        b.sent(t, 0),
				Config:           b.config(notification("two", "")),
				ConfigPlanChecks: planned(plancheck.ResourceActionUpdate),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(deployed, tfjsonpath.New("notification_id"),
						knownvalue.Null()),
				},
			},
		},
	})
	b.sent(t, 0)()
}

func isRecent(text string) error {
	at, err := time.Parse("2006-01-02T15:04:05Z", text)
	if err == nil && time.Since(at).Abs() > time.Hour {
		err = &time.ParseError{Value: text, Message: " is not recent"}
	}
	return err
}
