package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
)

// runServe runs the emulator until a signal comes or ctx ends.
func runServe(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, status, done := parseOptions("serve", args, stdin, stdout, stderr)
	if done {
		return status
	}
	ctx, stop := signal.NotifyContext(ctx, append(endSignals(), os.Interrupt)...)
	defer stop()
	i, err := start(ctx, o)
	if err != nil {
		complain(stderr, err)
		return exitFailure
	}
	if err := i.appendTo(o.envFile, o); err != nil {
		complain(stderr, errors.Join(err, i.stop(ctx)))
		return exitFailure
	}
	show(stdout, i.exports(o))
	select {
	case <-ctx.Done():
		stop() // a second signal ends the process at once
		err = i.stop(ctx)
	case err = <-i.failed:
	}
	if err != nil {
		complain(stderr, err)
		status = exitFailure
	}
	show(stderr, "\n"+summary(o.emulator.Ledger()))
	return status
}

// appendTo appends to a file what a CI system takes for variables.
func (i *instance) appendTo(name string, o options) error {
	if name == "" {
		return nil
	}
	//nolint:gosec // the user says where
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(strings.Join(i.variables(o), "\n") + "\n")
	return errors.Join(err, file.Close())
}

// exports are lines for a POSIX shell.
func (i *instance) exports(o options) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# The emulator shows what arrives at %s; Ctrl-C stops it.\n", i.root)
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
