package acceptance

import (
	"fmt"
	"testing"
)

// deploymentWithAction is a deployment that an action announces on the given event.
func deploymentWithAction(release, event, more, provisioner string) string {
	return fmt.Sprintf(`
action "notification_send" "announce" {
  config {
    priority = "HIGH"
    channels = [{ type = "slack", subject = "release" }]
  }
}
resource "terraform_data" "deployment" {
  input = %q
  %s
  lifecycle {
    action_trigger {
      events  = [%s]
      actions = [action.notification_send.announce]
      %s
    }
  }
}
`, release, provisioner, event, more)
}

// What the documentation of the action says about versions of Terraform. The test fails when a new
// version behaves differently.
func TestActionAfterFailedDeployment(t *testing.T) {
	t.Parallel()
	if !hasActions(t) {
		t.Skip("needs Terraform 1.14")
	}
	w := newWorkspace(t, nil)
	want := 0
	if hasVersion(t, "1.16") {
		want = 1
	}
	w.write(t,
		deploymentWithAction("1", "after_create", "",
			"provisioner \"local-exec\" {\n    command = \"exit 1\"\n  }"))
	if output, status := w.tryApply(t); status != 1 {
		t.Errorf("exit status %d\n%s", status, output)
	}
	w.submittedOnce(t, want)
}

// After a failure: how the run ends, and what the next apply submits.
func TestActionFailures(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		needs, event, more string
		after              bool // a successful apply, with another event
		command            []string
		status, next       int
	}{
		"after_create":  {needs: "1.14", event: "after_create", status: 1},
		"before_create": {needs: "1.14", event: "before_create", status: 1, next: 1},
		"after_update":  {needs: "1.14", event: "after_update", after: true, status: 1},
		"before_update": {needs: "1.14", event: "before_update", after: true, status: 1, next: 1},
		"continue":      {needs: "1.16", event: "after_create", more: "on_failure = continue"},
		"taint": {
			needs: "1.16", event: "after_create", more: "on_failure = taint", status: 1, next: 1,
		},
		"taint after an update": {
			needs: "1.16", event: "after_update", more: "on_failure = taint", after: true, status: 1,
		},
		"before_destroy, full": {
			needs: "1.16", event: "before_destroy", after: true, command: []string{"destroy"},
		},
		"after_destroy, full": {
			needs: "1.16", event: "after_destroy", after: true, command: []string{"destroy"},
		},
		"before_destroy, partly": {
			needs: "1.16", event: "before_destroy", after: true,
			command: []string{"apply", "-replace=terraform_data.deployment"}, status: 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if !hasActions(t) || !hasVersion(t, test.needs) {
				t.Skip("needs Terraform", test.needs)
			}
			w := newWorkspace(t, nil)
			release := "1"
			if test.after {
				w.write(t, deploymentWithAction(release, test.event, test.more, ""))
				w.apply(t)
				release = "2"
			}
			w.submissionsMeet(t, "status:422")
			w.ClearLedger()
			w.write(t, deploymentWithAction(release, test.event, test.more, ""))
			if test.command == nil {
				test.command = []string{"apply"}
			}
			args := append(test.command, "-no-color", "-input=false", "-auto-approve")
			output, status := w.terraform(t, args...)
			if got := w.Ledger().SubmissionRequests; status != test.status || got != 1 {
				t.Errorf("exit status %d, %d submissions\n%s", status, got, output)
			}
			w.ClearLedger()
			if len(test.command) == 1 && test.command[0] == "apply" {
				w.apply(t)
				if got := w.Ledger().SubmissionRequests; got != test.next {
					t.Errorf("the next apply made %d submissions, want %d", got, test.next)
				}
			}
		})
	}
}
