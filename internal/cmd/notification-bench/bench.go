package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// bench is all that the measurements share.
type bench struct {
	terraform string // program to run
	version   string // its own words, for example "Terraform v1.11.4"
	emulator  string
	root      string // temporary folder
}

func newBench(ctx context.Context, root string) (b *bench, err error) {
	b = &bench{root: root}
	if b.terraform, err = findTerraform(); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, b.terraform, "version") //nolint:gosec // what the user has on PATH
	cmd.Env = environment("CHECKPOINT_DISABLE=1")
	output, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s version: %w", b.terraform, err)
	}
	line, _, _ := bytes.Cut(output, []byte("\n"))
	b.version = string(line)
	b.emulator, err = b.build(ctx, "./internal/cmd/notification-emulator", "notification-emulator")
	return b, err
}

// findTerraform finds the Terraform or OpenTofu to run, as the acceptance tests do.
func findTerraform() (string, error) {
	if path := os.Getenv("TF_ACC_TERRAFORM_PATH"); path != "" {
		return path, nil
	}
	for _, name := range []string{"terraform", "tofu"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("neither terraform nor tofu is on PATH; set TF_ACC_TERRAFORM_PATH")
}

// build compiles a package of this module with the settings of a release.
func (b *bench) build(ctx context.Context, pkg, name string) (string, error) {
	binary := filepath.Join(b.root, name)
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, pkg) //nolint:gosec // packages of this module
	cmd.Env = append(cmd.Environ(), "CGO_ENABLED=0")
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", pkg, err, output)
	}
	return binary, nil
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
