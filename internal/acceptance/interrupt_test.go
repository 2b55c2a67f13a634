//go:build unix

package acceptance

import (
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"terraform-provider-notification/internal/emulator/ledger"
)

// Neither Ctrl-C nor what ends a job loses the id of a notification that was sent and not answered
// yet. Nothing new starts.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	type interrupted struct {
		*workspace

		end func() string
	}
	applies := map[string]interrupted{} // all are started before one is waited for
	for name, test := range map[string]struct {
		signal syscall.Signal
		group  bool
	}{
		"SIGINT to terraform alone":    {syscall.SIGINT, false},
		"SIGINT to the process group":  {syscall.SIGINT, true},
		"SIGTERM to the process group": {syscall.SIGTERM, true},
	} {
		if (!test.group || test.signal == syscall.SIGTERM) && !hasVersion(t, "1.2") {
			continue // Terraform 1.0 runs as a child of itself, which gets no signal, or SIGTERM twice
		}
		w := newWorkspace(t, nil)
		w.submissionsMeet(t, "delay:4s,repeat")
		w.write(t, many(3, "one", "1"))
		applies[name] = interrupted{w, w.interruptedApply(t, test.signal, test.group)}
	}
	for name, w := range applies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			output := w.end()
			ledger := w.Ledger()
			if ledger.SubmissionRequests != 1 || len(ledger.Submissions) != 1 {
				t.Fatalf("%d requests, %d submissions\n%s", ledger.SubmissionRequests,
					len(ledger.Submissions), output)
			}
			ids := w.ids(t)
			if len(ids) != 1 {
				t.Fatalf("the state has %v\n%s", ids, output)
			}
			for _, id := range ids {
				if id != ledger.Submissions[0].NotificationID {
					t.Errorf("the state has id %s, the service %s", id,
						ledger.Submissions[0].NotificationID)
				}
			}
		})
	}
}

// With delivery = "at_most_once", Ctrl-C does not lose a notification whose answer never arrives.
func TestInterruptAtMostOnce(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.submissionsMeet(t, "hang,repeat")
	w.setenv("NOTIFICATION_REQUEST_TIMEOUT", "3s") // less than the grace period: a faster test
	w.write(t,
		strings.Replace(many(3, "one", "1"), "triggers", "delivery = \"at_most_once\"\n  triggers",
			1))
	output := w.interruptedApply(t, syscall.SIGINT, true)()
	if got := w.Ledger().SubmissionRequests; got != 1 {
		t.Errorf("%d requests", got)
	}
	all := w.instances(t)
	if len(all) != 1 || all[0].id() != "" || all[0].Attributes["confirmed"] != false {
		t.Errorf("the state has %+v\n%s", all, output)
	}
}

// A submission that is on its way when Terraform is killed is not cut off, and nothing new starts. The
// provider that Terraform leaves behind ends on SIGTERM.
func TestKill(t *testing.T) {
	t.Parallel()
	if !hasVersion(t, "1.2") {
		t.Skip("Terraform 1.0 runs as a child of itself, which is not killed")
	}
	w := newWorkspace(t, nil)
	w.submissionsMeet(t, "delay:3s,repeat")
	w.write(t, many(3, "one", "1"))
	open, inherited, err := os.Pipe() // to whatever Terraform starts
	if err != nil {
		t.Fatal(err)
	}
	cmd, _, _ := w.command(t, applyArgs("-parallelism=1")...)
	cmd.ExtraFiles = []*os.File{inherited}
	leaveNothing(t, cmd)
	if err := errors.Join(cmd.Start(), inherited.Close()); err != nil {
		t.Fatal(err)
	}
	w.awaitSubmissions(t, 1)
	kill(t, cmd.Process.Pid, syscall.SIGKILL)
	_ = cmd.Wait() // with an error: it was killed
	last := func() ledger.Request { all := w.Ledger().Requests; return all[len(all)-1] }
	for tick := time.Tick(20 * time.Millisecond); last().Status == 0 && last().Reason == ""; {
		<-tick
	}
	kill(t, -cmd.Process.Pid, syscall.SIGTERM)
	if err := open.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(open); err != nil {
		t.Errorf("the provider lives on: %v", err)
	}
	if got := w.Ledger().SubmissionRequests; got != 1 || last().Status != http.StatusCreated {
		t.Errorf("%d submissions, the last request is %+v", got, last())
	}
}

// leaveNothing ends the provider that a killed Terraform leaves behind, after the test.
func leaveNothing(t *testing.T, terraform *exec.Cmd) {
	terraform.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	t.Cleanup(func() {
		_ = syscall.Kill(-terraform.Process.Pid, syscall.SIGTERM) // fails where nothing is left
	})
}

// interruptedApply applies, and sends a signal when the first submission has arrived: to Terraform
// alone or, as a terminal and whatever ends a job do, to its process group, which includes the
// provider. What it returns waits for the end of Terraform, and returns what it printed.
func (w *workspace) interruptedApply(
	t *testing.T, signal syscall.Signal, group bool,
) (end func() string) {
	t.Helper()
	cmd, stdout, stderr := w.command(t, applyArgs("-parallelism=1")...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.awaitSubmissions(t, 1)
	process := cmd.Process.Pid
	if group {
		process = -process
	}
	kill(t, process, signal)
	return func() string {
		_ = cmd.Wait() // with an error: it was interrupted
		return stdout.String() + stderr.String()
	}
}
