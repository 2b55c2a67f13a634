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
	text, err := os.ReadFile("tools/toolchain.sh")
	err = errors.Join(err, os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, text, 0o600))
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
