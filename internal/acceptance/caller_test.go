package acceptance

import (
	"regexp"
	"testing"
)

// An action that reads caller is invoked for each instance of the resource. If one fails, the
// command in its error sends that one alone.
func TestFailedCallerIsAnnouncedAgain(t *testing.T) {
	t.Parallel()
	if !hasActions(t) || !hasVersion(t, "1.16") {
		t.Skip("needs Terraform 1.16") // has caller
	}
	w := newWorkspace(t, nil)
	w.keepProvider(t)
	w.write(t, `
resource "terraform_data" "service" {
  for_each = toset(["a", "b", "c"])
  input    = each.key
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.notification_send.deployed]
    }
  }
}
action "notification_send" "deployed" {
  config {
    priority = "HIGH"
    channels = [{ type = "slack", recipient = ["C1"], subject = caller.input }]
  }
}
`)
	w.setSubmissionFaults(t, "status:422")
	output, status := w.terraform(t, "apply")
	failed := regexp.MustCompile(`called\s+from\s+([^\s,]+)(?s:.*)add\s+-target=`).FindStringSubmatch(output)
	if status != 1 || failed == nil {
		t.Fatalf("exit status %d\n%s", status, output)
	}
	w.apply(t, "-invoke=action.notification_send.deployed", "-target="+failed[1])
	w.sent(t, "a", "b", "c")
}
