package acceptance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// getenv is the value that the workspace's Terraform gets.
func (w *workspace) getenv(name string) string {
	value := ""
	for _, entry := range w.env {
		if key, v, _ := strings.Cut(entry, "="); key == name {
			value = v
		}
	}
	return value
}

// hasVersion reports whether the program under test has at least that MAJOR.MINOR.
func hasVersion(t *testing.T, wanted string) bool {
	t.Helper()
	var major, minor int
	if _, err := fmt.Sscanf(wanted, "%d.%d", &major, &minor); err != nil {
		t.Fatalf("version %q: %v", wanted, err)
	}
	got := terraformVersion
	return got.major > major || got.major == major && got.minor >= minor
}

// hasActions reports whether the program under test offers actions.
func hasActions(t *testing.T) bool {
	t.Helper()
	return terraformVersion.program != "OpenTofu" && hasVersion(t, "1.14")
}

// checkFormat fails the test unless text is as `terraform fmt` would have it.
func checkFormat(t *testing.T, w *workspace, text string) {
	t.Helper()
	cmd, stdout, stderr := w.command(t, "fmt", "-check", "-diff", "-")
	cmd.Stdin = strings.NewReader(text)
	if err := cmd.Run(); err != nil {
		t.Errorf("not formatted: %v\n%s%s", err, stdout, stderr)
	}
}

// commands is a folder in which the commands of the docs are found: terraform,
// which is the program under test, and notification-emulator.
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

// script runs text in the workspace as a POSIX shell does, and returns what it
// printed and its exit status.
func (w *workspace) script(t *testing.T, text string) (string, int) {
	t.Helper()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no POSIX shell")
	}
	dir, err := commands()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), shell, "-ec", text)
	cmd.Dir = w.dir
	cmd.Env = append(w.env, "PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH"), "TF_IN_AUTOMATION=1")
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

// fakeProvider is a CLI configuration that has internal/fakeprovider as hashicorp/fake besides.
var fakeProvider = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(filepath.Dir(cliConfig), "fakeprovider")
	err := build(filepath.Join(dir, "terraform-provider-fake"), "internal/fakeprovider")
	if err != nil {
		return "", err
	}
	base, err := os.ReadFile(cliConfig)
	if err != nil {
		return "", err
	}
	const overrides = "dev_overrides {\n"
	config := strings.Replace(
		string(base), overrides, overrides+fmt.Sprintf("    \"hashicorp/fake\" = %q\n", dir), 1)
	path := filepath.Join(dir, "terraform.rc")
	return path, os.WriteFile(path, []byte(config), 0o600)
})

// useFakeProvider has the workspace's Terraform find internal/fakeprovider.
func (w *workspace) useFakeProvider(t *testing.T) {
	t.Helper()
	path, err := fakeProvider()
	if err != nil {
		t.Fatal(err)
	}
	w.setenv("TF_CLI_CONFIG_FILE", path)
}
