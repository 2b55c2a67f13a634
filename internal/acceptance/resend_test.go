package acceptance

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// With count, a new first element submits what stands last and, where triggers differ between
// elements, everything: the docs warn of it.
func TestShiftedCountSendsAgain(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		triggers string
		want     []string
	}{
		"without triggers": {"", []string{"b"}},
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
