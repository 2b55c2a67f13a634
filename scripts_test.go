//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A browser on PATH may be unable to start, as chromium is on GitHub's Ubuntu.
func TestChromiumStarts(t *testing.T) {
	t.Parallel()
	const starts = `case " $* " in *" --headless --dump-dom "*"about:blank ") echo '<html>' ;; esac`
	for name, test := range map[string]struct {
		chromium, chrome string
		want, told       string
	}{
		"both": {starts, starts, "chromium", ""},
		"second": {"echo line one >&2; echo No usable sandbox >&2; exit 133", starts, "google-chrome",
			"does not start: No usable sandbox\n"},
		"empty answer":     {":", starts, "google-chrome", "does not start: \n"},
		"page and failure": {starts + "; exit 1", starts, "google-chrome", "does not start: <html>\n"},
		"none":             {"exit 1", "exit 1", "", "google-chrome does not start: \n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// No apt-get is on this PATH.
			bin := programs(t, "sh", "id", "tail", "timeout")
			script(t, bin, "chromium", test.chromium)
			script(t, bin, "google-chrome", test.chrome)
			want := ""
			if test.want != "" {
				want = filepath.Join(bin, test.want) + "\n"
			}
			got, failures, err := runScript(t, bin, "tools/browser/chromium.sh")
			if got != want || err != nil {
				t.Errorf("it printed %q, want %q; %v", got, want, err)
			}
			if !strings.HasSuffix(failures, test.told) || (test.told == "") != (failures == "") {
				t.Errorf("it told %q, want %q", failures, test.told)
			}
		})
	}
}

func TestToolchainIsNewest(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	path := filepath.Join(root, "tools", "toolchain.sh")
	err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700),
		os.WriteFile(path, fileText(t, "tools/toolchain.sh"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
	bin := programs(t, "sh", "dirname", "sed", "tr", "awk")
	script(t, bin, "go", "echo go 1.9 1.25.13 1.26rc1 1.26.0 1.26.9 1.26.10 1.27.0 1.27.1 1.28rc1")
	for has, want := range map[string]string{
		"go1.26.10": "", "go1.27.1": "", "go1.26.10 // a comment": "", "go1.27.1\r": "",
		"": "go1.26.10", "go1.27.2": "go1.27.1", "go1.28rc1": "go1.27.1", "go1.29.0": "go1.27.1",
		"go1.26.9": "go1.26.10", "go1.25.13": "go1.26.10", "go1.27.0": "go1.27.1",
	} {
		module := []byte("go 1.26.0\n\n")
		if has != "" {
			module = append(module, "toolchain "+has+"\n"...)
		}
		if err := os.WriteFile(filepath.Join(root, "go.mod"), module, 0o600); err != nil {
			t.Fatal(err)
		}
		_, failures, err := runScript(t, bin, path)
		if want == "" && err != nil || want != "" && !strings.HasSuffix(failures, "toolchain "+want+"\n") {
			t.Errorf("for %s it printed %q, want %q; %v", has, failures, want, err)
		}
	}
}

// constraints has a % for each of ours, and a quote for each backquote.
const constraints = `terraform {
  required_version = "~> 0.1"
  required_providers {
    notification = {
      source  = "acme/notification"
      version = "~> %"
    }
    hosted = {
      version = "~> %" # a comment
      // and another one
      source = "registry.terraform.io/acme/notification"
    }
    short = { source = "acme/notification", version = "~> %" }
    aws   = { source = "hashicorp/aws", version = "~> 0.1" }
    vault = {
      version = "~> 0.1"
      source  = "hashicorp/vault" # beside acme/notification
    }
    http = {
      source = "hashicorp/http"
      # a comment
      version = "~> 0.1"
    }
  }
}
'~> %' and 'version = "~> %, != 0.1.2"', but '~> 0.10' and '~> 0.1.2'
| a table | ~> % |
`

// The constraints of others stay, and so do files that git does not track.
func TestConstraintIsOurs(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(root, name)
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err = errors.Join(err, os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	before := strings.NewReplacer("%", "0.1", "'", "`").Replace(constraints)
	after := strings.NewReplacer("%", "1.0", "'", "`").Replace(constraints)
	write("page.md", before)
	write("internal/provider/provider.go", "const Source = \"acme/notification\"\n")
	write("examples/provider/provider.tf", before[:strings.Index(before, "hosted")])
	for _, name := range []string{"tools/constraint.sh", "tools/rewrite.sh"} {
		write(name, string(fileText(t, name)))
	}
	bin := programs(t, "sh", "dirname", "sed", "tr", "grep", "git", "mkdir", "cmp", "cat", "rm")
	script(t, bin, "track", "cd "+root+" && git init --quiet && git add .")
	if _, failures, err := runScript(t, bin, filepath.Join(bin, "track")); err != nil {
		t.Fatal(err, failures)
	}
	write("untracked.md", before)

	run := filepath.Join(root, "tools", "constraint.sh")
	for _, test := range []struct{ new, printed, page string }{
		{"1", "", before},
		{"1.0", "~> 0.1 is now ~> 1.0, in 2 files.\n", after},
		{"0.1", "~> 1.0 is now ~> 0.1, in 2 files.\n", before},
	} {
		printed, failures, err := runScript(t, bin, run, test.new)
		if printed != test.printed || (err == nil) != (test.printed != "") {
			t.Errorf("for %s it printed %q, want %q; %v\n%s", test.new, printed, test.printed, err, failures)
		}
		for name, want := range map[string]string{"page.md": test.page, "untracked.md": before} {
			if got, err := os.ReadFile(filepath.Join(root, name)); string(got) != want || err != nil {
				t.Errorf("for %s, %s is %v\n%s", test.new, name, err, got)
			}
		}
	}
	for _, line := range []string{"", `  version = ">= 0.1"`, `  version = "~> 0.1.2"`} {
		write("examples/provider/provider.tf", line+"\n")
		if printed, failures, err := runScript(t, bin, run, "1.0"); err == nil ||
			!strings.Contains(failures, "examples/provider/provider.tf must be MAJOR.MINOR") {
			t.Errorf("with %q it printed %q, %v, %s", line, printed, err, failures)
		}
	}
}

// runScript runs a script with nothing but bin on PATH. It returns what that printed.
func runScript(t *testing.T, bin string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	if _, err := os.Stat(args[0]); err != nil { // go test caches until what was looked at changes
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), filepath.Join(bin, "sh"), args...)
	command.Env = []string{"PATH=" + bin}
	var failures strings.Builder
	command.Stderr = &failures
	out, err := command.Output()
	return string(out), failures.String(), err
}

// programs is a folder of links to programs of this machine, those that are there.
func programs(t *testing.T, names ...string) string {
	t.Helper()
	bin := t.TempDir()
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return bin
}

// script writes a program of the shell.
func script(t *testing.T, bin, name, text string) {
	t.Helper()
	err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o700)
	if err != nil {
		t.Fatal(err)
	}
}
