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
	step := func(release string, submissions int) resource.TestStep {
		return resource.TestStep{
			Config:          b.provider(`idempotency_key_header = "`+keyHeader+`"`) + deployment,
			ConfigVariables: config.Variables{"release": config.StringVariable(release)},
			PostApplyFunc: func() {
				for _, submission := range b.Ledger().Submissions {
					const want = `{"channels":[{"type":"slack","recipient":["C024BE91L"],` +
						`"subject":"one"}],"priority":"HIGH"}`
					if string(submission.Body) != want || submission.IdempotencyKey != "checkout-"+release {
						t.Errorf("the service received %s under %s", submission.Body,
							submission.IdempotencyKey)
					}
				}
				b.submitted(t, submissions)()
			},
		}
	}
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   needs(actions),
		ProtoV6ProviderFactories: providers(),
		Steps:                    []resource.TestStep{step("1", 1), step("2", 1)},
	})
}

// A notification that the service rejects is an error of the apply, but the deployment stays. A
// variable that makes an argument invalid is an error of the plan: nothing is deployed or sent.
func TestAccSendAction_rejected(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{Faults: emulator.Faults{"submission": "status:422"}})
	deployed := b.provider(`idempotency_key_header = "`+keyHeader+`"`) + deployment
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
				ExpectError: says("channels[0].subject must not be blank"),
			},
		},
	})
}
