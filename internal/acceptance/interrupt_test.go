//go:build unix

package acceptance

import (
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
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

// A submission that is on its way when Terraform is killed, or its terminal is closed, is not cut
// off. Nothing new starts, and the provider ends.
func TestKill(t *testing.T) {
	t.Parallel()
	if signal.Ignored(syscall.SIGHUP) { // as under nohup, and so by what this starts
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	for name, test := range map[string]struct {
		signal syscall.Signal
		group  bool
	}{
		"SIGKILL to terraform alone":  {syscall.SIGKILL, false},
		"SIGHUP to the process group": {syscall.SIGHUP, true},
	} {
		if !test.group && !hasVersion(t, "1.2") {
			continue // as above
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkspace(t, nil)
			w.submissionsMeet(t, "delay:3s,repeat")
			w.write(t, many(3, "one", "1"))
			open, inherited, err := os.Pipe() // to whatever Terraform starts
			if err != nil {
				t.Fatal(err)
			}
			end := w.interruptedApply(t, test.signal, test.group, inherited)
			_ = inherited.Close() // here
			output := end()
			if err := open.SetReadDeadline(time.Now().Add(30 * time.Second)); err != nil {
				t.Fatal(err)
			}
			if _, err := io.ReadAll(open); err != nil {
				t.Errorf("the provider lives on: %v", err)
			}
			ledger := w.Ledger()
			last := ledger.Requests[len(ledger.Requests)-1]
			if ledger.SubmissionRequests != 1 || last.Status != http.StatusCreated {
				t.Errorf("%d requests, the last one with status %d\n%s", ledger.SubmissionRequests,
					last.Status, output)
			}
		})
	}
}

// interruptedApply applies, and sends a signal when the first submission has arrived: to Terraform
// alone or, as a terminal and whatever ends a job do, to its process group, which includes the
// provider. All of them inherit the files. What it returns waits for the end of Terraform, and
// returns what it printed.
func (w *workspace) interruptedApply(
	t *testing.T, signal syscall.Signal, group bool, inherited ...*os.File,
) (end func() string) {
	t.Helper()
	cmd, stdout, stderr := w.command(t, applyArgs("-parallelism=1")...)
	cmd.ExtraFiles = inherited
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
