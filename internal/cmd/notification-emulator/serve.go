package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
)

// serve runs the emulator until a signal comes or ctx ends.
func serve(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
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

// exports are lines for a POSIX shell.
func (i *instance) exports(o options) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# The emulator listens on %s; Ctrl-C stops it.\n", i.root)
	for _, v := range i.variables(o) {
		fmt.Fprintf(&b, "export %s=%s\n", v.name, quote(v.value))
	}
	return b.String()
}

// quote makes text one word for a POSIX shell.
func quote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
