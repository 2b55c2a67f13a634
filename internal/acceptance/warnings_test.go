package acceptance

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Summaries of the warnings of a plan.
const (
	notSent     = "Changes to a notification are not sent by themselves"
	undecided   = "resend_on_change will be known only after apply"
	noRecipient = "Channel without recipient"
	noContent   = "Channel without content"
)

func notificationWith(channels, more string) string {
	return fmt.Sprintf(`resource "notification_notification" "n" {
  priority = "HIGH"
  channels = %s
  %s
}
`, channels, more)
}

// What warnings say is true, whatever Terraform does with the resource. One configuration has a
// notification for each case, since with -json Terraform does not combine their warnings.
func TestWarnings(t *testing.T) {
	t.Parallel()
	const (
		known = `channels = [{ type = "LABEL", recipient = ["C1"], subject = KNOWN.subject }]`
		later = `channels = [{ type = "LABEL", recipient = ["C1"], subject = LATER.subject }]`
		maybe = `triggers = { a = "1" }
  channels = [{
    type      = "LABEL"
    recipient = LATER.resend == "true" ? ["C1"] : null
    subject   = LATER.resend == "true" ? "one" : null
  }]`
		wrong         = "channels = [{ type = \"LABEL\", recipients = [\"C1\"] }]\n  "
		resends       = "\n  resend_on_change = true"
		resendsLater  = "\n  resend_on_change = LATER.resend"
		inconsistency = "inconsistent final plan"
	)
	tests := map[string]struct {
		before, after   string   // arguments; KNOWN and LATER have the values that follow
		subject, resend string   // in after; "one" and "false" in before
		plan, apply     []string // expressions for all that each of them says, sorted
		sends           int
	}{
		"replace": { // by -replace
			before: known, after: known, subject: "two",
			plan: []string{notSent + ".*Unless Terraform replaces"}, sends: 1,
		},
		"unknown_change_that_is_none": {
			before: known, after: later, subject: "one",
			plan: []string{notSent + ".*channels may change"},
		},
		"unknown_change_with_resend": {
			before: known + resends, after: later + resends, subject: "one", sends: 1,
		},
		"unknown_resend_that_is_false": {
			before: known, after: known + resendsLater, subject: "two",
			plan: []string{
				undecided + ".*channels changed, and resend_on_change decides.*Unless Terraform replaces",
			},
			apply: []string{notSent},
		},
		"unknown_resend_that_is_true": {
			before: known, after: known + resendsLater, subject: "two", resend: "true",
			plan: []string{undecided + ".*" + inconsistency}, apply: []string{inconsistency},
		},
		"unknown_resend_without_a_change": {
			before: known, after: known + resendsLater, subject: "one",
		},
		"misspelt_member_in_an_edit": {
			before: known, subject: "two",
			after: `channels = [
    { type = "LABEL", recipient = ["C1"], subject = KNOWN.subject },
    { type = "LABEL", recipient = ["C2"], subjekt = KNOWN.subject },
  ]`,
			plan:  []string{notSent, noContent + ".*channels.1. has no subject, template_id"},
			apply: []string{notSent, noContent},
		},
		"misspelt_members_under_a_replacement": { // which Terraform plans twice
			before: wrong + `triggers = { a = "1" }`, after: wrong + `triggers = { a = "2" }`,
			plan: []string{noContent, noRecipient}, apply: []string{noContent, noRecipient}, sends: 1,
		},
		"members_that_turn_out_null": {
			before: known, after: maybe, apply: []string{noContent, noRecipient}, sends: 1,
		},
		"members_that_turn_out_set": {before: known, after: maybe, resend: "true", sends: 1},
		"unknown_elements": {
			before: known, subject: "at_most_once", sends: 1,
			after: `delivery = LATER.subject
  triggers = { a = LATER.tick }
  channels = [{
    type      = "LABEL"
    recipient = [LATER.tick, "x"]
    fields    = { a = LATER.tick }
  }]`,
		},
	}
	var before, after strings.Builder
	for label, test := range tests {
		names := strings.NewReplacer("LABEL", label, "KNOWN", "fake_later."+label+".input",
			"LATER", "fake_later."+label+".output")
		resource := func(subject, resend, tick, arguments string) string {
			return fmt.Sprintf(`
resource "fake_later" %q {
  input = { subject = %q, resend = %q, tick = %q }
}
resource "notification_notification" %q {
  priority = "HIGH"
  %s
}
`, label, subject, resend, tick, label, names.Replace(arguments))
		}
		before.WriteString(resource("one", "false", "1", test.before))
		after.WriteString(resource(test.subject, cmp.Or(test.resend, "false"), "2", test.after))
	}
	w := newWorkspace(t, nil)
	w.useFakeProvider(t)
	w.write(t, before.String())
	w.apply(t)
	w.ClearLedger()
	w.write(t, after.String())
	planned, status := w.diagnostics(t, "plan", "-json", "-input=false", "-out=planned",
		"-replace=notification_notification.replace")
	if status != 0 {
		t.Fatal(planned)
	}
	w.silent(t, "plan")
	applied, _ := w.diagnostics(t, "apply", "-json", "-input=false", "planned")
	sent := map[string]int{}
	for _, submission := range w.Ledger().Submissions {
		sent[submission.Channels[0].Type]++
	}
	for label, test := range tests {
		if got := planned[label]; !matchEach(got, test.plan) {
			t.Errorf("%s: the plan says %q", label, got)
		}
		if got := applied[label]; !matchEach(got, test.apply) {
			t.Errorf("%s: the apply says %q", label, got)
		}
		if sent[label] != test.sends {
			t.Errorf("%s: %d submissions", label, sent[label])
		}
	}
}

var addressed = regexp.MustCompile(`notification_notification\.(\w+)`)

// diagnostics are those of a command with -json, sorted, by the name of the resource.
func (w *workspace) diagnostics(
	t *testing.T, args ...string,
) (found map[string][]string, status int) {
	t.Helper()
	output, status := w.terraform(t, args...)
	found = map[string][]string{}
	for line := range strings.Lines(output) {
		var message struct {
			Diagnostic struct{ Address, Summary, Detail string }
		}
		read(t, line, &message)
		d := message.Diagnostic
		text := d.Summary + ": " + d.Detail
		if d.Address == "" { // errors of Terraform itself, which name the resource in each detail
			d.Address, text = d.Detail, d.Summary
		}
		if of := addressed.FindStringSubmatch(d.Address); of != nil {
			found[of[1]] = append(found[of[1]], text)
		}
	}
	for name, texts := range found {
		slices.Sort(texts)
		found[name] = slices.Compact(texts)
	}
	return found, status
}

// matchEach reports whether each text matches the expression in its place, and there are no more.
func matchEach(texts, expressions []string) bool {
	return slices.EqualFunc(texts, expressions, func(text, expression string) bool {
		return regexp.MustCompile("(?s)" + expression).MatchString(text)
	})
}

// Terraform combines the warnings of many notifications. An import sends nothing, and draws none.
func TestWarnings_incompleteChannels(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.write(t, notificationWith(`[{ type = "slack", recipients = ["C1"], subject = each.key }]`,
		`for_each = toset(["a", "b", "c"])`))
	w.must(t, "import", "-input=false", `notification_notification.n["a"]`, "n-1")
	planned, _ := w.plan(t)
	if strings.Count(words(planned), noRecipient+" ") != 1 {
		t.Errorf("the plan of two creations beside an import:\n%s", planned)
	}
	for line := range strings.Lines(w.must(t, "plan", "-json", "-input=false")) {
		if strings.Contains(line, noRecipient) && strings.Contains(line, `[\"a\"]`) {
			t.Errorf("the import: %s", line)
		}
	}
	w.silent(t, "import and plan")
}
