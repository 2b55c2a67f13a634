package acceptance

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Warnings in a plan are still true when unknown values become known. For misspelt members, which
// Terraform silently drops, a warning is the only hint. One configuration has a notification for
// each case, since with -json Terraform does not combine their warnings.
func TestWarningsBeforeAllIsKnown(t *testing.T) {
	t.Parallel()
	const (
		notSent     = "Changes to a notification are not sent by themselves"
		noRecipient = "Channel without recipient"
		noContent   = "Channel without content"

		one   = `channels = [{ type = "LABEL", recipient = ["C1"], subject = "one" }]`
		later = `channels = [{ type = "LABEL", recipient = ["C1"], subject = LATER.subject }]`
		maybe = `triggers = { a = "1" }
  channels = [{
    type      = "LABEL"
    recipient = LATER.subject == "two" ? ["C1"] : null
    subject   = LATER.subject == "two" ? "one" : null
  }]`
	)
	tests := map[string]struct {
		after       string   // arguments of the change; those before are one
		subject     string   // the value of LATER after apply; one unless given
		plan, apply []string // summaries, sorted
		sends       int
	}{
		"change_that_is_none": {after: later, plan: []string{notSent}},
		"change": {
			after: later, subject: "two", plan: []string{notSent}, apply: []string{notSent},
		},
		"members_that_turn_out_null": {after: maybe, apply: []string{noContent, noRecipient}, sends: 1},
		"misspelt_members": {
			after: `channels = [{ type = "LABEL", recipients = ["C1"], subjekt = "one" }]`,
			plan:  []string{notSent, noContent, noRecipient},
			apply: []string{notSent, noContent, noRecipient},
		},
	}
	var before, after strings.Builder
	for label, test := range tests {
		resources := func(subject, tick, arguments string) string {
			return strings.NewReplacer("LATER", "fake_later."+label+".output", "LABEL", label).Replace(
				fmt.Sprintf(`
resource "fake_later" "LABEL" {
  input = { subject = %q, tick = %q }
}
resource "notification_notification" "LABEL" {
  priority = "HIGH"
  %s
}
`, subject, tick, arguments))
		}
		before.WriteString(resources("one", "1", one))
		after.WriteString(resources(cmp.Or(test.subject, "one"), "2", test.after))
	}
	w := newWorkspace(t, nil)
	w.keepProvider(t)
	w.write(t, before.String())
	w.apply(t)
	w.ClearLedger()
	w.write(t, after.String())
	planned := w.summaries(t, "plan", "-json", "-out=planned")
	w.sent(t)
	applied := w.summaries(t, "apply", "-json", "planned")
	sent := map[string]int{}
	for _, submission := range w.Ledger().Submissions {
		sent[submission.Channels[0].Type]++
	}
	for label, test := range tests {
		if !slices.Equal(planned[label], test.plan) || !slices.Equal(applied[label], test.apply) ||
			sent[label] != test.sends {
			t.Errorf("%s: the plan says %q, the apply %q, with %d submissions", label, planned[label],
				applied[label], sent[label])
		}
	}
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
