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
	"path/filepath"
	"regexp"
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
	if backend := remoteState(o.command, env); backend != "" && !o.remote {
		return fail(stderr, fmt.Sprintf("the state is in the backend %q, where what the emulator "+
			"accepts would count as sent: nobody would be notified. Nothing was run. `terraform test` "+
			"needs neither that state nor a deployment: see the guide \"Testing\". Use -remote-state to "+
			"apply all the same.", backend), exitOwnFailure)
	}
	// A file that cannot be written is an error before the command runs.
	ledger := cmp.Or(o.ledger, os.DevNull)
	if err := os.WriteFile(ledger, nil, 0o600); err != nil {
		return fail(stderr, err, exitOwnFailure)
	}
	i, err := listen(ctx, o)
	if err != nil {
		return fail(stderr, err, exitOwnFailure)
	}
	i.serve()

	command := exec.CommandContext(ctx, o.command[0], o.command[1:]...) //nolint:gosec // the purpose
	command.Env = i.environment(o, env)
	command.Stdin, command.Stdout, command.Stderr = stdin, stdout, stderr
	status, err = runCommand(command)
	i.stop(ctx)
	if err != nil {
		return fail(stderr, err, status)
	}
	received := o.emulator.Ledger()
	show(stderr, "\n"+summary(received))
	if err := os.WriteFile(ledger, ledgerText(received), 0o600); err != nil {
		status = cmp.Or(status, fail(stderr, err, exitOwnFailure))
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
	replaced := regexp.MustCompile(
		"(?i)^(NOTIFICATION_.*|EMULATOR_.*|TF_REATTACH_PROVIDERS|NO_PROXY)$")
	bypass := []string{i.address.String()}
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		if !replaced.MatchString(name) {
			entries = append(entries, entry)
		} else if strings.EqualFold(name, "NO_PROXY") && value != "" {
			bypass = append(bypass, value)
		}
	}
	entries = append(entries, i.variables(o)...)
	direct := strings.Join(bypass, ",")
	return append(entries, "NO_PROXY="+direct, "no_proxy="+direct)
}

// runCommand runs the command and returns the status that a shell would report, with an error if it
// did not start. It passes on each signal that reaches only this process: Terraform stops on the
// first, and ends at once on the second.
func runCommand(command *exec.Cmd) (status int, err error) {
	signals := make(chan os.Signal, 2)
	defer close(signals)
	signal.Notify(signals, append(stopSignals(), os.Interrupt)...)
	defer signal.Stop(signals)
	if err = command.Start(); err == nil {
		go func() {
			for s := range signals {
				// A terminal sends SIGINT to the command too. With signal.Ignore, the command would inherit
				// that it is ignored. And not Kill: a killed Terraform leaves a lock and loses state.
				if s != os.Interrupt && command.Process.Signal(syscall.SIGTERM) != nil {
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

// remoteState returns the type of the backend or state store in which the command, an apply of
// Terraform or OpenTofu, keeps its state; empty if that is a local file, or not known.
func remoteState(command, env []string) string {
	name, args := filepath.Base(command[0]), command[1:]
	verb := slices.IndexFunc(args, func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	isTerraform, _ := regexp.MatchString("(?i)^(terraform|tofu)", name)
	if !isTerraform || verb < 0 || args[verb] != "apply" {
		return ""
	}
	folder, data := "", ""
	for _, text := range slices.Concat(args[:verb], env) {
		switch name, value, _ := strings.Cut(text, "="); name {
		case "-chdir":
			folder = value
		case "TF_DATA_DIR":
			data = value
		}
	}
	if data = cmp.Or(data, ".terraform"); !filepath.IsAbs(data) {
		data = filepath.Join(folder, data)
	}
	text, _ := os.ReadFile(filepath.Join(data, "terraform.tfstate"))
	var has map[string]struct{ Type string }
	_ = json.Unmarshal(text, &has) // skips members of other types
	if has["backend"].Type == "local" {
		return ""
	}
	return cmp.Or(has["state_store"].Type, has["backend"].Type)
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
