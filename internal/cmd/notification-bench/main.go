// Command notification-bench compares the cost of a run of Terraform with this
// provider to that of the same run with Terraform alone, with a provider that does
// nothing, and with curl. Run it in the root of the repository, on Unix.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
)

const startRounds = 21

func main() {
	if binary := os.Getenv(providerVariable); binary != "" {
		os.Exit(runProvider(binary))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "notification-bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) (err error) {
	var o options
	if err := o.parse(args); err != nil {
		return err
	}
	root, err := os.MkdirTemp("", "notification-bench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(root)) }()
	b, err := newBench(ctx, root)
	if err != nil {
		return err
	}
	if o.check {
		o.only, o.also = nil, nil
	}
	set, growth, err := b.groups(ctx, o)
	if err != nil {
		return err
	}
	if o.check {
		return b.check(ctx, set)
	}
	return b.report(ctx, o.schedule(set, growth), set, o.out)
}
