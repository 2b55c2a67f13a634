//go:build !windows

package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/notification/terraform-provider-notification/internal/emulator"
)

// startProcess runs the command as a separate process.
func startProcess(t *testing.T, args ...string) (command *exec.Cmd, stdout, stderr *bufio.Reader) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // then reading its output ends
	t.Cleanup(cancel)
	command = exec.CommandContext(ctx, os.Args[0], args...)
	outPipe, outErr := command.StdoutPipe()
	errPipe, errErr := command.StderrPipe()
	if err := errors.Join(outErr, errErr, command.Start()); err != nil {
		t.Fatal(err)
	}
	return command, bufio.NewReader(outPipe), bufio.NewReader(errPipe)
}

// SIGTERM and SIGHUP reach COMMAND, so that it does not outlive its job or its terminal. SIGINT is
// not passed on: a terminal sends it to COMMAND as well.
func TestExecForwardsSignals(t *testing.T) {
	t.Parallel()
	if signal.Ignored(syscall.SIGHUP) { // as under nohup; child processes would ignore it, too
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	for _, sig := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP} {
		t.Run(fmt.Sprint(sig), func(t *testing.T) {
			t.Parallel()
			command, stdout, stderr := startProcess(t, "exec", os.Args[0], "await")
			if line, err := stdout.ReadString('\n'); line != "ready\n" {
				t.Fatalf("got %q, %v", line, err)
			}
			for _, s := range []os.Signal{os.Interrupt, sig} {
				if err := command.Process.Signal(s); err != nil {
					t.Fatal(err)
				}
				time.Sleep(50 * time.Millisecond) // two that are passed on at once would become one
			}
			if line, err := stdout.ReadString('\n'); line != "once\n" {
				t.Fatalf("got %q, %v", line, err)
			}
			if err := command.Process.Signal(sig); err != nil { // as Terraform, it needs two
				t.Fatal(err)
			}
			text, err := io.ReadAll(stderr)
			_ = command.Wait() // ProcessState has the result
			if command.ProcessState.ExitCode() != 7 || string(text) != "\n"+summary(emulator.Ledger{}) {
				t.Errorf("%s, standard error %q, %v", command.ProcessState, text, err)
			}
		})
	}
}

// Under nohup, neither serve nor COMMAND ends with the terminal.
func TestIgnoredSignal(t *testing.T) {
	t.Parallel()
	const script = `trap '' HUP; exec "$0" signals`
	command := exec.CommandContext(t.Context(), "sh", "-c", script, os.Args[0])
	if text, err := command.Output(); string(text) != "[terminated]\n" {
		t.Errorf("got %q, %v", text, err)
	}
}

// When serve prints its exports, the file of -env-file has the same variables in the format of CI
// systems: neither export nor quotes. Without a newline at its end, the file swallows the first
// variable, but not the one that keeps requests from other addresses. A request that hangs does not
// keep a signal from ending it.
func TestServe(t *testing.T) {
	t.Parallel()
	for s, before := range map[os.Signal]string{
		os.Interrupt: "OTHER=kept", syscall.SIGTERM: "OTHER=kept\n",
	} {
		t.Run(fmt.Sprint(s), func(t *testing.T) {
			t.Parallel()
			file := tempFile(t, "env", before)
			command, stdout, stderr := startProcess(t, "serve", "--listen", "0.0.0.0:0",
				"--client-secret", "it's", "--idempotency-key-header", "X-Key",
				"--fault", "submission=hang", "--env-file", file)
			exports := ""
			for range 8 {
				line, err := stdout.ReadString('\n')
				if err != nil {
					t.Fatalf("after %q: %v", exports, err)
				}
				exports += line
			}
			root := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(exports)
			want := `# The emulator's web UI is at ROOT; Ctrl-C stops the emulator.
export TF_VAR_notification_emulator_url='ROOT'
export NOTIFICATION_EMULATOR_URL='ROOT'
export NOTIFICATION_AUTH_URL='ROOT'
export NOTIFICATION_BASE_URL='ROOT'
export NOTIFICATION_IDEMPOTENCY_KEY_HEADER='X-Key'
export NOTIFICATION_CLIENT_ID='demo-client'
export NOTIFICATION_CLIENT_SECRET='it'\''s'
`
			if got := strings.ReplaceAll(exports, root, "ROOT"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			_, variables, _ := strings.Cut(exports, "\n")
			want = before + strings.NewReplacer("export ", "", `'\''`, "'", "'", "").Replace(variables)
			if text, err := os.ReadFile(file); string(text) != want {
				t.Errorf("the file has %q, %v; want %q", text, err, want)
			}

			hung := make(chan error, 1)
			go func() {
				response, err := http.Post(root+"/notifications/v1", "", nil)
				if err == nil {
					_ = response.Body.Close()
				}
				hung <- err
			}()
			logged, err := stderr.ReadString('\n')
			if !strings.HasSuffix(logged, "  no response  POST  /notifications/v1  "+
				"an injected fault  (fault hang)\n") {
				t.Fatalf("logged %q, %v", logged, err)
			}
			if r := runWith(t, nil, "health", root); r.status != 0 {
				t.Errorf("before the signal: %+v", r)
			}
			if err := command.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			if rest, err := io.ReadAll(stdout); err != nil || len(rest) > 0 {
				t.Errorf("standard output has more than the exports: %q, %v", rest, err)
			}
			rest, err := io.ReadAll(stderr)
			if want := "\n" + summary(emulator.Ledger{SubmissionRequests: 1}); err != nil ||
				string(rest) != want {
				t.Errorf("after the signal, standard error has %q, %v; want %q", rest, err, want)
			}
			if err := command.Wait(); err != nil || <-hung == nil {
				t.Errorf("got %v, or the request that hung got a response", err)
			}
		})
	}
}
