package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

const createNoWindow = 0x08000000 // nor the console of the parent

// ownConsole keeps Ctrl+C for a process from others, and gives it a console where the tests have
// none.
func ownConsole() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: createNoWindow}
}

const ctrlCVariable = "EMULATOR_TEST_CTRL_C"

// A process can press Ctrl+C on its own console only: send starts one that takes another's.
func init() {
	setConsoleCtrlHandler := kernel32.NewProc("SetConsoleCtrlHandler")
	pid, err := strconv.Atoi(os.Getenv(ctrlCVariable))
	if err != nil {
		// Whoever started the tests may have turned Ctrl+C off, which is inherited.
		_, _, _ = setConsoleCtrlHandler.Call(0, 0)
		return
	}
	done, _, err := kernel32.NewProc("AttachConsole").Call(uintptr(pid))
	if done != 0 {
		_, _, _ = setConsoleCtrlHandler.Call(0, 1) // it is not for this process
		done, _, err = kernel32.NewProc("GenerateConsoleCtrlEvent").Call(0, 0)
	}
	if done == 0 {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// send sends an interrupt to all processes of the console of process.
func send(process *os.Process, _ os.Signal) error {
	command := exec.CommandContext(context.Background(), os.Args[0])
	command.Env = append(os.Environ(), ctrlCVariable+"="+strconv.Itoa(process.Pid))
	command.SysProcAttr = &syscall.SysProcAttr{CreationFlags: detachedProcess}
	out, err := command.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return err
}

// Ctrl+C is for COMMAND, and exec waits for what it makes of it.
func TestExecOutlivesCtrlC(t *testing.T) {
	t.Parallel()
	command, stdout, stderr := process(t, "exec", self(t), "await")
	if line, err := stdout.ReadString('\n'); line != "ready\n" {
		t.Fatalf("got %q, %v", line, err)
	}
	if err := send(command.Process, os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait() // the status is looked at below
	if got := command.ProcessState.ExitCode(); got != 8 || stderr.String() != nothing {
		t.Errorf("status is %d, standard error %q", got, stderr)
	}
}

// Whoever ends exec can only kill it, and must not leave behind what it runs.
func TestExecThatIsKilled(t *testing.T) {
	t.Parallel()
	command, stdout, _ := process(t, "exec", self(t), "start await", "await")
	for range 2 {
		if line, err := stdout.ReadString('\n'); line != "ready\n" {
			t.Fatalf("got %q, %v", line, err)
		}
	}
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(stdout); len(rest) > 0 || err != nil {
		t.Errorf("got %q, %v", rest, err)
	}
	_ = command.Wait() // with an error: it was killed
}

// What COMMAND has started ends with it when exec is cancelled, but is left alone otherwise.
func TestExecAndWhatCommandStarted(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		steps     []string
		cancelled bool
	}{
		"cancelled": {[]string{"start cat", "await"}, true},
		"ended":     {[]string{"start cat"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			stdin, in := pipe(t)
			out, stdout := pipe(t)
			ended := make(chan bool)
			go func() {
				args := append([]string{"exec", self(t)}, test.steps...)
				run(ctx, args, stepsEnviron(), stdin, stdout, stdout)
				_ = stdout.Close()
				close(ended)
			}()
			if test.cancelled {
				if _, err := io.ReadFull(out, make([]byte, len("ready\n"))); err != nil {
					t.Fatal(err)
				}
				cancel()
			}
			<-ended
			_, err := in.WriteString("alive")
			if err := errors.Join(err, in.Close()); err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(out)
			alive := strings.HasSuffix(string(text), "alive")
			if alive == test.cancelled || err != nil {
				t.Errorf("got %q, %v", text, err)
			}
		})
	}
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = r.Close(), w.Close() })
	return r, w
}
