package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"terraform-provider-notification/internal/emulator"
)

// killTime is how long a command may take to end after it was told to.
const killTime = 10 * time.Second

// execute runs a command against an emulator of its own and returns the
// command's exit status.
func execute(ctx context.Context, args, env []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, status, done := parseOptions("exec", args, env, stdout, stderr)
	if done {
		return status
	}
	i, err := start(ctx, o)
	if err != nil {
		complain(stderr, err)
		return exitFailure
	}
	// A file that cannot be written is better noticed before the command runs.
	ledger, err := createLedger(o.ledgerFile)
	if err != nil {
		complain(stderr, errors.Join(err, i.stop(ctx)))
		return exitFailure
	}

	command := exec.CommandContext(ctx, o.command[0], o.command[1:]...) //nolint:gosec // to run what the user says is the purpose
	command.Env = i.environment(o, env)
	command.Stdin, command.Stdout, command.Stderr = stdin, stdout, stderr
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.WaitDelay = killTime
	status, err = runCommand(command)
	stopped := i.stop(ctx)
	received := i.emulator.Ledger()
	if err != nil {
		complain(stderr, err)
	} else {
		show(stdout, "\n"+summary(received))
	}
	if err := errors.Join(stopped, writeLedger(ledger, received)); err != nil {
		complain(stderr, err)
		status = max(status, exitFailure)
	}
	return status
}

// environment is env with the variables that lead to the emulator in place of
// all others of the same prefix, which could lead elsewhere.
func (i *instance) environment(o options, env []string) []string {
	var entries []string
	for _, entry := range env {
		if !strings.HasPrefix(entry, "NOTIFICATION_") {
			entries = append(entries, entry)
		}
	}
	for _, v := range i.variables(o) {
		entries = append(entries, v.name+"="+v.value)
	}
	return entries
}

// runCommand returns the status that a shell would report, and an error when
// the command did not run at all.
func runCommand(command *exec.Cmd) (int, error) {
	// A terminal interrupts the command too, so there is nothing to do about
	// SIGINT but to survive it. SIGTERM has this process as its only target.
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	forwarded := make(chan struct{})
	err := command.Start()
	go func() {
		defer close(forwarded)
		for s := range signals {
			if s == syscall.SIGTERM && err == nil {
				_ = command.Process.Signal(s) // fails when it has ended already
			}
		}
	}()
	if err == nil {
		_ = command.Wait() // the state says more than the error
	}
	signal.Stop(signals)
	close(signals)
	<-forwarded

	switch state := command.ProcessState; {
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist):
		return exitNotFound, err
	case err != nil:
		return exitNotExecutable, err
	default:
		return exitStatus(state), nil
	}
}

func exitStatus(state *os.ProcessState) int {
	if wait, ok := state.Sys().(syscall.WaitStatus); ok && wait.Signaled() {
		return exitSignal + int(wait.Signal())
	}
	return state.ExitCode()
}

// createLedger returns a nil file when there is no name.
func createLedger(name string) (*os.File, error) {
	if name == "" {
		return nil, nil
	}
	return os.Create(name) //nolint:gosec // the user says where
}

func writeLedger(file *os.File, ledger emulator.Ledger) error {
	if file == nil {
		return nil
	}
	encoder := json.NewEncoder(file)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return errors.Join(encoder.Encode(ledger), file.Close())
}
