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
	for origin := range origins {
		t.Run(origin, func(t *testing.T) {
			t.Parallel()
			if !hasActions(t) {
				t.Skip("needs Terraform 1.14")
			}
			w := newWorkspace(t, nil)
			const channel = `{ type = "slack", subject = "hello" }`
			labels := w.writeActions(t, origin, channel)
			w.sendsOnce(t, len(labels))
		})
	}
}

// An invalid channel of an action is rejected, by the plan if it is known then.
func TestShapes_wrongActions(t *testing.T) {
	t.Parallel()
	for name, channel := range wrongChannels {
		for _, origin := range []string{"variable of any type", "later"} {
			t.Run(name+" "+origin, func(t *testing.T) {
				t.Parallel()
				if !hasActions(t) {
					t.Skip("needs Terraform 1.14")
				}
				w := newWorkspace(t, nil)
				w.writeActions(t, origin, channel)
				if output, status := w.plan(t); status != 1 && origin != "later" {
					t.Errorf("plan: exit status %d\n%s", status, output)
				}
				if output, status := w.tryApply(t); status != 1 {
					t.Errorf("apply: exit status %d\n%s", status, output)
				}
				w.silent(t, name)
			})
		}
	}
}

// writeActions writes an action for each shape, and a resource that triggers them all.
func (w *workspace) writeActions(t *testing.T, origin, channel string) (labels []string) {
	t.Helper()
	w.useFakeProvider(t)
	from := origins[origin].of(channel)
	var body, actions strings.Builder
	for _, label := range slices.Sorted(maps.Keys(shapes)) {
		labels = append(labels, label)
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
	w.write(t, shapeVariables+from.declare+body.String()+fmt.Sprintf(`
resource "terraform_data" "deployment" {
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [%s]
    }
  }
}
`, actions.String()))
	return labels
}
