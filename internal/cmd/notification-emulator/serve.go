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
func runServe(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, status, done := parseOptions("serve", args, stdout, stderr)
	if done {
		return status
	}
	ctx, stop := signal.NotifyContext(ctx, append(endSignals(), os.Interrupt)...)
	defer stop()
	i, err := listen(ctx, o)
	if err == nil && o.envFile != "" {
		err = i.appendTo(o.envFile, o)
	}
	if err != nil {
		complain(stderr, err)
		return exitFailure
	}
	show(stdout, i.exports(o)) // complete when it responds, as the file is
	i.serve()
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

// appendTo appends to a file what a CI system takes for variables. Only its owner can read a new
// one: it holds the secret.
func (i *instance) appendTo(name string, o options) error {
	lines := strings.Join(i.variables(o), "\n") + "\n"
	if strings.Count(lines, "\n") > len(i.variables(o)) || strings.Contains(lines, "\r") {
		return fmt.Errorf("%s cannot hold values with line breaks", name)
	}
	//nolint:gosec // the user says where
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = file.WriteString(lines)
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
