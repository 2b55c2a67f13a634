package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"terraform-provider-notification/internal/emulator"
)

var actions = since{feature: "actions", terraform: tfversion.Version1_14_0}

// deployment has an action that announces its creation and its updates.
const deployment = `
variable "subject" {
  default = "one"
}

variable "release" {
  default = "1"
}

action "notification_send" "deployed" {
  config {
    priority        = "HIGH"
    channels        = [{ type = "slack", recipient = ["C024BE91L"], subject = var.subject }]
    idempotency_key = "checkout-${var.release}"
  }
}

resource "terraform_data" "deployment" {
  input = var.release
  lifecycle {
    action_trigger {
      events  = [after_create, after_update]
      actions = [action.notification_send.deployed]
    }
  }
}
`

// The action sends a notification each time it is triggered, under its key.
func TestAccSendAction_triggered(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	step := func(release string) resource.TestStep {
		return resource.TestStep{
			Config:          b.provider(withKeys) + deployment,
			ConfigVariables: config.Variables{"release": config.StringVariable(release)},
			PostApplyFunc: func() {
				b.checkBodies(t, `{"channels":[{"type":"slack","recipient":["C024BE91L"],`+
					`"subject":"one"}],"priority":"HIGH"}`)
				if got := b.Ledger().Submissions[0].IdempotencyKey; got != "checkout-"+release {
					t.Errorf("the key is %s", got)
				}
				b.submitted(t, 1)()
			},
		}
	}
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   needs(actions),
		ProtoV6ProviderFactories: providers(),
		Steps:                    []resource.TestStep{step("1"), step("2")},
	})
}

// A notification that the service rejects is an error of the apply, but the deployment stays. A
// variable that makes an argument invalid is an error of the plan: nothing is deployed or sent.
func TestAccSendAction_rejected(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{Faults: emulator.Faults{"submission": "status:422"}})
	deployed := b.provider(withKeys) + deployment
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   needs(actions),
		ProtoV6ProviderFactories: providers(),
		Steps: []resource.TestStep{
			{
				Config:      deployed,
				ExpectError: says("Unable to submit notification ... 422"),
			},
			{
				PreConfig: b.submitted(t, 1),
				Config:    deployed,
				ConfigVariables: config.Variables{
					"release": config.StringVariable("2"), "subject": config.StringVariable(" "),
				},
				ExpectError: says("pre-apply plan ... channels[0].subject must not be blank"),
			},
		},
	})
}
