package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
)

// runServe runs the emulator until a signal comes or ctx ends.
func runServe(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, status, done := parseOptions("serve", args, stdin, stdout, stderr)
	if done {
		return status
	}
	if o.background {
		return runBackground(ctx, args, o, stdout, stderr)
	}
	ctx, stop := signal.NotifyContext(ctx, append(endSignals(), os.Interrupt)...)
	defer stop()
	i, err := startServe(ctx, o)
	if err != nil {
		complain(stderr, err)
		return exitFailure
	}
	show(stdout, i.exports(o, "Ctrl-C stops it"))
	return i.serve(ctx, stop, o, stderr)
}

// startServe starts the emulator and writes the files that others wait for.
func startServe(ctx context.Context, o options) (*instance, error) {
	i, err := start(ctx, o)
	if err != nil {
		return nil, err
	}
	if o.pidFile != "" {
		err = writeFile(o.pidFile, os.O_TRUNC, pidLine())
	}
	if err == nil && o.envFile != "" {
		err = i.appendTo(o.envFile, o)
	}
	if err != nil {
		err = errors.Join(err, i.stop(ctx))
		removePID(o.pidFile)
		return nil, err
	}
	return i, nil
}

// serve returns the exit status after the end of ctx, which stop has made and releases.
func (i *instance) serve(
	ctx context.Context, stop context.CancelFunc, o options, stderr io.Writer,
) int {
	var err error
	select {
	case <-ctx.Done():
		stop() // a second signal ends the process at once
		err = i.stop(ctx)
	case err = <-i.failed:
	}
	removePID(o.pidFile) // when the address is free again
	status := exitOK
	if err != nil {
		complain(stderr, err)
		status = exitFailure
	}
	show(stderr, "\n"+summary(o.emulator.Ledger()))
	return status
}

// removePID removes the file unless another process has replaced it. What is not a file stays.
func removePID(name string) {
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return
	}
	//nolint:gosec // the user says where
	if text, err := os.ReadFile(name); err == nil && string(text) == pidLine() {
		_ = os.Remove(name) // a file that stays is replaced
	}
}

func pidLine() string { return strconv.Itoa(os.Getpid()) + "\n" }

// appendTo appends to a file what a CI system takes for variables.
func (i *instance) appendTo(name string, o options) error {
	lines := strings.Join(i.variables(o), "\n") + "\n"
	if strings.Count(lines, "\n") > len(i.variables(o)) || strings.Contains(lines, "\r") {
		return fmt.Errorf("%s cannot hold values with line breaks", name)
	}
	return writeFile(name, os.O_APPEND, lines)
}

// exports are lines for a POSIX shell; hint says how to stop the emulator.
func (i *instance) exports(o options, hint string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# The emulator shows what arrives at %s; %s.\n", i.root, hint)
	for _, variable := range i.variables(o) {
		name, value, _ := strings.Cut(variable, "=")
		fmt.Fprintf(&b, "export %s=%s\n", name, quote(value))
	}
	return b.String()
}

// quote makes text one word for a POSIX shell.
func quote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
