package main

import (
	"bytes"
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"terraform-provider-notification/internal/emulator"
)

//go:embed configurations/*.tf
var configurations embed.FS

// folder is where Terraform does a contestant's work.
type folder struct {
	contestant

	dir    string
	binary string // of the provider; empty: none
	usage  string // file that the provider's process adds its usage to
	rc     string // CLI configuration
}

// prepare makes a contestant's folder.
func (b *bench) prepare(w workload, c contestant) (*folder, error) {
	dir, err := os.MkdirTemp(b.root, "work")
	if err != nil {
		return nil, err
	}
	text, err := configurations.ReadFile("configurations/" + c.configuration)
	if err != nil {
		return nil, err
	}
	keys := make([]string, w.n)
	for i := range keys {
		keys[i] = fmt.Sprintf("%05d", i)
	}
	variables := []byte(`{"keys":[]}`) // Terraform converts them, even if nothing uses them
	if strings.Contains(w.keys, "var.keys") {
		variables = fmt.Appendf(nil, `{"keys":["%s"]}`, strings.Join(keys, `","`))
	}
	f := &folder{c, dir, b.binaries[c.provider], filepath.Join(dir, "usage"), filepath.Join(dir, "rc")}
	settings := "disable_checkpoint = true\n"
	if f.binary != "" {
		// Terraform starts this program, which runs the provider.
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		address := regexp.MustCompile(`source = "(.*/(.*))"`).FindSubmatch(text)
		executable := filepath.Join(dir, "terraform-provider-"+string(address[2]))
		if err := os.Symlink(self, executable); err != nil {
			return nil, err
		}
		settings += fmt.Sprintf(
			"provider_installation {\n dev_overrides {\n  %q = %q\n }\n direct {}\n}\n", address[1], dir)
	}
	// Terraform evaluates the expression of a for_each for each instance, but a local once.
	local := fmt.Appendf(nil,
		"variable \"keys\" {\n  type = list(string)\n}\nlocals {\n  keys = %s\n}\n", w.keys)
	for name, content := range map[string][]byte{
		c.configuration: text, "keys.tf": local, "keys.auto.tfvars.json": variables,
		"keys.txt": []byte(strings.Join(keys, " ")), "rc": []byte(settings),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// measurement is what one apply cost.
type measurement struct {
	wall     time.Duration
	cpu      time.Duration // of Terraform and of all that it started, user and system
	state    int64         // bytes
	provider usage
	ledger   emulator.Ledger
}

// apply makes everything from nothing.
func (b *bench) apply(
	ctx context.Context, f *folder, s *service, n int,
) (m measurement, err error) {
	state := filepath.Join(f.dir, "terraform.tfstate")
	if err := os.RemoveAll(state); err != nil {
		return m, err
	}
	if err := os.WriteFile(f.usage, nil, 0o600); err != nil {
		return m, err
	}
	s.ClearLedger()
	cmd := exec.CommandContext( //nolint:gosec // what the user has on PATH
		ctx, b.terraform, "apply", "-auto-approve", "-input=false", "-no-color")
	var output bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = f.dir, &output, &output
	// Killed, Terraform would leave its providers behind.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = time.Minute
	cmd.Env = append(environment("CHECKPOINT_DISABLE=1", "TF_CLI_CONFIG_FILE="+f.rc), s.env...)
	if f.binary != "" {
		cmd.Env = append(cmd.Env, providerVariable+"="+f.binary, usageVariable+"="+f.usage)
	}
	began := time.Now()
	err = cmd.Run()
	m.wall = time.Since(began)
	if err != nil {
		return m, fmt.Errorf("%s: terraform apply: %w\n%s", f.name, err, output.Bytes())
	}
	// Terraform waits for its children, so their time is in its own.
	m.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if m.provider, err = readUsage(f.usage); err != nil {
		return m, err
	}
	if f.binary != "" && m.provider.processes == 0 {
		return m, fmt.Errorf("%s: the provider was killed before it could be measured", f.name)
	}
	info, err := os.Stat(state)
	if err != nil {
		return m, err
	}
	m.state, m.ledger = info.Size(), s.Ledger()
	if got, want := m.ledger.SubmissionRequests, f.submissions(n); got != want {
		return m, fmt.Errorf("%s: %d submissions arrived, want %d", f.name, got, want)
	}
	return m, nil
}
