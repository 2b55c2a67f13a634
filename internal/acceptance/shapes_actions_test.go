package acceptance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// Actions accept channels in the same shapes.
func TestShapes_actions(t *testing.T) {
	t.Parallel()
	w := newActions(t)
	want := 0
	for origin := range origins {
		want += w.shapedActions(t, origin, origin, `{ type = "slack", subject = "hello" }`)
	}
	w.sendsOnce(t, want)
}

// An invalid channel of an action is rejected, by the plan if it is known then.
func TestShapes_wrongActions(t *testing.T) {
	t.Parallel()
	for _, origin := range []string{"any", "later"} {
		t.Run(origin, func(t *testing.T) {
			t.Parallel()
			w := newActions(t)
			for name, channel := range wrongChannels {
				w.shapedActions(t, name, origin, channel)
			}
			w.must(t, "get")
			output, status := w.tryApply(t)
			if applied := len(w.instances(t)) > 0; status != 1 || applied != (origin == "later") {
				t.Errorf("exit status %d, applied %t\n%s", status, applied, output)
			}
			for name := range wrongChannels {
				if len(errorsOf(output, name)) == 0 {
					t.Errorf("no error about %s\n%s", name, output)
				}
			}
			w.silent(t, "wrong channels")
		})
	}
}

// newActions is a workspace for actions; the test is skipped where Terraform has none.
func newActions(t *testing.T) *workspace {
	t.Helper()
	if !hasActions(t) {
		t.Skip("needs Terraform 1.14")
	}
	w := newWorkspace(t, nil)
	w.useFakeProvider(t)
	return w
}

// shapedActions writes a module with an action for each shape, and a resource that triggers them.
// It returns how many.
func (w *workspace) shapedActions(t *testing.T, folder, origin, channel string) int {
	t.Helper()
	from := w.shapedModule(t, folder, origin, channel)
	var body, actions strings.Builder
	for _, label := range slices.Sorted(maps.Keys(shapes)) {
		fmt.Fprintf(&actions, "action.notification_send.%s, ", label)
		fmt.Fprintf(&body, `
action "notification_send" %q {
  config {
    priority = "HIGH"
    channels = %s
  }
}
`, label, from.expand(shapes[label]))
	}
	w.put(t, folder+"/actions.tf", body.String()+fmt.Sprintf(`
resource "terraform_data" "deployment" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [%s]
    }
  }
}
`, actions.String()))
	return len(shapes)
}
