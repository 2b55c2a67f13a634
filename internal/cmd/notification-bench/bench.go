package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

// bench is all that the measurements share.
type bench struct {
	terraform string // program to run
	version   string // its own words, for example "Terraform v1.11.4"
	root      string // temporary folder
	binaries  map[string]string
}

func newBench(ctx context.Context, root string) (*bench, error) {
	b := &bench{root: root, binaries: map[string]string{}}
	b.terraform = cmp.Or(os.Getenv("TF_ACC_TERRAFORM_PATH"), "terraform")
	cmd := exec.CommandContext(ctx, b.terraform, "version") //nolint:gosec // what the user has on PATH
	cmd.Env = environment("CHECKPOINT_DISABLE=1")
	output, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s version: %w", b.terraform, err)
	}
	line, _, _ := bytes.Cut(output, []byte("\n"))
	b.version = string(line)
	for name, pkg := range map[string]string{ours: ".", noopProvider: "./internal/fakeprovider"} {
		b.binaries[name] = filepath.Join(root, filepath.Base(pkg)+"-provider")
		if err := build(ctx, pkg, b.binaries[name]); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// build compiles a package of this module with the settings of a release.
func build(ctx context.Context, pkg, binary string, flags ...string) error {
	args := slices.Concat([]string{"build", "-trimpath", "-ldflags", "-s -w", "-o", binary}, flags)
	cmd := exec.CommandContext(ctx, "go", append(args, pkg)...) //nolint:gosec // of this module
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0")
	if output, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build %s: %w\n%s", pkg, err, output)
	}
	return nil
}

// buildUnsent builds this provider without sending, which is as fast as one of its schema can be.
func (b *bench) buildUnsent(ctx context.Context) error {
	b.binaries[unsent] = filepath.Join(b.root, "unsent-provider")
	return build(ctx, ".", b.binaries[unsent], "-tags", "unsent")
}

// environment is for what is measured. The user's own settings, such as TF_LOG and GOGC, do not
// concern it. GORACE does nothing to what go build makes here.
func environment(more ...string) []string {
	var environ []string
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "GORACE"} {
		environ = append(environ, name+"="+os.Getenv(name))
	}
	return append(environ, more...)
}
