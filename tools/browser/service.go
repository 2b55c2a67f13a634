package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// programs are what was built, as make passes it on.
type programs struct {
	chromium, terraform, provider, emulator string
	source                                  string // of the provider, as in HCL
}

func environmentPrograms() (programs, error) {
	p := programs{
		chromium:  os.Getenv("CHROMIUM"),
		terraform: os.Getenv("TERRAFORM"),
		provider:  os.Getenv("PROVIDER"),
		emulator:  os.Getenv("EMULATOR"),
		source:    os.Getenv("SOURCE"),
	}
	if p.chromium == "" || p.terraform == "" || p.provider == "" || p.emulator == "" || p.source == "" {
		return p, errors.New("CHROMIUM, TERRAFORM, PROVIDER, EMULATOR and SOURCE must be set: " +
			"use make browser-test or make screenshot")
	}
	return p, nil
}

// service is an emulator in a process of its own.
type service struct {
	root  string
	env   []string      // leads a provider there
	ended chan struct{} // closed when the process has ended
}

// startService runs the emulator until ctx ends.
func startService(ctx context.Context, p programs, args ...string) (*service, error) {
	command := exec.CommandContext(ctx, p.emulator, append([]string{"serve", "-listen", "127.0.0.1:0"}, args...)...)
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	stdout, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	s := &service{ended: make(chan struct{})}
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		name, value, ok := strings.Cut(strings.TrimPrefix(lines.Text(), "export "), "=")
		if !ok {
			continue
		}
		value = strings.Trim(value, "'")
		s.env = append(s.env, name+"="+value)
		if name == "NOTIFICATION_EMULATOR_URL" {
			s.root = value
		}
		if name == "NOTIFICATION_CLIENT_SECRET" { // the last one
			go func() {
				_ = command.Wait() // it ends with ctx
				close(s.ended)
			}()
			return s, nil
		}
	}
	return nil, errors.Join(errors.New("the emulator did not start"), command.Wait())
}

// apply applies a configuration in a folder of its own, with the provider that was built.
func (s *service) apply(ctx context.Context, p programs, dir, configuration string) error {
	settings := fmt.Sprintf("disable_checkpoint = true\nprovider_installation {\n  dev_overrides {\n"+
		"    %q = %q\n  }\n  direct {}\n}\n", p.source, filepath.Dir(p.provider))
	for name, text := range map[string]string{"main.tf": configuration, "terraform.rc": settings} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	command := exec.CommandContext(ctx, p.terraform, "apply", "-auto-approve", "-input=false", "-no-color")
	command.Dir = dir
	command.Env = append(s.env, "PATH="+os.Getenv("PATH"), "HOME="+dir,
		"TF_CLI_CONFIG_FILE="+filepath.Join(dir, "terraform.rc"))
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, output)
	}
	return nil
}
