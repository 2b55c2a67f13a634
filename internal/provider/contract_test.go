package provider

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/echoprovider"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"terraform-provider-notification/internal/emulator"
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
	b.sent(t, 0)()
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
	b.sent(t, 0)()
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
	b.sent(t, 0)()
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
	b.sent(t, 0)()
}

// A lost answer is an error by default, and the next apply submits again. With at_most_once the
// notification is stored, and nothing but a replacement submits it again.
func TestAccNotification_delivery(t *testing.T) {
	t.Parallel()
	b := newBackend(t, func(c *emulator.Config) {
		c.Faults = emulator.Faults{"submission": "reset-after,reset-after"}
	})
	const atMost = `delivery = "at_most_once"`
	stored := b.step(t, notification("one", atMost), plancheck.ResourceActionCreate,
		has("notification_id", knownvalue.Null()), has("confirmed", knownvalue.Bool(false)),
		has("submitted_at", knownvalue.StringFunc(isRecent)))
	stored.PreConfig = b.sent(t, 1)
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{
				Config: b.config(notification("one", "")),
				ExpectError: says("Notification may have been submitted ... request id ... " +
					"terraform import ADDRESS"),
			},
			stored,
			b.step(t, notification("one", ""), plancheck.ResourceActionUpdate,
				has("confirmed", knownvalue.Bool(false))),
			b.step(t, notification("one", atMost+"\n  triggers = { release = \"2\" }"),
				plancheck.ResourceActionReplace, has("confirmed", knownvalue.Bool(true))),
		},
	})
	b.sent(t, 0)()
}

// What is wrong is an error of the plan, before anything is sent. What the service rejects is not
// stored, so that the next apply submits it.
func TestAccNotification_errors(t *testing.T) {
	t.Parallel()
	b := newBackend(t, func(c *emulator.Config) {
		c.Faults = emulator.Faults{"submission": "status:422"}
	})
	created := b.step(t, notification("one", ""), plancheck.ResourceActionCreate)
	created.PreConfig = b.ClearLedger
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{
				Config: b.config(notification(" ", "")), PlanOnly: true,
				ExpectError: says("channels[0].subject must not be blank"),
			},
			{
				PreConfig: b.sent(t, 0), Config: b.config(notification("one", "")),
				ExpectError: says("Unable to submit notification ... " +
					"Not submitted: 422 Unprocessable Entity"),
			},
			created,
		},
	})
	b.sent(t, 0)()
}

// Studies are what the service returned, every digit.
func TestAccStudies(t *testing.T) {
	t.Parallel()
	const study = `{"name":"A & ü","id":9007199254740993,"nothing":null,` +
		`"nested":{"list":[1,"two",[],{}],"ok":false},"ratio":0.1}`
	b := newBackend(t,
		func(c *emulator.Config) { c.Studies = []json.RawMessage{json.RawMessage(study)} })
	found := "data.notification_studies.found"
	asReturned := knownvalue.ObjectExact(map[string]knownvalue.Check{
		"name":    knownvalue.StringExact("A & ü"),
		"id":      knownvalue.Int64Exact(9007199254740993),
		"nothing": knownvalue.Null(),
		"ratio":   knownvalue.Float64Exact(0.1),
		"nested": knownvalue.ObjectExact(map[string]knownvalue.Check{
			"ok": knownvalue.Bool(false),
			"list": knownvalue.TupleExact([]knownvalue.Check{
				knownvalue.Int64Exact(1), knownvalue.StringExact("two"),
				knownvalue.TupleExact(nil), knownvalue.ObjectExact(nil),
			}),
		}),
	})
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{Config: b.config(lookUp(" ")), ExpectError: says("name must not be blank")},
			{
				PreConfig: b.sent(t, 0), Config: b.config(lookUp("A & ü")),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownValue(found,
						tfjsonpath.New("studies").AtSliceIndex(0), asReturned),
					statecheck.ExpectKnownValue(found, tfjsonpath.New("response_json"),
						knownvalue.StringExact("["+study+"]")),
				},
			},
			{
				Config: b.config(lookUp("none")),
				ConfigStateChecks: []statecheck.StateCheck{
					statecheck.ExpectKnownOutputValue("studies", knownvalue.TupleExact(nil)),
				},
			},
		},
	})
	if got := b.Ledger().SubmissionRequests; got != 0 {
		t.Errorf("%d submissions", got)
	}
}

// A token for other calls is ephemeral: only the echo provider, made for tests, stores it.
func TestAccAccessToken(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	factories := providerFactories()
	factories["echo"] = echoprovider.NewProviderServer()
	echo := fmt.Sprintf("required_providers {\n    echo = { source = %q }",
		path.Dir(testSource)+"/echo")
	config := strings.Replace(b.config(`
ephemeral "notification_access_token" "t" {
  scopes = ["notifications.read"]
}
provider "echo" {
  data = ephemeral.notification_access_token.t
}
resource "echo" "t" {}
`), "required_providers {", echo, 1)
	scopes := knownvalue.SetExact([]knownvalue.Check{knownvalue.StringExact("notifications.read")})
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{
			tfversion.SkipBelow(tfversion.Version1_10_0),
		},
		ProtoV6ProviderFactories: factories,
		Steps: []resource.TestStep{{
			Config: config,
			ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownValue("echo.t",
				tfjsonpath.New("data"), knownvalue.ObjectExact(map[string]knownvalue.Check{
					"access_token":   knownvalue.StringRegexp(regexp.MustCompile(`^\S{20,}$`)),
					"token_type":     knownvalue.StringExact("Bearer"),
					"expires_at":     knownvalue.NotNull(),
					"scopes":         scopes,
					"granted_scopes": scopes,
				}))},
		}},
	})
	ledger := b.Ledger()
	if ledger.TokenRequests == 0 || ledger.TokenRequests != len(ledger.Requests) {
		t.Errorf("requests: %v", ledger.Requests)
	}
}

// Triggered by a resource, the action submits once for each event.
func TestAccSendAction(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	config := func(release string) string {
		return b.config(`
action "notification_send" "announce" {
  config {
    priority = "HIGH"
    channels = [{ type = "slack", subject = "release ` + release + `" }]
  }
}
resource "terraform_data" "deployment" {
  input = "` + release + `"
  lifecycle {
    action_trigger {
      events  = [after_create, after_update]
      actions = [action.notification_send.announce]
    }
  }
}
`)
	}
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks: []tfversion.TerraformVersionCheck{
			tfversion.SkipBelow(tfversion.Version1_14_0),
		},
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{Config: config("1")},
			{PreConfig: b.sent(t, 1), Config: config("1")},
			{PreConfig: b.sent(t, 0), Config: config("2")},
		},
	})
	b.sent(t, 1)()
}
