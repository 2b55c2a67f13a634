package main

import (
	"bytes"
	"context"
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

// run runs one command of Terraform in the contestant's folder.
func (b *bench) run(ctx context.Context, c *contestant, s *service, args ...string) (m measurement, err error) {
	used := filepath.Join(c.dir, "usage")
	if err := os.WriteFile(used, nil, 0o600); err != nil {
		return m, err
	}
	cmd := exec.CommandContext(ctx, b.terraform, args...) //nolint:gosec // what the user has on PATH
	var output bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = c.dir, &output, &output
	// Killed, Terraform would leave its providers behind.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	cmd.Env = append(environment("CHECKPOINT_DISABLE=1", "TF_CLI_CONFIG_FILE="+c.cliConfig), s.env...)
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
	if err == nil && c.binary != "" && m.provider.processes == 0 {
		err = fmt.Errorf("%s: the provider was killed before it could be measured", c.name)
	}
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
