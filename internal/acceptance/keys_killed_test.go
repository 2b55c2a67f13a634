//go:build unix

package acceptance

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestKeyWalk edits, applies, kills, loses answers and forgets states at random. Whatever happens,
// the service holds one notification for each key under which it accepted one, and what the state holds
// with an id is the notification under its key.
func TestKeyWalk(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			w := newKeyedWorkspace(t, "")
			w.setenv("NOTIFICATION_MAX_RETRIES", "2")
			random := rand.New(rand.NewPCG(seed, 22))
			var log []string
			key, release, delivery := "k-0", 0, "at_least_once"
			for step := range 12 {
				switch random.IntN(4) {
				case 0:
					key = fmt.Sprintf("k-%d", random.IntN(4))
				case 1:
					release = random.IntN(3)
				case 2:
					delivery = pick(random, []string{"at_least_once", "at_most_once"})
				}
				// The content belongs to the key: another content would be rejected under it.
				w.write(t, notificationWith(
					fmt.Sprintf(`[{ type = "slack", subject = %q }]`, key),
					fmt.Sprintf("idempotency_key = %q\n  delivery = %q\n  triggers = { r = \"%d\" }",
						key, delivery, release)))
				faults := pick(random, []string{
					"", "reset-after", "status:500", "reset-after,status:400", "status:502,reset-after",
					"close-after*3", "status:409,status:429:0", "status:422", "reset-after*2,html",
					"delay:300ms", "delay:300ms,reset-after",
				})
				args := pick(random, [][]string{
					{"apply", "-auto-approve"}, {"apply", "-auto-approve"},
					{"apply", "-auto-approve", "-replace=" + address},
					{"destroy", "-auto-approve"}, {"state", "rm", address}, {"plan"},
				})
				if step == 0 { // so that there is something to lose
					faults, args = "", []string{"apply", "-auto-approve"}
				}
				w.submissionsMeet(t, faults)
				var output string
				var status int
				if strings.HasPrefix(faults, "delay") && args[0] == "apply" {
					output, status = w.killed(t, 1, args...)
				} else {
					output, status = w.terraform(t, args...)
				}
				log = append(log, fmt.Sprintf("%d. key %s, release %d, %s, faults %q: %v: %d", step,
					key, release, delivery, faults, args, status))
				w.oncePerKey(t, strings.Join(log, "\n")+"\n"+output)
			}
		})
	}
}

// killed runs a command that is killed when the service has received so many submissions, unless it
// ends before.
func (w *workspace) killed(t *testing.T, after int, args ...string) (output string, status int) {
	t.Helper()
	after += w.Ledger().SubmissionRequests
	cmd, stdout, stderr := w.command(t, args...)
	leaveNothing(t, cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // with an error where it was killed or failed
		close(ended)
	}()
	for tick := time.Tick(10 * time.Millisecond); w.Ledger().SubmissionRequests < after; {
		select {
		case <-ended:
			return stdout.String() + stderr.String(), cmd.ProcessState.ExitCode()
		case <-tick:
		}
	}
	_ = cmd.Process.Kill() // fails where it has just ended
	<-ended
	w.restoreState(t)
	return stdout.String() + stderr.String(), cmd.ProcessState.ExitCode()
}

// restoreState does what the guide tells users to do where Terraform was killed while it wrote the
// state: it takes the one before, if there is one.
func (w *workspace) restoreState(t *testing.T) {
	t.Helper()
	path := filepath.Join(w.dir, "terraform.tfstate")
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) || json.Valid(text) {
		return
	}
	if err = os.Rename(path+".backup", path); os.IsNotExist(err) {
		err = os.Remove(path)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// oncePerKey compares the service and the state.
func (w *workspace) oncePerKey(t *testing.T, history string) {
	t.Helper()
	held := map[string]string{} // subjects, which are the keys, by id
	keys := map[string]bool{}
	for _, s := range w.Ledger().Submissions {
		if keys[s.IdempotencyKey] || s.Channels[0].Subject != s.IdempotencyKey {
			t.Fatalf("two notifications under %s\n%s", s.IdempotencyKey, history)
		}
		keys[s.IdempotencyKey] = true
		held[s.NotificationID] = s.IdempotencyKey
	}
	for _, i := range w.instances(t) {
		id, key := i.id(), i.Attributes["idempotency_key"]
		if (i.Attributes["confirmed"] == true) != (id != "") || id != "" && held[id] != key {
			t.Fatalf("the state holds %+v under %s, the service %v\n%s", i, key, held, history)
		}
	}
}

// A run that is killed in the middle, and applied again under the same keys, notifies once.
func TestKilledRunUnderKeys(t *testing.T) {
	t.Parallel()
	if !hasVersion(t, "1.1") {
		skip(t, "Terraform 1.0 runs in a process below the one that is killed here")
	}
	w := newKeyedWorkspace(t, "delay:300ms,repeat") // time for a busy machine to kill it
	w.write(t, keyed(40))
	if _, status := w.killed(t, 15, applyArgs()...); status == 0 {
		t.Error("the run was not killed")
	}
	before := len(w.Ledger().Submissions)
	w.apply(t, "-lock-timeout=30s")
	w.holds(t, 40)
	distinct := slices.Compact(slices.Sorted(maps.Values(w.ids(t))))
	if before < 5 || before == 40 || len(distinct) != 40 || w.Ledger().Repetitions == 0 {
		t.Errorf("%d notifications before the second run, %d ids, %d repetitions", before,
			len(distinct), w.Ledger().Repetitions)
	}
}
