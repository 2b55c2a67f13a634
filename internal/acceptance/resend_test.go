package acceptance

import (
	"maps"
	"testing"
)

// With count, a new first element submits what stands last and, where triggers differ between
// elements, everything: the docs warn of it.
func TestShiftedCountSendsAgain(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	write := func(names string) {
		w.write(t, `
locals {
  names = `+names+`
}
resource "notification_notification" "plain" {
  count    = length(local.names)
  priority = "HIGH"
  channels = [{ type = "slack", subject = local.names[count.index] }]
}
resource "notification_notification" "triggered" {
  count    = length(local.names)
  priority = "HIGH"
  channels = [{ type = "slack", subject = "triggered ${local.names[count.index]}" }]
  triggers = { name = local.names[count.index] }
}
`)
	}
	write(`["a", "b"]`)
	w.apply(t)
	w.ClearLedger()
	write(`["new", "a", "b"]`)
	w.apply(t)
	want := map[string]int{"b": 1, "triggered a": 1, "triggered b": 1, "triggered new": 1}
	if got := w.subjects(); !maps.Equal(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
}
