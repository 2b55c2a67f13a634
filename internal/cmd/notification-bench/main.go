// Command notification-bench compares the cost of a run of Terraform with this provider to that of
// the same work done another way. Run it in the root of the repository, on Unix.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"time"
)

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
	flags := flag.NewFlagSet("notification-bench", flag.ContinueOnError)
	check := flags.Bool("check", false, "hold the provider against its budgets; the exit status tells")
	full := flags.Bool("full", false, "measure the sizes that take long too")
	only := flags.String("only", "", "`NAME` of the only workload to compare")
	rounds := flags.Int("rounds", 0, "how many times each is measured, in place of the usual number")
	also := flags.String("also", "", "another `BINARY` of this provider to measure beside it")
	if err := flags.Parse(args); err != nil {
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
	if *check {
		return b.check(ctx, *full)
	}

	workloads := usual(*full)
	if *only != "" {
		workloads = slices.DeleteFunc(usual(true), func(w workload) bool { return w.name != *only })
		if len(workloads) == 0 {
			return fmt.Errorf("there is no workload %q", *only)
		}
	}
	fmt.Printf("%s, %s, %s, %d CPUs, %s/%s.\n", time.Now().Format(time.DateOnly), b.version,
		runtime.Version(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH)
	for _, w := range workloads {
		if *rounds > 0 {
			w.rounds = *rounds
		}
		if *also != "" {
			if b.binaries[other], err = filepath.Abs(*also); err != nil {
				return err
			}
			w = w.withOther()
		}
		cells, err := b.compare(ctx, w)
		if err != nil {
			return err
		}
		fmt.Println(table(w, cells))
	}
	return nil
}
