package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"

	"terraform-provider-notification/internal/emulator"
)

// runExec runs a command against a new emulator and returns the exit status. Only the command, and
// the ledger with -ledger -, write to standard output.
func runExec(
	ctx context.Context, args, env []string, stdin io.Reader, stdout, stderr io.Writer,
) int {
	o, status, done := parseOptions("exec", args, stdout, stderr)
	if done {
		return status
	}
	// Report a file that cannot be written before the command runs, and before signals are caught:
	// opening a named pipe may block.
	if err := write(o.ledgerFile, nil, stdout); err != nil {
		printError(stderr, err)
		return exitOwnFailure
	}
	// A terminal sends SIGINT to the command too, so this process only has to survive it. Other
	// signals reach only this process, which passes them on.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	ctx, stop := signal.NotifyContext(ctx, stopSignals()...)
	defer stop()

	i, err := listen(ctx, o)
	if err != nil {
		printError(stderr, err)
		return exitOwnFailure
	}
	i.serve()

	command := exec.CommandContext(ctx, o.command[0], o.command[1:]...) //nolint:gosec // the purpose
	command.Env = i.environment(o, env)
	command.Stdin, command.Stdout, command.Stderr = stdin, stdout, stderr
	command.Cancel = func() error { // not Kill: a killed Terraform leaves a lock and loses state
		if command.Process.Signal(syscall.SIGTERM) == nil {
			return nil
		}
		return command.Process.Kill() // Windows has no SIGTERM
	}
	status, err = runCommand(command)
	stop() // from now on, signals terminate this process
	signal.Stop(interrupts)
	i.stop(ctx)
	if err != nil {
		printError(stderr, err)
		return status
	}
	received := o.emulator.Ledger()
	show(stderr, "\n"+summary(received))
	if err := write(o.ledgerFile, encode(received), stdout); err != nil {
		printError(stderr, err)
		status = cmp.Or(status, exitOwnFailure)
	}
	if got := received.Notifications; status == exitOK && o.expect != nil && got != *o.expect {
		printError(stderr, fmt.Sprintf("expected %s, but received %d",
			count(*o.expect, "notification", "notifications"), got))
		status = exitFailure
	}
	return status
}

// stopSignals returns the signals to stop on. An ignored SIGHUP, as under nohup, stays ignored.
func stopSignals() []os.Signal {
	if signal.Ignored(syscall.SIGHUP) {
		return []os.Signal{syscall.SIGTERM}
	}
	return []os.Signal{syscall.SIGTERM, syscall.SIGHUP}
}

// environment returns env with all NOTIFICATION_* variables, which may hold a real secret, replaced
// by the emulator's. The command then bypasses proxies and providers that run under a debugger.
func (i *instance) environment(o options, env []string) (entries []string) {
	direct := strings.TrimPrefix(i.root, "http://")
	for _, entry := range env {
		switch name, value, _ := strings.Cut(strings.ToUpper(entry), "="); {
		case name == "NO_PROXY" && value != "":
			direct += "," + entry[len("NO_PROXY="):]
		case name != "TF_REATTACH_PROVIDERS" && !strings.HasPrefix(name, "NOTIFICATION_"):
			entries = append(entries, entry)
		}
	}
	entries = append(entries, i.variables(o)...)
	return append(entries, "NO_PROXY="+direct, "no_proxy="+direct)
}

// runCommand returns the status that a shell would report, and an error if the command did not
// start.
func runCommand(command *exec.Cmd) (int, error) {
	err := command.Start()
	switch {
	case errors.Is(err, context.Canceled):
		return exitOwnFailure, err
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist):
		return exitNotFound, err
	case err != nil:
		return exitNotExecutable, err
	}
	_ = command.Wait() // ProcessState has the result
	if wait, ok := command.ProcessState.Sys().(syscall.WaitStatus); ok && wait.Signaled() {
		return exitSignal + int(wait.Signal()), nil
	}
	return command.ProcessState.ExitCode(), nil
}

// encode returns the ledger as indented JSON.
func encode(ledger emulator.Ledger) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(ledger) // cannot fail for this type
	return text.Bytes()
}

// write writes text to the named file, to stdout if the name is "-", or nowhere if it is empty.
func write(name string, text []byte, stdout io.Writer) (err error) {
	switch name {
	case "":
	case "-":
		_, err = stdout.Write(text)
	default:
		err = os.WriteFile(name, text, 0o600)
	}
	return err
}
