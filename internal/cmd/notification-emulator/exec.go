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
	if err := o.ledger.open(0); err != nil {
		return fail(stderr, err, exitOwnFailure)
	}
	// A terminal sends SIGINT to the command too, so this process only has to survive it. Other
	// signals reach only this process, which passes them on.
	_, survive := signal.NotifyContext(ctx, os.Interrupt)
	defer survive()
	ctx, stop := signal.NotifyContext(ctx, stopSignals()...)
	defer stop()

	i, err := listen(ctx, o)
	if err != nil {
		return fail(stderr, err, exitOwnFailure)
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
	if status, err = start(command); err == nil {
		o.ledger.empty()
		status = wait(command)
	}
	stop() // from now on, signals terminate this process
	survive()
	i.stop(ctx)
	if err != nil {
		return fail(stderr, err, status)
	}
	received := o.emulator.Ledger()
	show(stderr, "\n"+summary(received))
	if err := o.ledger.write(received, stdout); err != nil {
		status = cmp.Or(status, fail(stderr, err, exitOwnFailure))
	}
	if got := received.Notifications; status == exitOK && o.expect != nil && got != *o.expect {
		status = fail(stderr, fmt.Sprintf("expected %s, but received %d",
			count(*o.expect, "notification", "notifications"), got), exitFailure)
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

// start starts the command. If that fails, it returns the status that a shell would report.
func start(command *exec.Cmd) (status int, err error) {
	switch err = command.Start(); {
	case errors.Is(err, context.Canceled):
		status = exitOwnFailure
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist):
		status = exitNotFound
	case err != nil:
		status = exitNotExecutable
	}
	return status, err
}

// wait returns the status that a shell would report.
func wait(command *exec.Cmd) int {
	_ = command.Wait() // ProcessState has the result
	if wait, ok := command.ProcessState.Sys().(syscall.WaitStatus); ok && wait.Signaled() {
		return exitSignal + int(wait.Signal())
	}
	return command.ProcessState.ExitCode()
}

// ledgerFile is the file of exec -ledger: without a name none, and "-" is standard output.
type ledgerFile struct {
	name string
	file *os.File // nil: not open
}

// open opens the file with further flags of [os.OpenFile]. Only its owner can then read a regular
// file, whatever its mode was.
func (f *ledgerFile) open(flags int) (err error) {
	if f.name == "" || f.name == "-" {
		return nil
	}
	f.file, err = os.OpenFile(f.name, os.O_WRONLY|os.O_CREATE|flags, 0o600)
	if err != nil {
		return err
	}
	if info, err := f.file.Stat(); err != nil || !info.Mode().IsRegular() {
		return err
	}
	return f.file.Chmod(0o600)
}

// empty empties a regular file and closes it, since COMMAND may replace it. Others fail to be
// emptied and stay open: a close would end what the reader of a named pipe gets.
func (f *ledgerFile) empty() {
	if f.file.Truncate(0) == nil {
		_ = f.file.Close()
		f.file = nil
	}
}

// write writes the ledger as indented JSON.
func (f *ledgerFile) write(ledger emulator.Ledger, stdout io.Writer) (err error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	_ = encoder.Encode(ledger) // cannot fail for this type
	if f.file == nil {
		err = f.open(os.O_TRUNC)
	}
	switch {
	case err != nil || f.name == "":
	case f.name == "-":
		_, err = stdout.Write(text.Bytes())
	default:
		_, err = f.file.Write(text.Bytes())
		err = errors.Join(err, f.file.Close())
	}
	return err
}
