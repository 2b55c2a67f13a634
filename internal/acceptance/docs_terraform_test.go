//go:build unix

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

// Every configuration of the examples, the module and the pages is formatted by `terraform fmt`.
// Examples that only a CI runner or a container runs are valid YAML.
func TestFormat(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	if err := os.CopyFS(filepath.Join(w.dir, "module"), os.DirFS(module)); err != nil {
		t.Fatal(err)
	}
	for path, text := range examples(t) {
		if filepath.Ext(path) == ".hcl" {
			path += ".tf"
		}
		w.put(t, path, text)
	}
	for _, page := range append(pages(t), filepath.Join(module, "README.md")) {
		for _, block := range codeBlocks(t, page) {
			if block.language == "terraform" {
				name := strings.TrimPrefix(page, repository)
				w.put(t, fmt.Sprintf("%s/%d.tf", name, block.line), block.text)
			}
		}
	}
	w.must(t, "fmt", "-check", "-diff", "-recursive")
	w.put(t, "main.tf", `
output "yaml" {
  value = [for path in fileset(".", "**/*.{yml,yaml}") : keys(yamldecode(file(path)))]
}
`)
	w.must(t, "plan")
}

// commands returns a folder with the commands of the docs: terraform, which is the program under
// test, and notification-emulator.
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

// mustScript runs commands that must succeed.
func (w *workspace) mustScript(t *testing.T, text string) {
	t.Helper()
	if out, status := w.script(t, text); status != 0 {
		t.Fatalf("exit status %d:\n%s\n%s", status, text, out)
	}
}
