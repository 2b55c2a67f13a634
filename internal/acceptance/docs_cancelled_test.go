//go:build unix

package acceptance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// GitHub signals nothing but the shell of a step: first SIGINT, then SIGTERM. What is left of the
// job is killed. As the step stands, the shell is Terraform by then: what was sent is saved, and
// nothing else is sent. Without exec Terraform goes on, and what it sends last is lost.
func TestCancelledJob(t *testing.T) {
	t.Parallel()
	if !hasVersion(t, "1.2") {
		t.Skip("Terraform 1.0 runs as a child of itself, which does not receive the signal")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	steps := jobsOf(t, "pipelines/github-actions.yml").Steps["deploy"]
	step := steps[len(steps)-1]
	for name, test := range map[string]struct {
		step  string
		sent  int
		saved bool // the last one
	}{
		"as it stands": {step, 1, true},
		"without exec": {strings.TrimPrefix(step, "exec "), 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t, nil)
			w.submissionsMeet(t, "delay:4s,delay:1h")
			dir, err := commands()
			if err != nil {
				t.Fatal(err)
			}
			w.setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
			w.write(t, oneNotification+strings.Replace(
				strings.ReplaceAll(oneNotification, "one", "two"), "{\n",
				"{\n  depends_on = [notification_notification.one]\n", 1))
			w.put(t, "step.sh", test.step)
			cmd := exec.CommandContext(t.Context(), bash, "-e", "step.sh")
			cmd.Dir, cmd.Env = w.dir, w.env
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			shell, group := cmd.Process.Pid, -cmd.Process.Pid
			w.awaitSubmissions(t, 1)
			kill(t, shell, syscall.SIGINT)
			if test.sent > 1 {
				w.awaitSubmissions(t, test.sent)
				kill(t, shell, syscall.SIGTERM)
			}
			_ = cmd.Wait()                           // with an error: it was cancelled
			_ = syscall.Kill(group, syscall.SIGKILL) // if anything is left
			state := fileText(t, w.dir, "terraform.tfstate")
			sent := w.Ledger().Submissions
			if len(sent) != test.sent {
				t.Fatalf("%d notifications were submitted", len(sent))
			}
			id := sent[len(sent)-1].NotificationID
			if got := strings.Contains(state, id); got != test.saved {
				t.Errorf("the state has the last one: %t, want %t", got, test.saved)
			}
		})
	}
}

func kill(t *testing.T, process int, signal syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(process, signal); err != nil {
		t.Fatal(err)
	}
}

// awaitSubmissions waits until so many submissions have reached the emulator.
func (w *workspace) awaitSubmissions(t *testing.T, n int) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for w.Ledger().SubmissionRequests < n {
		<-tick.C
	}
}
