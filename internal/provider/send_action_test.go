package provider

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/notification/terraform-provider-notification/internal/emulator"
)

var actions = since{feature: "actions", terraform: tfversion.Version1_14_0}

// deployment has an action that announces its creation and its updates.
const deployment = `
variable "release" {
  default = "1"
}

action "notification_send" "deployed" {
  config {
    priority        = "HIGH"
    channels        = [{ type = "slack", recipient = ["C024BE91L"], subject = "one" }]
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
	const sent = `{"channels":[{"type":"slack","recipient":["C024BE91L"],"subject":"one"}],` +
		`"priority":"HIGH"}`
	step := func(release string) resource.TestStep {
		return resource.TestStep{
			Config:          b.provider(withKeys) + deployment,
			ConfigVariables: config.Variables{"release": config.StringVariable(release)},
			ConfigStateChecks: []statecheck.StateCheck{
				b.content(sent, "checkout-"+release), b.submitted(1),
			},
		}
	}
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{actions},
		ProtoV6ProviderFactories: providers,
		Steps:                    []resource.TestStep{step("1"), step("2")},
	})
}

// invoke invokes the action, and returns the progress and the final event that Terraform receives.
func (s *testServer) invoke(
	ctx context.Context, t *testing.T, given map[string]any,
) (progress []string, completed *tfprotov6.CompletedInvokeActionEventType) {
	t.Helper()
	resp := must(s.InvokeAction(ctx, &tfprotov6.InvokeActionRequest{
		ActionType: "notification_send",
		Config:     s.value(t, s.schema.ActionSchemas["notification_send"].Schema, given),
	}))
	for event := range resp.Events {
		switch event := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			progress = append(progress, event.Message)
		case tfprotov6.CompletedInvokeActionEventType:
			completed = &event
		}
	}
	return progress, completed
}

// The action's progress, which Terraform prints without redaction, contains no content.
func TestSendAction(t *testing.T) {
	t.Parallel()
	const submitting = "Submitting a notification with priority HIGH through 1 channel"
	for fault, test := range map[string]struct {
		channels string
		says     string
		progress []string
	}{
		`json-after:{"notification_id":"n-1"}`: {
			aChannel, "",
			[]string{submitting, "The notification was submitted and has the id n-1"},
		},
		"reset-after": {
			aChannel, "Notification may have been submitted ... remove the action from its trigger ... " +
				"/test/docs/guides/troubleshooting#when-an-answer-is-lost", []string{submitting},
		},
		"status:422": {
			aChannel + "," + aChannel, "Unable to submit notification: ... 422",
			[]string{"Submitting a notification with priority HIGH through 2 channels"},
		},
		`json-after:{"error":"no_channel"}`: {
			aChannel, "Warning: Response without a notification id ... not delivered, run: ... -invoke=",
			[]string{submitting, `The service responded with 200 OK, but without an id, and says ` +
				`"no_channel" (IDS)`},
		},
	} {
		b := newBackend(t, emulator.Config{Faults: emulator.Faults{"submission": fault}})
		s := b.configure(t, nil)
		given := arguments(t, `{"priority":"HIGH","channels":[`+test.channels+`]}`)
		progress, completed := s.invoke(t.Context(), t, given)
		onlySays(t, fault, completed.Diagnostics, test.says)
		for i, message := range progress {
			progress[i] = regexp.MustCompile(`\(request id.*\)`).ReplaceAllString(message, "(IDS)")
		}
		if !slices.Equal(progress, test.progress) {
			t.Errorf("%s: %q, want %q", fault, progress, test.progress)
		}
		b.requested(t, "submission", "token")
	}
}

// Terraform drops the warnings of an action that a trigger invoked: so the progress says that not
// everyone may have been reached, but not in the service's words.
func TestSendAction_failures(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]string{
		http.StatusMultiStatus: "with status 207", http.StatusOK: "with an error in the response",
	} {
		service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = io.WriteString(w, `{"notification_id":"n-1","error":"C024BE91L is gone"}`)
		}))
		t.Cleanup(service.Close)
		b := newBackend(t, emulator.Config{})
		s := b.configure(t, map[string]any{"base_url": service.URL})
		progress, completed := s.invoke(t.Context(), t, arguments(t, anAnnouncement+"}"))
		onlySays(t, want, completed.Diagnostics, "Warning: Notification may not have reached everyone "+
			"(request id ... C024BE91L is gone")
		last := progress[len(progress)-1]
		if last != "The notification was submitted and has the id n-1, "+want {
			t.Errorf("%d: %q, want %s", status, last, want)
		}
		b.requested(t, "token")
	}
}

// After cancellation nothing is sent to the service or to Terraform.
func TestSendAction_cancelled(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	progress, completed := s.invoke(ctx, t, arguments(t, anAnnouncement+"}"))
	if len(progress) > 0 {
		t.Errorf("after cancellation Terraform received %q", progress)
	}
	onlySays(t, "cancelled", completed.Diagnostics, "Not submitted: ")
	s.requested(t)
}
