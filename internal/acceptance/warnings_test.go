package acceptance

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Warnings in a plan are still true when unknown values become known, and then there may be more.
// For misspelt members, which Terraform silently drops, a warning is the only hint.
func TestWarningsBeforeAllIsKnown(t *testing.T) {
	t.Parallel()
	const (
		notSent     = "Changes to a notification are not sent by themselves"
		noRecipient = "Channel without recipient"
		noContent   = "Channel without content"
	)
	w := newWorkspace(t, nil)
	w.keepProvider(t)
	w.write(t, `
resource "fake_later" "subject" {
  input = "one"
}
resource "notification_notification" "null" {
  priority = "HIGH"
  channels = [{ type = "slack", recipient = ["C1"], subject = "one" }]
}
resource "notification_notification" "misspelt" {
  priority = "HIGH"
  channels = [{ type = "slack", recipient = ["C2"], subject = "one" }]
}
`)
	w.apply(t)
	w.ClearLedger()
	const output = "fake_later.subject.output"
	w.edit(t, `input = "one"`, `input = "two"`, `recipient = ["C2"], subject`, `recipients = ["C2"], subjekt`,
		`recipient = ["C1"], subject = "one"`,
		"recipient = "+output+` == "one" ? ["C1"] : null, subject = `+output+` == "one" ? "one" : null`)
	for _, step := range []struct {
		args           []string
		null, misspelt []string // sorted
	}{
		{
			[]string{"plan", "-json", "-out=planned"},
			[]string{notSent}, []string{notSent, noContent, noRecipient},
		},
		{
			[]string{"apply", "-json", "planned"},
			[]string{notSent, noContent, noRecipient}, []string{notSent, noContent, noRecipient},
		},
	} {
		got := w.summaries(t, step.args...)
		if !slices.Equal(got["null"], step.null) || !slices.Equal(got["misspelt"], step.misspelt) {
			t.Errorf("%s: %q", step.args, got)
		}
	}
	w.sent(t)
}

// summaries returns the diagnostic summaries of a command with -json, each once and sorted, by the
// name of the resource.
func (w *workspace) summaries(t *testing.T, args ...string) map[string][]string {
	t.Helper()
	output, _ := w.terraform(t, args...)
	found := map[string][]string{}
	resource := regexp.MustCompile(`notification_notification\.(\w+)`)
	for line := range strings.Lines(output) {
		var message struct {
			Diagnostic struct{ Address, Summary string }
		}
		read(t, line, &message)
		if name := resource.FindStringSubmatch(message.Diagnostic.Address); name != nil {
			found[name[1]] = append(found[name[1]], message.Diagnostic.Summary)
		}
	}
	for name, summaries := range found {
		slices.Sort(summaries)
		found[name] = slices.Compact(summaries)
	}
	return found
}
