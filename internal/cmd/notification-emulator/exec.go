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
	"slices"
	"strings"
	"syscall"

	"github.com/notification/terraform-provider-notification/internal/emulator"
)

// runExec runs a command against a new emulator and returns the exit status. Only the command
// writes to standard output.
func runExec(
	ctx context.Context, args, env []string, stdin io.Reader, stdout, stderr io.Writer,
) int {
	o, status, done := parseOptions("exec", args, env, stdout, stderr)
	if done {
		return status
	}
	// A file that cannot be written is an error before the command runs. A pipe is written once.
	info, err := os.Stat(o.ledger)
	if o.ledger != "" && (err != nil || info.Mode()&os.ModeNamedPipe == 0) {
		if err := os.WriteFile(o.ledger, nil, 0o600); err != nil {
			return fail(stderr, err, exitOwnFailure)
		}
	}
	// A terminal sends SIGINT to the command too, so this process only has to survive it.
	_, survive := signal.NotifyContext(ctx, os.Interrupt)
	defer survive()

	i, err := listen(ctx, o)
	if err != nil {
		return fail(stderr, err, exitOwnFailure)
	}
	i.serve()

	command := exec.CommandContext(ctx, o.command[0], o.command[1:]...) //nolint:gosec // the purpose
	command.Env = i.environment(o, env)
	command.Stdin, command.Stdout, command.Stderr = stdin, stdout, stderr
	status, err = runCommand(command)
	survive() // from now on, signals terminate this process
	i.stop(ctx)
	if err != nil {
		return fail(stderr, err, status)
	}
	received := o.emulator.Ledger()
	show(stderr, "\n"+summary(received))
	if o.ledger != "" { // COMMAND may have removed the file
		if err := os.WriteFile(o.ledger, ledgerText(received), 0o600); err != nil {
			status = cmp.Or(status, fail(stderr, err, exitOwnFailure))
		}
	}
	if got := received.Notifications; status == exitOK && o.expect >= 0 && got != o.expect {
		status = fail(stderr, fmt.Sprintf("expected %s, but received %d",
			count(o.expect, "notification", "notifications"), got), exitFailure)
	}
	return status
}

// stopSignals returns the other signals that ask a program to stop. An ignored SIGHUP, as under
// nohup, stays ignored.
func stopSignals() []os.Signal {
	return slices.DeleteFunc([]os.Signal{syscall.SIGTERM, syscall.SIGHUP}, signal.Ignored)
}

// environment returns env with all NOTIFICATION_* variables, which may hold a real secret, replaced
// by the emulator's, and without this emulator's flags. The command then bypasses proxies and
// providers that run under a debugger.
func (i *instance) environment(o options, env []string) (entries []string) {
	direct := i.address.String()
	for _, entry := range env {
		switch name, value, _ := strings.Cut(strings.ToUpper(entry), "="); {
		case name == "NO_PROXY" && value != "":
			direct += "," + entry[len("NO_PROXY="):]
		case name != "TF_REATTACH_PROVIDERS" && !strings.HasPrefix(name, "NOTIFICATION_") &&
			!strings.HasPrefix(name, "EMULATOR_"):
			entries = append(entries, entry)
		}
	}
	entries = append(entries, i.variables(o)...)
	return append(entries, "NO_PROXY="+direct, "no_proxy="+direct)
}

// runCommand runs the command and returns the status that a shell would report, with an error if it
// did not start. It passes on each signal that reaches only this process: Terraform stops on the
// first, and ends at once on the second.
func runCommand(command *exec.Cmd) (status int, err error) {
	signals := make(chan os.Signal, 2)
	defer close(signals)
	signal.Notify(signals, stopSignals()...)
	defer signal.Stop(signals)
	if err = command.Start(); err == nil {
		go func() {
			for range signals { // not Kill: a killed Terraform leaves a lock and loses state
				if command.Process.Signal(syscall.SIGTERM) != nil {
					_ = command.Process.Kill() // Windows has no SIGTERM
				}
			}
		}()
		err = command.Wait()
	}
	switch state := command.ProcessState; {
	case state != nil:
		if wait, ok := state.Sys().(syscall.WaitStatus); ok && wait.Signaled() {
			return exitSignal + int(wait.Signal()), nil
		}
		return state.ExitCode(), nil
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist):
		return exitNotFound, err
	}
	return exitNotExecutable, err
}

// ledgerText returns the ledger as indented JSON.
func ledgerText(ledger emulator.Ledger) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(ledger) // cannot fail for this type
	return text.Bytes()
}
