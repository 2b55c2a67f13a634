package acceptance

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Causes to submit again that the provider cannot influence, as the docs describe them.

func TestFailedProvisionerSendsAgain(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	const channels = `[{ type = "slack", subject = "one" }]`
	w.write(t,
		notificationWith(channels, "provisioner \"local-exec\" {\n    command = \"exit 1\"\n  }"))
	if output, status := w.terraform(t, "apply", "-no-color", "-input=false",
		"-auto-approve"); status != 1 {
		t.Fatalf("exit status %d\n%s", status, output)
	}
	w.submittedOnce(t, 1)
	w.ClearLedger()
	w.write(t, notificationWith(channels, ""))
	w.apply(t)
	w.submittedOnce(t, 1)
}

func TestShiftedCountSendsAgain(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		triggers string
		want     []string
	}{
		"without triggers":  {"", []string{"b"}},
		"the same triggers": {`triggers = { release = "1" }`, []string{"b"}},
		"triggers that differ": {
			`triggers = { name = var.names[count.index] }`, []string{"a", "b", "new"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t, nil)
			config := func(names string) string {
				return fmt.Sprintf(`
variable "names" {
  default = %s
}
resource "notification_notification" "n" {
  count    = length(var.names)
  priority = "HIGH"
  channels = [{ type = "slack", subject = var.names[count.index] }]
  %s
}
`, names, test.triggers)
			}
			w.write(t, config(`["a", "b"]`))
			w.apply(t)
			w.ClearLedger()
			w.write(t, config(`["new", "a", "b"]`))
			w.apply(t)
			var sent []string
			for _, submission := range w.Ledger().Submissions {
				sent = append(sent, submission.Channels[0].Subject)
			}
			slices.Sort(sent)
			if !slices.Equal(sent, test.want) {
				t.Errorf("sent %s, want %s", strings.Join(sent, ", "),
					strings.Join(test.want, ", "))
			}
		})
	}
}
