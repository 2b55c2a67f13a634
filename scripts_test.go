//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A browser on PATH may be unable to start, as chromium is on GitHub's Ubuntu.
func TestChromiumStarts(t *testing.T) {
	t.Parallel()
	const starts = `case " $* " in *" --headless --dump-dom "*" about:blank ") echo '<html>' ;; esac`
	for name, test := range map[string]struct {
		chromium, chrome string
		want             string
		failures         int
	}{
		"both":         {starts, starts, "chromium", 0},
		"second":       {"echo No usable sandbox >&2; exit 133", starts, "google-chrome", 1},
		"empty answer": {":", starts, "google-chrome", 1},
		"none":         {"exit 1", "exit 1", "", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// No apt-get is on this PATH.
			bin := programs(t, "sh", "id", "grep", "timeout")
			script(t, bin, "chromium", test.chromium)
			script(t, bin, "google-chrome", test.chrome)
			want := ""
			if test.want != "" {
				want = filepath.Join(bin, test.want) + "\n"
			}
			got, failures := runScript(t, bin, "tools/browser/chromium.sh")
			if got != want {
				t.Errorf("it printed %q, want %q", got, want)
			}
			if told := strings.Count(failures, " does not start.\n"); told != test.failures {
				t.Errorf("it told of %d that do not start, want %d: %s", told, test.failures, failures)
			}
		})
	}
}

// runScript runs a script with nothing but bin on PATH. It returns what that printed.
func runScript(t *testing.T, bin string, args ...string) (stdout, stderr string) {
	t.Helper()
	if _, err := os.Stat(args[0]); err != nil { // go test caches until what was looked at changes
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), filepath.Join(bin, "sh"), args...)
	command.Env = []string{"PATH=" + bin}
	var failures strings.Builder
	command.Stderr = &failures
	out, err := command.Output()
	if err != nil {
		t.Errorf("%v: %s", err, &failures)
	}
	return string(out), failures.String()
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
