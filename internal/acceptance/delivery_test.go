package acceptance

import (
	"fmt"
	"strings"
	"testing"
)

// every10thLost is a workspace in which the answer to every tenth submission is lost.
func every10thLost(t *testing.T, delivery string) *workspace {
	t.Helper()
	w := newWorkspace(t, nil)
	w.submissionsMeet(t, "pass*9,reset-after,repeat")
	config := strings.Replace(many(30, "one", "1"), "  triggers",
		fmt.Sprintf("  delivery = %q\n  triggers", delivery), 1)
	w.write(t, config)
	return w
}

// A lost answer is an error for that notification only. The next apply submits those notifications
// again, and no others.
func TestLostAnswersAtLeastOnce(t *testing.T) {
	t.Parallel()
	w := every10thLost(t, "at_least_once")
	output, status := w.tryApply(t)
	if got := strings.Count(output, "Error: Notification may have been submitted"); status != 1 ||
		got != 3 {
		t.Errorf("exit status %d, %d errors, want 3\n%s", status, got, output)
	}
	if got := w.Ledger().SubmissionRequests; got != 30 {
		t.Errorf("%d requests, want 30", got)
	}
	w.submittedOnce(t, 30)
	lost := map[string]bool{}
	for _, s := range w.Ledger().Submissions {
		if strings.Contains(output, s.RequestID+",") {
			lost[s.Channels[0].Subject] = true
		}
	}
	if ids := w.ids(t); len(ids) != 27 || len(lost) != 3 {
		t.Errorf("%d notifications in the state, want 27; the errors name %d of the lost", len(ids),
			len(lost))
	}

	w.stopLosing(t)
	w.apply(t)
	for _, s := range w.Ledger().Submissions {
		if !lost[s.Channels[0].Subject] {
			t.Errorf("%s was submitted again", s.Channels[0].Subject)
		}
	}
	w.submittedOnce(t, 3)
	if ids := w.ids(t); len(ids) != 30 {
		t.Errorf("%d notifications in the state, want 30", len(ids))
	}
}

// A lost answer is a warning that names the request. No later apply submits the notification again.
func TestLostAnswersAtMostOnce(t *testing.T) {
	t.Parallel()
	w := every10thLost(t, "at_most_once")
	output := w.apply(t)
	w.submittedOnce(t, 30)
	named := 0
	for _, s := range w.Ledger().Submissions {
		if strings.Contains(output, "(request id "+s.RequestID+")") {
			named++
		}
	}
	unconfirmed := 0
	all := w.instances(t)
	for _, i := range all {
		if i.Attributes["confirmed"] != (i.id() != "") || i.Attributes["submitted_at"] == nil {
			t.Errorf("%+v", i)
		}
		if i.id() == "" {
			unconfirmed++
		}
	}
	if len(all) != 30 || unconfirmed != 3 || named != 3 {
		t.Fatalf("%d in the state, %d unconfirmed, %d named\n%s", len(all), unconfirmed, named,
			output)
	}

	w.stopLosing(t)
	w.settled(t, "lost answers")
	w.silent(t, "plan after lost answers")
}

// A postcondition reports an unconfirmed notification in every plan, until it is submitted again.
func TestPostcondition(t *testing.T) {
	t.Parallel()
	if !hasVersion(t, "1.2") {
		skip(t, "needs Terraform 1.2")
	}
	w := newWorkspace(t, nil)
	w.submissionsMeet(t, "reset-after")
	write := func(release string) {
		w.write(t, notificationWith(`[{ type = "slack", subject = "release" }]`,
			`triggers = { release = "`+release+`" }
  delivery = "at_most_once"
  lifecycle {
    postcondition {
      condition     = self.confirmed != false
      error_message = "Nobody knows."
    }
  }`))
	}
	write("1")
	for _, args := range [][]string{{"apply", "-auto-approve"}, {"plan"}} {
		output, status := w.terraform(t, append(args, "-no-color", "-input=false")...)
		if status != 1 || !strings.Contains(output, "Nobody knows.") {
			t.Errorf("%s: exit status %d\n%s", args[0], status, output)
		}
	}
	w.submittedOnce(t, 1)
	w.ClearLedger()
	write("2")
	w.apply(t) // without an error: it is confirmed
	w.submittedOnce(t, 1)
}

// stopLosing removes the faults and clears the ledger.
func (w *workspace) stopLosing(t *testing.T) {
	t.Helper()
	w.submissionsMeet(t, "pass")
	w.ClearLedger()
}
