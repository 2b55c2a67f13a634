package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"time"
)

// Terraform starts this very program in place of a provider. It runs the real one as its child,
// because only the parent of a process learns its exact peak.
const (
	providerVariable = "NOTIFICATION_BENCH_PROVIDER" // the real provider
	usageVariable    = "NOTIFICATION_BENCH_USAGE"    // file for its peak (bytes) and CPU time (ns)
)

// runProvider is the whole process when Terraform has started it, and returns the exit status of
// the provider.
func runProvider(binary string) int {
	signal.Ignore(os.Interrupt) // a terminal sends it to all; Terraform ends its providers

	//nolint:gosec,noctx // what Terraform would run; it ends it, too
	provider := exec.Command(binary, os.Args[1:]...)
	provider.Stdin, provider.Stdout, provider.Stderr = os.Stdin, os.Stdout, os.Stderr
	var exit *exec.ExitError
	if err := provider.Run(); err != nil && !errors.As(err, &exit) {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	//nolint:gosec // a file of this program
	file, err := os.OpenFile(os.Getenv(usageVariable), os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		state := provider.ProcessState
		_, err = fmt.Fprintln(file, peakMemory(state), int64(state.UserTime()+state.SystemTime()))
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return provider.ProcessState.ExitCode()
}

// usage is what the provider processes of one run needed.
type usage struct {
	processes int
	peak      int64         // bytes, the highest of them; 0: there was none, or it is not known
	cpu       time.Duration // of all, user and system
}

func readUsage(name string) (u usage, err error) {
	text, err := os.ReadFile(name) //nolint:gosec // a file of this program
	if err != nil {
		return u, err
	}
	for line := range strings.Lines(string(text)) {
		var one usage
		if _, err := fmt.Sscan(line, &one.peak, &one.cpu); err != nil {
			return u, err
		}
		u.processes++
		u.peak = max(u.peak, one.peak)
		u.cpu += one.cpu
	}
	return u, nil
}
