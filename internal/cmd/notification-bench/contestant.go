package main

import (
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:embed configurations/*.tf
var configurations embed.FS

// contestant is one way to get the same thing done N times.
type contestant struct {
	name          string
	configuration string // file below configurations
	binary        string // of the provider; empty: none is started
	sends         sends
	args          []string // of terraform apply, besides the usual

	dir       string // where Terraform works
	cliConfig string
}

// sends says what a contestant submits for N resources.
type sends int

const (
	nothing sends = iota
	single
	forEach
)

func (s sends) count(n int) int {
	switch s {
	case single:
		return 1
	case forEach:
		return n
	default:
		return 0
	}
}

const (
	floorName      = "terraform_data"
	noopName       = "no-op provider"
	curlName       = "local-exec curl"
	oursName       = "this provider"
	parallelName   = "this provider, -parallelism=30"
	recipientsName = "this provider, one notification to N recipients"
)

// group is what is compared with each other: contestants with the same kind of
// for_each, and among them the no-op provider.
type group struct {
	name        string
	keys        string // expression for for_each
	contestants []*contestant
}

const (
	setName = "for_each over a set"
	mapName = "for_each over a map"
	setKeys = `toset(jsondecode(file("keys.json")))`
	mapKeys = `{ for key in jsondecode(file("keys.json")) : key => key }`
)

// groups builds what there is to build. In a group no contestant with a binary
// comes before the no-op provider.
func (b *bench) groups(ctx context.Context, o options) (set, growth group, err error) {
	noop, err := b.build(ctx, "./internal/cmd/noop-provider", "noop")
	if err != nil {
		return set, growth, err
	}
	ours, err := b.build(ctx, ".", "notification")
	if err != nil {
		return set, growth, err
	}
	self, err := os.Executable()
	if err != nil {
		return set, growth, err
	}
	_, missing := exec.LookPath("curl")
	hasCurl := missing == nil
	if !hasCurl {
		fmt.Fprintln(os.Stderr, "There is no curl on PATH, so nothing is compared with it.")
	}
	set = group{setName, setKeys, []*contestant{
		{name: floorName, configuration: "terraform_data.tf"},
		{name: noopName, configuration: "noop.tf", binary: noop},
		{name: curlName, configuration: "local_exec_curl.tf", sends: forEach},
		{name: oursName, configuration: "notification.tf", binary: ours, sends: forEach},
	}}
	growth = group{mapName, mapKeys, []*contestant{
		{name: floorName, configuration: "terraform_data.tf"},
		{name: noopName, configuration: "noop.tf", binary: noop},
		{name: oursName, configuration: "notification.tf", binary: ours, sends: forEach},
		{name: parallelName, configuration: "notification.tf", binary: ours, sends: forEach, args: []string{"-parallelism=30"}},
		{name: recipientsName, configuration: "notification_recipients.tf", binary: ours, sends: single},
	}}
	for _, g := range []*group{&set, &growth} {
		g.contestants = slices.DeleteFunc(g.contestants, func(c *contestant) bool {
			return o.only != nil && !o.only[c.name] || c.name == curlName && !hasCurl
		})
		for _, also := range o.also {
			c := *also
			g.contestants = append(g.contestants, &c)
		}
		for _, c := range g.contestants {
			if err := c.prepare(b.root, g.keys, self); err != nil {
				return set, growth, err
			}
		}
	}
	return set, growth, nil
}

// prepare makes the contestant's folder. self is this program.
func (c *contestant) prepare(root, keys, self string) error {
	dir, err := os.MkdirTemp(root, "run")
	if err != nil {
		return err
	}
	c.dir = dir
	text, err := configurations.ReadFile("configurations/" + c.configuration)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(c.dir, "main.tf"), text, 0o600); err != nil {
		return err
	}
	// Terraform evaluates the expression of a for_each again for each instance, but
	// that of a local once.
	if err := os.WriteFile(filepath.Join(c.dir, "keys.tf"), fmt.Appendf(nil, "locals {\n  keys = %s\n}\n", keys), 0o600); err != nil {
		return err
	}
	settings := "disable_checkpoint = true\n"
	if c.binary != "" {
		address := regexp.MustCompile(`source = "(.*/(.*))"`).FindSubmatch(text)
		if err := os.Symlink(self, filepath.Join(c.dir, "terraform-provider-"+string(address[2]))); err != nil {
			return err
		}
		settings += fmt.Sprintf("provider_installation {\n  dev_overrides {\n    %q = %q\n  }\n  direct {}\n}\n", address[1], c.dir)
	}
	c.cliConfig = filepath.Join(c.dir, "terraform.rc")
	return os.WriteFile(c.cliConfig, []byte(settings), 0o600)
}

// reset forgets what an earlier run made, and asks for n.
func (c *contestant) reset(n int) error {
	stale, err := filepath.Glob(filepath.Join(c.dir, "terraform.tfstate*"))
	if err != nil {
		return err
	}
	for _, name := range stale {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprintf("%q", fmt.Sprintf("%05d", i))
	}
	return os.WriteFile(filepath.Join(c.dir, "keys.json"), []byte("["+strings.Join(keys, ",")+"]"), 0o600)
}
