//go:build unix

package acceptance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// With the user's own keys, each notification is sent once, whatever happens to a run. The first
// run is killed, and its state is lost; the second has the same keys, and loses responses.
func TestKilledRunUnderKeysNotifiesOnce(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.setenv("NOTIFICATION_IDEMPOTENCY_KEY_HEADER", keyHeader)
	const n = 40
	w.write(t, fmt.Sprintf(`
resource "notification_notification" "n" {
  for_each        = { for i in range(%d) : tostring(i) => i }
  priority        = "NORMAL"
  idempotency_key = "canary-${each.key}"
  channels        = [{ type = "slack", subject = "number ${each.key} one" }]
}
`, n))
	w.setSubmissionFaults(t, "delay:300ms,repeat") // time for a busy machine to kill it
	cmd, _, _ := w.command(t, "apply")
	w.start(t, cmd, 15)
	kill(t, cmd.Process.Pid, syscall.SIGKILL)
	_ = cmd.Wait() // with an error: it was killed
	if got := len(w.Ledger().Submissions); got < 5 || got == n {
		t.Fatalf("%d notifications before the second run", got)
	}
	if err := os.RemoveAll(filepath.Join(w.dir, "terraform.tfstate")); err != nil {
		t.Fatal(err)
	}

	w.setSubmissionFaults(t, "pass*4,reset-after,repeat")
	w.apply(t, "-lock-timeout=30s")
	if got := w.Ledger().Repetitions; got < 5 {
		t.Errorf("%d repetitions", got)
	}
	ids := w.ids(t)
	for _, submission := range w.Ledger().Submissions {
		key := strings.TrimPrefix(submission.IdempotencyKey, "canary-")
		if ids[key] != submission.NotificationID {
			t.Errorf("notification %s has the id %q, want %q", key, ids[key], submission.NotificationID)
		}
	}
	w.sent(t, numbered(n, "one")...)
}
