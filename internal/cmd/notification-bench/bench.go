package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// bench is all that the measurements share.
type bench struct {
	terraform string // program to run
	version   string // its own words, for example "Terraform v1.11.4"
	root      string // temporary folder
	binaries  map[string]string
	latency   time.Duration
}

func newBench(ctx context.Context, root string, latency time.Duration) (*bench, error) {
	b := &bench{root: root, latency: latency, binaries: map[string]string{}}
	b.terraform = cmp.Or(os.Getenv("TF_ACC_TERRAFORM_PATH"), "terraform")
	cmd := exec.CommandContext(ctx, b.terraform, "version") //nolint:gosec // what the user has on PATH
	cmd.Env = environment("CHECKPOINT_DISABLE=1")
	output, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s version: %w", b.terraform, err)
	}
	line, _, _ := bytes.Cut(output, []byte("\n"))
	b.version = string(line)
	for name, pkg := range map[string]string{ours: ".", standIn: "./internal/standin"} {
		b.binaries[name] = filepath.Join(root, filepath.Base(pkg)+"-provider")
		if err := build(ctx, pkg, b.binaries[name]); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// build compiles a package of this module with the settings of a release.
func build(ctx context.Context, pkg, binary string) error {
	cmd := exec.CommandContext( //nolint:gosec // packages of this module
		ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, pkg)
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0")
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", pkg, err, output)
	}
	return nil
}

// environment is for what is measured. The user's own settings, such as TF_LOG and
// GOGC, do not concern it.
func environment(more ...string) []string {
	var environ []string
	for _, name := range []string{"PATH", "HOME", "TMPDIR"} {
		environ = append(environ, name+"="+os.Getenv(name))
	}
	return append(environ, more...)
}

// title says what is measured with, and where.
func (b *bench) title() string {
	return fmt.Sprintf("%s, %s, %s, %d CPUs, %s/%s, %s until the service answers.",
		time.Now().Format(time.DateOnly), b.version, runtime.Version(), runtime.NumCPU(),
		runtime.GOOS, runtime.GOARCH, b.latency)
}
