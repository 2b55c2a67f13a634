//go:build unix

package acceptance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// checkFormat fails the test unless text is as `terraform fmt` would have it.
func checkFormat(t *testing.T, w *workspace, text string) {
	t.Helper()
	cmd, stdout, stderr := w.command(t, "fmt", "-check", "-diff", "-")
	cmd.Stdin = strings.NewReader(text)
	if err := cmd.Run(); err != nil {
		t.Errorf("not formatted: %v\n%s%s", err, stdout, stderr)
	}
}

// commands is a folder in which the commands of the docs are found: terraform, which is the program
// under test, and notification-emulator.
var commands = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(filepath.Dir(cliConfig), "commands")
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	err := build(filepath.Join(dir, "notification-emulator"), "internal/cmd/notification-emulator")
	if err != nil {
		return "", err
	}
	path, err := exec.LookPath(terraformPath)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	if err != nil {
		return "", err
	}
	return dir, os.Symlink(path, filepath.Join(dir, "terraform"))
})

// script runs text in the workspace as a POSIX shell does, and returns what it printed and its exit
// status.
func (w *workspace) script(t *testing.T, text string) (string, int) {
	t.Helper()
	dir, err := commands()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-ec", text)
	cmd.Dir = w.dir
	cmd.Env = append(w.env, "TF_IN_AUTOMATION=1",
		"PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// mustScript is script for commands that have to succeed.
func (w *workspace) mustScript(t *testing.T, text string) {
	t.Helper()
	if out, status := w.script(t, text); status != 0 {
		t.Fatalf("exit status %d:\n%s\n%s", status, text, out)
	}
}
