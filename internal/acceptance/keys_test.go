package acceptance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// newKeyedWorkspace has a service that recognises keys, and a provider that knows it.
func newKeyedWorkspace(t *testing.T, faults string) *workspace {
	t.Helper()
	w := newWorkspace(t, recognisingKeys)
	w.submissionsMeet(t, faults)
	w.setenv("NOTIFICATION_IDEMPOTENCY_KEY_HEADER", keyHeader)
	return w
}

// keyed are n notifications with a key each, beneath one that they share.
func keyed(n int) string {
	return fmt.Sprintf(`
resource "notification_notification" "n" {
  for_each        = { for i in range(%d) : tostring(i) => i }
  priority        = "NORMAL"
  idempotency_key = "canary-${each.key}"
  channels = [{ type = "slack", subject = "number ${each.key} " }]
}
`, n)
}

// However many answers are lost, each notification is there once, with its id in the state. A second
// apply under the same keys, as after a run that was killed before it could save anything, fetches
// the same ids.
func TestLostAnswersUnderKeys(t *testing.T) {
	t.Parallel()
	w := newKeyedWorkspace(t, "pass*4,reset-after,repeat")
	w.setenv("NOTIFICATION_MAX_RETRIES", "8")
	w.write(t, keyed(40))
	w.apply(t)
	ids := w.ids(t)
	distinct := slices.Compact(slices.Sorted(maps.Values(ids)))
	if got := w.Ledger().Repetitions; len(distinct) != 40 || got < 8 {
		t.Errorf("%d ids, %d repetitions", len(distinct), got)
	}
	w.holds(t, 40)
	w.must(t, "state", "rm", address)
	w.apply(t)
	w.holds(t, 40)
	if got := w.ids(t); !maps.Equal(got, ids) {
		t.Errorf("applied again: ids %v", got)
	}
}

// Nothing that was sent is sent again by the new setting, or by a first key.
func TestKeysOnAnEarlierState(t *testing.T) {
	t.Parallel()
	w := newKeyedWorkspace(t, "")
	w.copy(t, "testdata/states/0.1.0.tfstate", "terraform.tfstate")
	w.copy(t, "testdata/states/main.tf", "main.tf")
	w.settled(t, "the new setting")
	w.edit(t, `priority         = "NORMAL"`,
		`priority         = "NORMAL"`+"\n  idempotency_key = \"first\"")
	w.apply(t)
	w.silent(t, "apply with a first key")
}

// holds fails the test unless the service holds that many notifications.
func (w *workspace) holds(t *testing.T, want int) {
	t.Helper()
	if got := len(w.Ledger().Submissions); got != want {
		t.Errorf("%d notifications, want %d", got, want)
	}
}

// keyedRelease is a notification of a release under the key "a".
func keyedRelease(release, more string) string {
	return notificationWith(`[{ type = "slack", recipient = ["C1"], subject = "one" }]`, fmt.Sprintf(
		"idempotency_key = \"a\"\n  triggers = { release = %q }\n  %s", release, more))
}

// A release under the key of the old notification would notify nobody: it is refused in the plan, for
// an imported notification too. Where the old one may not have arrived, -replace under the key
// confirms it.
func TestKeyOfTheOldNotification(t *testing.T) {
	t.Parallel()
	w := newKeyedWorkspace(t, "reset-after")
	w.setenv("NOTIFICATION_MAX_RETRIES", "0")
	refused := func(release, more, way string) {
		t.Helper()
		w.write(t, keyedRelease(release, more))
		output, status := w.plan(t)
		if status != 1 || !strings.Contains(words(output), "may have been submitted under the same "+
			"idempotency_key") || strings.Contains(words(output), "undo this change and run: "+
			"terraform apply -replace=ADDRESS") != (way != "") {
			t.Errorf("exit status %d\n%s", status, output)
		}
	}
	const atMost = `delivery = "at_most_once"`
	w.write(t, keyedRelease("1", atMost))
	w.apply(t)
	refused("2", atMost, "-replace")
	w.write(t, keyedRelease("1", atMost))
	w.apply(t, "-replace="+address)
	if w.instances(t)[0].Attributes["confirmed"] != true {
		t.Errorf("%+v", w.instances(t))
	}
	refused("2", atMost, "")
	w.must(t, "state", "rm", address)
	w.write(t, keyedRelease("1", ""))
	w.must(t, "import", address, "unknown")
	w.apply(t) // fills in the arguments
	refused("2", "", "")
	w.holds(t, 1)
}
