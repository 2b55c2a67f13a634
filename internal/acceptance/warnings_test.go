package acceptance

import (
	"fmt"
	"strings"
	"testing"
)

// Summaries of the warnings of a plan.
const (
	notSent     = "Warning: Changes to a notification are not sent by themselves"
	undecided   = "Warning: resend_on_change will be known only after apply"
	noRecipient = "Warning: Channel without recipient"
	noContent   = "Warning: Channel without content"
)

// warned is a notification. Its subject and resend_on_change are known only after apply if the
// arguments say so.
func warned(subject, resend, tick string) string {
	return fmt.Sprintf(`
resource "fake_later" "values" {
  input = { subject = %[1]q, resend = %[2]q, tick = %[3]q }
}
locals {
  known = { subject = %[1]q, resend = %[2]q }
  later = fake_later.values.output
}
`, subject, resend, tick)
}

func notificationWith(channels, more string) string {
	return fmt.Sprintf(`resource "notification_notification" "n" {
  priority = "HIGH"
  channels = %s
  %s
}
`, channels, more)
}

// What warnings say is true, whatever Terraform does with the resource.
func TestWarnings(t *testing.T) {
	t.Parallel()
	const (
		known = `[{ type = "slack", recipient = ["C1"], subject = local.known.subject }]`
		later = `[{ type = "slack", recipient = ["C1"], subject = local.later.subject }]`
		wrong = `[
    { type = "slack", recipients = ["C1"], subject = local.known.subject },
    { type = "email", recipient = ["C1"], subjekt = local.known.subject },
    { type = "sms", recipients = ["C1"], subject = local.known.subject },
  ]`
		maybe = `[{
    type      = "slack"
    recipient = local.later.resend == "true" ? ["C1"] : null
    subject   = local.later.resend == "true" ? "one" : null
  }]`
	)
	states := map[string]string{} // by configuration of the notification
	for name, test := range map[string]struct {
		before, after    string
		subject, resend  string // of the second apply; "one" and "false" in the first
		replace          bool
		plan, apply      []string // texts in their outputs
		missing          []string // texts in neither
		planMissing      string   // text that is not in the output of plan
		applyMissing     string   // text that is not in the output of apply
		sends, exitApply int
	}{
		"a change under -replace": {
			before: notificationWith(known, ""), after: notificationWith(known, ""), subject: "two",
			replace: true,
			plan:    []string{notSent, "Unless Terraform replaces"}, sends: 1,
		},
		"an unknown change that is none": {
			before: notificationWith(known, ""), after: notificationWith(later, ""), subject: "one",
			plan: []string{notSent, "channels may change"}, missing: []string{"channels changed"},
			applyMissing: notSent,
		},
		"an unknown change with resend_on_change": {
			before: notificationWith(known, "resend_on_change = true"),
			after:  notificationWith(later, "resend_on_change = true"), subject: "one",
			plan: []string{"forces replacement"}, missing: []string{notSent, undecided}, sends: 1,
		},
		"unknown resend_on_change that is false": {
			before:  notificationWith(known, ""),
			after:   notificationWith(known, "resend_on_change = local.later.resend"),
			subject: "two",
			plan: []string{
				undecided, "channels changed, and resend_on_change decides", "Unless Terraform replaces",
			},
			apply: []string{notSent},
		},
		"unknown resend_on_change that is true": {
			before:  notificationWith(known, ""),
			after:   notificationWith(known, "resend_on_change = local.later.resend"),
			subject: "two",
			resend:  "true",
			plan:    []string{undecided, "inconsistent final plan"},
			apply:   []string{"inconsistent final plan"}, exitApply: 1,
		},
		"unknown resend_on_change without a change": {
			before:  notificationWith(known, ""),
			after:   notificationWith(known, "resend_on_change = local.later.resend"),
			subject: "one",
			missing: []string{undecided, notSent},
		},
		"misspelt members and new triggers": {
			before: notificationWith(known, ""),
			after:  notificationWith(wrong, `triggers = { a = "1" }`), subject: "two",
			plan: []string{
				noRecipient, "channels[0] and channels[2] have no recipient. Is a name misspelt?",
				noContent, "channels[1] has no subject, template_id or fields. Is a name misspelt?",
			},
			missing: []string{notSent}, sends: 1,
		},
		"a misspelt member in an edit": {
			before: notificationWith(known, ""),
			after: notificationWith(`[
    { type = "slack", recipient = ["C1"], subject = "two" },
    { type = "slack", recipient = ["C2"], subjekt = local.known.subject },
  ]`, ""), subject: "two",
			plan:    []string{noContent, "channels[1] has no subject, template_id", notSent},
			missing: []string{noRecipient},
		},
		"misspelt members and an edit of something else": {
			before: notificationWith(wrong, ""),
			after:  notificationWith(wrong, `delivery = "at_most_once"`), subject: "one",
			plan:    []string{"will be updated in-place"},
			missing: []string{noRecipient, noContent, notSent},
		},
		"members that turn out null": {
			before: notificationWith(known, ""),
			after:  notificationWith(maybe, `triggers = { a = "1" }`), subject: "two",
			planMissing: "Warning: Channel",
			apply:       []string{noRecipient, noContent}, sends: 1,
		},
		"members that turn out set": {
			before: notificationWith(known, ""),
			after:  notificationWith(maybe, `triggers = { a = "1" }`), subject: "two", resend: "true",
			missing: []string{noRecipient, noContent}, sends: 1,
		},
		"elements of members, delivery and triggers": {
			before: notificationWith(known, ""),
			after: notificationWith(`[{
    type      = "slack"
    recipient = [local.later.tick, "x"]
    fields    = { a = local.later.tick }
  }]`, `delivery = local.later.subject
  triggers = { a = local.later.tick }`), subject: "at_most_once",
			plan: []string{"forces replacement"}, missing: []string{notSent}, sends: 1,
		},
	} {
		if states[test.before] == "" {
			states[test.before] = applied(t, warned("one", "false", "1")+test.before)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t, nil)
			w.useFakeProvider(t)
			w.put(t, "terraform.tfstate", states[test.before])
			if test.resend == "" {
				test.resend = "false"
			}
			w.write(t, warned(test.subject, test.resend, "2")+test.after)
			args := []string{"plan", "-no-color", "-input=false", "-out=planned"}
			if test.replace {
				args = append(args, "-replace=notification_notification.n")
			}
			planned := words(w.must(t, args...))
			w.silent(t, "plan")
			applied, status := w.terraform(t, "apply", "-no-color", "-input=false", "planned")
			applied = words(applied)
			for _, want := range test.plan {
				if !strings.Contains(planned, want) {
					t.Errorf("plan does not say %q:\n%s", want, planned)
				}
			}
			for _, want := range test.apply {
				if !strings.Contains(applied, want) {
					t.Errorf("apply does not say %q:\n%s", want, applied)
				}
			}
			for _, not := range test.missing {
				if strings.Contains(planned+applied, not) {
					t.Errorf("it says %q:\n%s\n%s", not, planned, applied)
				}
			}
			if test.planMissing != "" && strings.Contains(planned, test.planMissing) {
				t.Errorf("plan says %q:\n%s", test.planMissing, planned)
			}
			if test.applyMissing != "" && strings.Contains(applied, test.applyMissing) {
				t.Errorf("apply says %q:\n%s", test.applyMissing, applied)
			}
			if got := w.Ledger().SubmissionRequests; got != test.sends || status != test.exitApply {
				t.Errorf("%d submissions, exit status %d\n%s", got, status, applied)
			}
		})
	}
}

// Terraform combines the warnings of many notifications. An import sends nothing, and draws none.
func TestWarnings_incompleteChannels(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	const channels = `[{ type = "slack", recipients = ["C1"], subject = each.key }]`
	write := func(release string) {
		w.write(t, notificationWith(channels, `for_each = toset(["a", "b", "c"])
  triggers = { release = "`+release+`" }`))
	}
	write("1")
	w.must(t, "import", "-input=false", `notification_notification.n["a"]`, "n-1")
	planned, _ := w.plan(t)
	planned = words(planned)
	if strings.Count(planned, "Warning: Channel") != 1 || !strings.Contains(planned, noRecipient) ||
		!strings.Contains(planned, "channels[0] has no recipient.") ||
		!strings.Contains(planned, "(and one more similar warning elsewhere)") {
		t.Errorf("the plan of two creations beside an import:\n%s", planned)
	}
	w.silent(t, "import and plan")
	w.apply(t)
	w.submittedOnce(t, 2)
	write("2")
	if planned, _ = w.plan(t); !strings.Contains(words(planned), "(and 2 more similar warnings") {
		t.Errorf("the plan of three replacements:\n%s", planned)
	}
}
