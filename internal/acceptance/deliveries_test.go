package acceptance

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// announce writes oneNotification with further arguments, after other blocks.
func (w *workspace) announce(t *testing.T, arguments string, blocks ...string) {
	t.Helper()
	w.write(t, strings.Join(blocks, "")+strings.TrimSuffix(oneNotification, "}\n")+arguments+"\n}\n")
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

// Under a key, a submission whose response is lost is retried, and the service recognises it.
// Another key submits a new notification; removing one does not. A new notification under the old
// key is an error.
func TestIdempotencyKey(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.setenv("NOTIFICATION_IDEMPOTENCY_KEY_HEADER", keyHeader)
	w.keepProvider(t)
	w.setSubmissionFaults(t, "reset-after")
	w.announce(t, "  idempotency_key = \"checkout-1\"")
	w.apply(t)
	one, ledger := w.only(t), w.Ledger()
	if got := ledger.Submissions[0]; ledger.SubmissionRequests != 2 || one["confirmed"] != true ||
		one["id"] != got.NotificationID || got.IdempotencyKey != "checkout-1" {
		t.Errorf("the service accepted %+v, the state has %v", ledger.Submissions, one)
	}
	w.sent(t, "one")
	w.announce(t, "  idempotency_key = \"checkout-2\"")
	w.apply(t)
	w.sent(t, "one")
	w.announce(t, "  idempotency_key = \"checkout-2\"\n  triggers = { release = \"2\" }")
	w.fail(t, "A new notification needs another idempotency key")
	w.announce(t, "")
	w.apply(t)
	w.sent(t)
}

// A secret in the provider block is used instead of the one in the environment, as soon as it is
// known. A lookup needs it in the plan. So does a change resend_on_change.
func TestKnownAfterApply(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.setenv("NOTIFICATION_CLIENT_SECRET", "canary-wrong")
	w.keepProvider(t)
	const secret = `
resource "fake_later" "secret" {
  input = "` + testSecret + `"
}
provider "notification" {
  client_secret = fake_later.secret.output
}
`
	w.write(t, secret+"data \"notification_studies\" \"s\" {\n  name = \"ATLAS\"\n}\n")
	w.fail(t, "known only after apply: client_secret")
	w.sent(t)
	w.announce(t, "", secret)
	w.apply(t)
	w.sent(t, "one")
	w.announce(t, "  resend_on_change = fake_later.resend.output", secret, `
resource "fake_later" "resend" {
  input = true
}
`)
	w.edit(t, `"HIGH"`, `"BATCH"`)
	w.fail(t, "resend_on_change must be known in the plan")
	w.sent(t)
}

// A move sends what the old resource would have sent: nothing for the release that it announced,
// one notification for another release.
func TestMoveFromAnotherType(t *testing.T) {
	t.Parallel()
	skipWithout(t, "1.8")
	w := newWorkspace(t, nil)
	w.keepProvider(t)
	const triggers = "  triggers = { release = var.release }"
	const release = "variable \"release\" {\n  type = string\n}\n"
	// The old resource has the release 1.4.2.
	for next, want := range map[string][]string{"1.4.2": nil, "1.4.3": {"one"}} {
		w.write(t, release+`
resource "terraform_data" "before" {
  triggers_replace = { release = var.release }
}
`)
		w.apply(t)
		w.announce(t, triggers, release, `
moved {
  from = terraform_data.before
  to   = notification_notification.one
}
`)
		w.apply(t, "-var=release="+next)
		w.sent(t, want...)
	}
	w.apply(t, "-var=release=1.4.4")
	w.sent(t, "one")
}
