//go:build !windows

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"terraform-provider-notification/internal/emulator"
)

func TestExecStopsWithContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	stdout, w := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, []string{"exec", self(t), "await"}, stepsEnviron(), nil, w, io.Discard)
		_ = w.Close()
	}()
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "ready\n" {
		t.Fatalf("got %q, %v", line, err)
	}
	cancel()
	go func() { _, _ = io.Copy(io.Discard, stdout) }()
	if status := <-done; status != 7 {
		t.Errorf("status is %d", status)
	}
}

// A named pipe keeps its mode, and its reader gets the ledger.
func TestLedgerPipe(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(tempDir(t), "pipe")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.Chmod(pipe, 0o640)); err != nil {
		t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		text, _ := os.ReadFile(pipe)
		read <- string(text)
	}()
	r := runWith(t, nil, "exec", "--ledger", pipe, self(t), "exit 0")
	info, err := os.Stat(pipe)
	if text := <-read; r.status != 0 || err != nil || info.Mode().Perm() != 0o640 ||
		!strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}\n") {
		t.Errorf("got %d, %+v, %v, %q", r.status, info, err, text)
	}
}

// startProcess runs the command as a separate process.
func startProcess(t *testing.T, args ...string) (*exec.Cmd, *bufio.Reader, *bytes.Buffer) {
	t.Helper()
	command := exec.CommandContext(t.Context(), self(t), args...)
	command.Env = append(stepsEnviron(), roleVariable+"=command")
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer // complete after Wait
	command.Stderr = &stderr
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	return command, bufio.NewReader(stdout), &stderr
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
			command, stdout, stderr := startProcess(t, "exec", self(t), "await")
			if line, err := stdout.ReadString('\n'); line != "ready\n" {
				t.Fatalf("got %q, %v", line, err)
			}
			for _, s := range []os.Signal{os.Interrupt, sig} {
				if err := command.Process.Signal(s); err != nil {
					t.Fatal(err)
				}
			}
			_ = command.Wait() // ProcessState has the result
			if got := command.ProcessState.ExitCode(); got != 7 {
				t.Errorf("status is %s", command.ProcessState)
			}
			if stderr.String() != emptySummary {
				t.Errorf("standard error is %q", stderr)
			}
		})
	}
}

func TestServe(t *testing.T) {
	t.Parallel()
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(fmt.Sprint(s), func(t *testing.T) {
			t.Parallel()
			command, stdout, stderr := startProcess(t, "serve", "--listen", "0.0.0.0:0", "--client-secret",
				"it's", "--fault", "submission=hang")
			var exports strings.Builder // TestServeEnvFile checks each of them
			for range 7 {
				line, err := stdout.ReadString('\n')
				if err != nil {
					t.Fatal(err)
				}
				exports.WriteString(line)
			}
			match := regexp.MustCompile(`\nexport NOTIFICATION_EMULATOR_URL='(http://127\.0\.0\.1:\d+)'\n`).
				FindStringSubmatch(exports.String())
			if match == nil || !strings.HasSuffix(exports.String(), `_SECRET='it'\''s'`+"\n") {
				t.Fatalf("exports are %s", &exports)
			}
			root := match[1]

			// A request that hangs must not keep the server from stopping.
			hung := make(chan error, 1)
			go func() {
				_, err := ask(t.Context(), http.MethodPost, root+"/notifications/v1", "", "", "")
				hung <- err
			}()
			for received := false; !received; {
				text, err := ask(t.Context(), http.MethodGet, root+"/_emulator/ledger", "", "", "")
				if err != nil {
					t.Fatal(err)
				}
				received = bytes.Contains(text, []byte(`"submission_requests":1,`))
			}
			if err := command.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			if rest, err := io.ReadAll(stdout); err != nil || len(rest) > 0 {
				t.Errorf("standard output has more than the exports: %q, %v", rest, err)
			}
			if err := command.Wait(); err != nil {
				t.Error(err)
			}
			if err := <-hung; err == nil {
				t.Error("the request that hung got a response")
			}
			logged, got, _ := strings.Cut(stderr.String(), "\n")
			if !regexp.MustCompile(`^\d\d:\d\d:\d\d\.\d{3}  no response  POST  /notifications/v1  ` +
				`an injected fault  \(fault hang\)$`).MatchString(logged) {
				t.Errorf("logged %q", logged)
			}
			want := "\n" + summary(emulator.Ledger{SubmissionRequests: 1, Connections: 1})
			if got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
