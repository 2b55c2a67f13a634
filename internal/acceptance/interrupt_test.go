//go:build unix

package acceptance

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/notification/terraform-provider-notification/internal/emulator/ledger"
)

// Neither Ctrl-C nor the end of a CI job, which signal the provider too, loses the id of a
// notification whose response is pending. Nothing new is submitted.
func TestInterruptKeepsTheID(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t, nil)
			w.setSubmissionFaults(t, "delay:2s,repeat")
			w.write(t, many(3, "one", "1"))
			cmd, stdout, stderr := w.command(t, "apply", "-parallelism=1")
			w.start(t, cmd, 1)
			kill(t, -cmd.Process.Pid, signal)
			_ = cmd.Wait() // with an error: it was interrupted
			ids, ledger := w.ids(t), w.Ledger()
			if len(ids) != 1 || len(ledger.Submissions) != 1 || ledger.SubmissionRequests != 1 {
				t.Fatalf("the state has %v, the service got %d submissions\n%s%s", ids,
					ledger.SubmissionRequests, stdout, stderr)
			}
			for _, id := range ids {
				if want := ledger.Submissions[0].NotificationID; id != want {
					t.Errorf("the state has id %s, the service %s", id, want)
				}
			}
		})
	}
}

// GitHub cancels a job by SIGINT, and sends SIGTERM 7.5 seconds later, after which Terraform would
// drop the error. Even if the service does not respond, Terraform ends before that, and reports
// what may have been submitted.
func TestCancelledJobReportsWhatMayHaveArrived(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.setSubmissionFaults(t, "hang")
	w.write(t, many(3, "one", "1"))
	cmd, stdout, stderr := w.command(t, "apply", "-parallelism=1")
	w.start(t, cmd, 1)
	kill(t, cmd.Process.Pid, syscall.SIGINT)
	second := time.AfterFunc(7500*time.Millisecond, func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // fails once Terraform has ended
	})
	_ = cmd.Wait() // with an error: it was interrupted
	if !second.Stop() {
		t.Error("Terraform still ran when the second signal came")
	}
	request := w.Ledger().Requests[1] // after the one for a token
	for _, part := range []string{
		"Error: Notification may have been submitted",
		"request id " + request.Headers["X-Request-Id"] + ", trace id ",
	} {
		if !strings.Contains(stderr.String(), part) {
			t.Errorf("the error lacks %q\n%s%s", part, stdout, stderr)
		}
	}
}

// A submission that is under way when Terraform is killed completes, and nothing new starts. The
// provider, which Terraform leaves behind, ends on SIGTERM.
func TestKilledTerraformFinishesItsSubmission(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.setSubmissionFaults(t, "delay:2s,repeat")
	w.write(t, many(3, "one", "1"))
	open, inherited, err := os.Pipe() // held open by every process that Terraform starts
	if err != nil {
		t.Fatal(err)
	}
	cmd, _, _ := w.command(t, "apply", "-parallelism=1")
	cmd.ExtraFiles = []*os.File{inherited}
	w.start(t, cmd, 1)
	if err := inherited.Close(); err != nil {
		t.Fatal(err)
	}
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
		t.Errorf("the provider still runs: %v", err)
	}
	if got := w.Ledger().SubmissionRequests; got != 1 || last().Status != http.StatusCreated {
		t.Errorf("%d submissions, the last request is %+v", got, last())
	}
}

// start starts a command and waits until n submissions have reached the emulator. After the test,
// it ends the providers that a killed Terraform leaves behind.
func (w *workspace) start(t *testing.T, terraform *exec.Cmd, n int) {
	t.Helper()
	terraform.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := terraform.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-terraform.Process.Pid, syscall.SIGTERM) // fails if no process is left
	})
	for tick := time.Tick(20 * time.Millisecond); w.Ledger().SubmissionRequests < n; {
		<-tick
	}
}

func kill(t *testing.T, process int, signal syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(process, signal); err != nil {
		t.Fatal(err)
	}
}
