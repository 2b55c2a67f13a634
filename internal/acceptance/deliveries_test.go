package acceptance

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// announce writes oneNotification with further arguments.
func (w *workspace) announce(t *testing.T, arguments string) {
	t.Helper()
	w.write(t, strings.TrimSuffix(oneNotification, "}\n")+arguments+"\n}\n")
}

// fail runs an apply that must fail with an error like want, a regular expression whose spaces
// match any white space.
func (w *workspace) fail(t *testing.T, want string) {
	t.Helper()
	output, status := w.terraform(t, "apply")
	wrapped := strings.ReplaceAll(want, " ", `[\s│]+`)
	if status != 1 || !regexp.MustCompile(wrapped).MatchString(output) {
		t.Errorf("exit status %d, want %s in\n%s", status, want, output)
	}
}

// only returns the only notification of the state.
func (w *workspace) only(t *testing.T) map[string]any {
	t.Helper()
	all := w.instances(t)
	if len(all) != 1 {
		t.Fatalf("the state has %v", all)
	}
	return all[0].Attributes
}

// A notification that was not submitted within timeouts.create, by default 5 minutes, is not
// stored, not even with at_most_once: the next apply submits it. One without an id, or whose
// response was lost, is stored as unconfirmed, and never submitted again by itself.
func TestDelivery(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.setenv("NOTIFICATION_REQUEST_TIMEOUT", "2s")
	w.keepProvider(t)
	const once = "  delivery = \"at_most_once\"\n"
	const limited = once + "  timeouts = { create = \"30s\" }\n"
	w.setSubmissionFaults(t, "status:429:90000*2,empty,hang-after")
	w.announce(t, once)
	w.fail(t, `wait 25h0m0s, with only 4m5\ds left`)
	w.announce(t, limited)
	w.fail(t, `wait 25h0m0s, with only 2\ds left`)
	if all := w.instances(t); len(all) > 0 {
		t.Errorf("the state has %v", all)
	}
	unconfirmed := func() map[string]any {
		t.Helper()
		one := w.only(t)
		if one["id"] != nil || one["notification_id"] != nil || one["confirmed"] != false ||
			one["as_submitted"] != true {
			t.Errorf("the state has %v", one)
		}
		return one
	}
	w.ClearLedger()
	w.apply(t)
	unconfirmed()
	w.sent(t, "one")
	w.announce(t, limited+"  triggers = { release = \"2\" }\n")
	w.apply(t)
	at, err := time.Parse(time.RFC3339, unconfirmed()["submitted_at"].(string))
	if arrived := w.Ledger().Submissions[0].ReceivedAt; err != nil || at.After(arrived) {
		t.Errorf("submitted_at is %s, but the request arrived at %s, %v", at, arrived, err)
	}
	w.sent(t, "one")
	w.announce(t, "  triggers = { release = \"2\" }\n")
	w.apply(t)
	unconfirmed()
	w.sent(t)
}

// A move sends what the old resource would have sent, in the same apply.
func TestMoveFromAnotherType(t *testing.T) {
	t.Parallel()
	skipWithout(t, "1.8")
	w := newWorkspace(t, nil)
	w.keepProvider(t)
	w.write(t, `
resource "terraform_data" "before" {
  triggers_replace = { release = "1.4.2" }
}
`)
	w.apply(t)
	w.announce(t, `  triggers = { release = "1.4.3" }`)
	w.put(t, "moved.tf", `
moved {
  from = terraform_data.before
  to   = notification_notification.one
}
`)
	w.apply(t)
	w.sent(t, "one")
}
