package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// fastest is what the fastest run of a benchmark took, by the benchmark's name.
// Other work on the machine can only add to such a time.
type fastest map[string]time.Duration

// buildBenchmarks compiles the Go benchmarks of package provider.
func (b *bench) buildBenchmarks(ctx context.Context) (string, error) {
	binary := filepath.Join(b.root, "provider.test")
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-o", binary, "./internal/provider") //nolint:gosec // a package of this module
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go test -c: %w\n%s", err, output)
	}
	return binary, nil
}

// result is a line of a benchmark's output. The groups are its name and how many
// nanoseconds its fastest run took.
var result = regexp.MustCompile(`^(Benchmark\S+?)(?:-\d+)?\s.*\s([\d.]+) fastest-ns/op`)

// runBenchmarks runs the benchmarks of that name and those below it.
func runBenchmarks(ctx context.Context, binary, name string) (fastest, error) {
	cmd := exec.CommandContext(ctx, binary, "-test.run", "^$", "-test.bench", "^"+name+"$", "-test.benchtime", "500ms") //nolint:gosec // was built here
	output, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", name, err, output)
	}
	took := fastest{}
	for line := range strings.Lines(string(output)) {
		if match := result.FindStringSubmatch(line); match != nil {
			nanoseconds, err := strconv.ParseFloat(match[2], 64)
			if err != nil {
				return nil, err
			}
			took[match[1]] = time.Duration(nanoseconds)
		}
	}
	return took, nil
}
