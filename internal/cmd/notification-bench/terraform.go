package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// measurement is what one command of Terraform cost.
type measurement struct {
	wall     time.Duration
	cpu      time.Duration // of Terraform and of all that it started, user and system
	provider usage
	received
}

// bench is all that the runs share.
type bench struct {
	terraform string
	emulator  string
	root      string // temporary
}

func newBench(ctx context.Context, root string) (b *bench, err error) {
	b = &bench{root: root}
	if b.terraform, err = findTerraform(); err != nil {
		return nil, err
	}
	b.emulator, err = b.build(ctx, "./internal/cmd/notification-emulator", "notification-emulator")
	return b, err
}

// run runs one command of Terraform in the contestant's folder.
func (b *bench) run(ctx context.Context, c *contestant, s *service, args ...string) (m measurement, err error) {
	used := filepath.Join(c.dir, "usage")
	if err := os.WriteFile(used, nil, 0o600); err != nil {
		return m, err
	}
	cmd := exec.CommandContext(ctx, b.terraform, args...) //nolint:gosec // what the user has on PATH
	var output bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.dir, &output, &output
	// The user's own settings do not concern the comparison.
	for _, name := range []string{"PATH", "HOME", "TMPDIR"} {
		cmd.Env = append(cmd.Env, name+"="+os.Getenv(name))
	}
	cmd.Env = append(cmd.Env, "CHECKPOINT_DISABLE=1", "TF_CLI_CONFIG_FILE="+c.cliConfig)
	cmd.Env = append(cmd.Env, s.env...)
	if c.binary != "" {
		cmd.Env = append(cmd.Env, providerVariable+"="+c.binary, usageVariable+"="+used)
	}

	began := time.Now()
	err = cmd.Run()
	m.wall = time.Since(began)
	if err != nil {
		return m, fmt.Errorf("%s: %s %q: %w\n%s", c.name, b.terraform, args, err, output.Bytes())
	}
	// Terraform waits for its children, so their time is in its own.
	m.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	m.provider, err = readUsage(used)
	if err != nil {
		return m, err
	}
	m.received, err = s.take(ctx)
	return m, err
}

// apply makes n of the contestant's resources from nothing.
func (b *bench) apply(ctx context.Context, c *contestant, s *service, n int) (measurement, error) {
	if err := c.reset(n); err != nil {
		return measurement{}, err
	}
	m, err := b.run(ctx, c, s, append([]string{"apply", "-auto-approve", "-input=false", "-no-color"}, c.args...)...)
	if err != nil {
		return m, err
	}
	if want := c.sends.count(n); m.SubmissionRequests != want || m.distinct() != want {
		return m, fmt.Errorf("%s: %d submissions of %d notifications arrived, want %d", c.name, m.SubmissionRequests, m.distinct(), want)
	}
	return m, nil
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

// build compiles a package of this module the way a release is built.
func (b *bench) build(ctx context.Context, pkg, name string) (string, error) {
	binary := filepath.Join(b.root, name)
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, pkg) //nolint:gosec // packages of this module
	if output, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build %s: %w\n%s", pkg, err, output)
	}
	return binary, nil
}
