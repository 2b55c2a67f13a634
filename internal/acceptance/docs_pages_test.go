//go:build unix

package acceptance

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// Every block of every page is tested, in order, as a reader would follow it: a configuration in a
// new folder, with required_providers added where they are missing, and the blocks after it in that
// folder. What counts is whether it works and how many notifications arrive, not what it prints.
func TestPages(t *testing.T) {
	t.Parallel()
	for _, page := range pages(t) {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			blocks := codeBlocks(t, page)
			reader := &reader{page: t, keep: !slices.ContainsFunc(blocks, setsVariables)}
			for _, block := range blocks {
				name := fmt.Sprintf("line %d", block.line)
				if !t.Run(name, func(t *testing.T) { reader.test(t, block) }) {
					return // the next block may need this one
				}
			}
		})
	}
}

// setsVariables reports whether the commands of a block need a provider that is started by them.
func setsVariables(block codeBlock) bool {
	return block.has("run") && (strings.Contains(block.text, "NOTIFICATION_") ||
		strings.Contains(block.text, "notification-emulator"))
}

// reader follows a page.
type reader struct {
	page      *testing.T // workspaces outlive the blocks that create them
	keep      bool       // the provider
	workspace *workspace
	needs     []string // of the blocks in the workspace
}

func (r *reader) test(t *testing.T, block codeBlock) {
	switch block.language {
	case "terraform", "sh", "shell":
	case "json", "mermaid", "text":
		return // nothing to run
	default:
		t.Fatalf("nothing tests a block in the language %q", block.language)
	}
	if r.workspace == nil || block.language == "terraform" && !block.has("file") {
		r.workspace, r.needs = newWorkspace(r.page, nil), nil
		r.workspace.setenv("TF_VAR_release", "v1.4.2")
		if r.keep && block.language == "terraform" {
			r.workspace.keepProvider(r.page)
		}
		if !strings.Contains(block.text, "required_providers") {
			r.workspace.put(t, "versions.tf", required)
		}
	}
	r.needs = append(r.needs, block.options["needs"])
	for _, need := range r.needs {
		if !block.has("syntax") {
			skipWithout(t, need)
		}
	}
	if faults, ok := block.options["faults"]; ok {
		r.workspace.setSubmissionFaults(t, faults)
	}
	before := len(r.workspace.Ledger().Submissions)
	output, status := r.workspace.follow(t, block)
	if want, _ := strconv.Atoi(block.options["status"]); status != want { // 0 unless given
		t.Errorf("exit status %d, want %d:\n%s", status, want, output)
	}
	got := len(r.workspace.Ledger().Submissions) - before
	if want, _ := strconv.Atoi(block.options["sends"]); got != want { // as above
		t.Errorf("%d notifications arrived, want %d:\n%s", got, want, output)
	}
	if left := r.workspace.Faults()["submission"]; left != "" {
		t.Errorf("no submission met the faults %s:\n%s", left, output)
	}
}

// follow does what a page says about a block: validate or apply a configuration, or run commands.
func (w *workspace) follow(t *testing.T, block codeBlock) (output string, status int) {
	t.Helper()
	switch {
	case block.language == "terraform":
		w.put(t, cmp.Or(block.options["file"], "main.tf"), block.text)
		if strings.Contains(block.text, `"./checkout"`) {
			w.copyExamples(t, "demo/checkout", "checkout")
			w.must(t, "get")
		}
		if block.has("apply") {
			return w.terraform(t, "apply")
		}
		return w.terraform(t, "validate", "-no-color")
	case block.has("run"):
		return w.script(t, block.text)
	case block.has("syntax"):
		return w.script(t, "set -n\n"+block.text)
	}
	t.Fatal("mark the block with run, or with syntax")
	return "", 0
}

// commands returns a folder with the commands of the docs: terraform, which is the program under
// test, and notification-emulator.
var commands = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(filepath.Dir(cliConfig), "commands")
	found, err := exec.LookPath(terraformPath)
	path, absErr := filepath.Abs(found)
	return dir, errors.Join(err, absErr, os.Mkdir(dir, 0o700),
		os.Symlink(path, filepath.Join(dir, "terraform")),
		build(filepath.Join(dir, "notification-emulator"), "internal/cmd/notification-emulator"))
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
	cmd.Dir, cmd.SysProcAttr = w.dir, &syscall.SysProcAttr{Setpgid: true}
	cmd.Env = append(w.env, "TF_IN_AUTOMATION=1",
		"PATH="+dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // what it left running, usually nothing
	return string(out), cmd.ProcessState.ExitCode()
}

// mustScript runs commands that must succeed.
func (w *workspace) mustScript(t *testing.T, text string) {
	t.Helper()
	if out, status := w.script(t, text); status != 0 {
		t.Fatalf("exit status %d:\n%s\n%s", status, text, out)
	}
}
