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

// The key of an imported notification counts as used: a release under it would notify nobody.
func TestKeyAfterAnImport(t *testing.T) {
	t.Parallel()
	w := newKeyedWorkspace(t, "")
	w.write(t, keyedRelease("1", ""))
	w.apply(t)
	w.must(t, "state", "rm", address)
	w.must(t, "import", address, "unknown")
	w.apply(t) // fills in the arguments
	w.holds(t, 1)
	w.write(t, keyedRelease("2", ""))
	if output, status := w.plan(t); status != 1 || !strings.Contains(words(output),
		"the old notification was imported with the same idempotency_key") {
		t.Errorf("exit status %d\n%s", status, output)
	}
	w.write(t, keyedRelease("1", ""))
	output := w.apply(t, "-replace="+address)
	if !strings.Contains(output, "People may not have been notified again (request id ") {
		t.Error(output)
	}
	w.holds(t, 1)
}

// An unconfirmed notification may not have arrived: its key is no reason to say that it did, and
// -replace under the key confirms it.
func TestKeyOfAnUnconfirmedNotification(t *testing.T) {
	t.Parallel()
	w := newKeyedWorkspace(t, "reset-after")
	w.setenv("NOTIFICATION_MAX_RETRIES", "0")
	w.write(t, keyedRelease("1", `delivery = "at_most_once"`))
	w.apply(t)
	w.write(t, keyedRelease("2", `delivery = "at_most_once"`))
	if output, status := w.plan(t); status != 1 || !strings.Contains(words(output),
		"it is not known whether the service accepted the old notification") ||
		!strings.Contains(words(output), "undo this change and run: terraform apply -replace=ADDRESS") ||
		strings.Contains(words(output), "the old notification was submitted") {
		t.Errorf("exit status %d\n%s", status, output)
	}
	w.write(t, keyedRelease("1", `delivery = "at_most_once"`))
	output := w.apply(t, "-replace="+address)
	if strings.Contains(output, "again (") || strings.Contains(output, "Idempotency key") ||
		w.instances(t)[0].Attributes["confirmed"] != true {
		t.Error(output)
	}
	w.holds(t, 1)
}

// Two notifications under one key are one to the service, which a plan shows before the second is
// submitted, whether that is created or changed.
func TestSharedKey(t *testing.T) {
	t.Parallel()
	w := newKeyedWorkspace(t, "")
	config := func(names string) string {
		return keyedRelease("1", "for_each = toset(["+names+"])")
	}
	const warning = "Idempotency key of another notification"
	w.write(t, config(`"one"`))
	if output := w.apply(t); strings.Contains(output, warning) {
		t.Error(output)
	}
	w.write(t, config(`"one", "two"`))
	if output, status := w.plan(t); status != 2 || strings.Count(output, warning) != 1 {
		t.Errorf("exit status %d\n%s", status, output)
	}
	w.apply(t)
	w.holds(t, 1)
	w.write(t, strings.Replace(config(`"one", "two"`), `"a"`, "each.key == \"one\" ? \"a\" : \"b\"", 1))
	w.apply(t)
	w.write(t, config(`"one", "two"`))
	if output, status := w.plan(t); status != 2 || strings.Count(output, warning) != 1 {
		t.Errorf("exit status %d\n%s", status, output)
	}
	if output := w.must(t, "destroy", "-no-color", "-auto-approve"); strings.Contains(output, "Nobody") {
		t.Error(output)
	}
}
