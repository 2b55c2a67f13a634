//go:build unix

package acceptance

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"terraform-provider-notification/internal/emulator"
	"terraform-provider-notification/internal/emulator/emulatortest"
)

// The job with the emulator of the release, in which the variables of the workspace are those of
// production: nothing may arrive there, whether or not the emulator starts.
func emulatorJob(t *testing.T, path string) {
	for _, tool := range []string{"bash", "curl", "tar"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("there is no " + tool)
		}
	}
	skipBelow(t, jobModule(t))
	steps := jobsOf(t, path).Steps["announcement"]
	if len(steps) != 5 {
		t.Fatalf("%d steps with commands, want 5", len(steps))
	}
	get, start, apply, check, stop := steps[0], steps[1], steps[2], steps[3], steps[4]

	t.Run("as it stands", func(t *testing.T) {
		t.Parallel()
		w := newJob(t)
		// Whatever becomes of the steps before, this one runs.
		defer func() {
			w.mustStep(t, stop)
			w.silent(t, "the job")
			root := w.getenv("NOTIFICATION_EMULATOR_URL")
			if root == "" {
				t.Error("the later steps do not know the emulator")
				return
			}
			tick := time.NewTicker(20 * time.Millisecond)
			defer tick.Stop()
			for _, status := w.step(t, "curl --silent "+root); status == 0; <-tick.C {
				_, status = w.step(t, "curl --silent "+root)
			}
		}()
		before := w.files(t)
		for _, step := range []string{get, strings.ReplaceAll(start, "127.0.0.1:8080", free(t)), apply, check} {
			w.mustStep(t, step)
		}
		after := slices.DeleteFunc(w.files(t), func(name string) bool { return name == "gh.log" })
		if !slices.Equal(before, after) {
			t.Errorf("the checkout has %q, and had %q", after, before)
		}
		calls, err := os.ReadFile(filepath.Join(w.dir, "gh.log"))
		if want := `release download
attestation verify notification-emulator_X.Y.Z_linux_amd64.tar.gz
`; err != nil || string(calls) != want {
			t.Errorf("gh was called as %q, %v", calls, err)
		}
	})

	t.Run("does not start", func(t *testing.T) {
		t.Parallel()
		w := newJob(t)
		w.mustStep(t, get)
		_, older := emulatortest.Serve(t,
			emulator.Config{ClientID: "id", ClientSecret: testSecret, Version: "0.1.0"})
		taken := strings.TrimPrefix(older, "http://")
		out, status := w.step(t, strings.ReplaceAll(start, "127.0.0.1:8080", taken))
		if status != 1 || !strings.Contains(out, `"status":"ok"`) { // of the older one
			t.Errorf("exit status %d\n%s", status, out)
		}
		if got := w.getenv("NOTIFICATION_EMULATOR_URL"); got != "" {
			t.Errorf("the emulator is said to be at %s", got)
		}
		w.mustStep(t, stop)
		w.silent(t, "the job")
	})
}

// free is an address that nobody listens on, for a port that other programs may have.
func free(t *testing.T) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

// newJob is the workspace of a job: with the module of the page that shows it, what an apply has left, a
// gh that knows a release with the emulator, and no emulator on PATH.
func newJob(t *testing.T) *workspace {
	t.Helper()
	w := newPipeline(t)
	w.put(t, "main.tf", jobModule(t))
	w.leaveState(t)
	built, err := commands()
	if err != nil {
		t.Fatal(err)
	}
	w.setenv("RUNNER_TEMP", t.TempDir())
	w.setenv("WORKSPACE", w.dir)
	w.setenv("BUILT", built)
	w.setenv("PATH", filepath.Join(w.dir, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"))
	w.put(t, "bin/gh", `#!/bin/sh
case "$1 $2" in
"release download")
  echo "$1 $2" >>"$WORKSPACE/gh.log"
  while [ "$1" != --pattern ]; do shift; done
  archive=notification-emulator_X.Y.Z_linux_amd64.tar.gz
  case $archive in
  $2) tar -czf "$archive" -C "$BUILT" notification-emulator ;;
  *) exit 1 ;;
  esac ;;
"attestation verify")
  [ -s "$3" ] && echo "$1 $2 $3" >>"$WORKSPACE/gh.log" ;;
*) exit 1 ;;
esac
`)
	err = os.Chmod(filepath.Join(w.dir, "bin", "gh"), 0o700)
	if err == nil {
		err = os.Symlink(filepath.Join(built, "terraform"), filepath.Join(w.dir, "bin", "terraform"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// jobModule is the module of the page that shows the job, with the provider that it needs.
func jobModule(t *testing.T) string {
	t.Helper()
	blocks := codeBlocks(t, filepath.Join(repository, "docs", "guides", "testing-modules.md"))
	module := slices.IndexFunc(blocks, func(b codeBlock) bool { return b.language == "terraform" })
	return required + blocks[module].text
}

// step runs a step as GitHub does: in a shell of its own, after which the lines of two files become
// variables and folders of PATH of the later steps.
func (w *workspace) step(t *testing.T, text string) (output string, status int) {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"GITHUB_ENV": "", "GITHUB_PATH": "", "step": text}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.CommandContext(t.Context(), "bash", "-e", filepath.Join(dir, "step"))
	command.Dir = w.dir
	command.Env = append(w.env[:len(w.env):len(w.env)], "GITHUB_ENV="+filepath.Join(dir, "GITHUB_ENV"),
		"GITHUB_PATH="+filepath.Join(dir, "GITHUB_PATH"), "REPOSITORY=notification/example")
	command.WaitDelay = time.Minute // then an error: something holds its standard output open
	out, err := command.CombinedOutput()
	if command.ProcessState == nil || command.ProcessState.Success() && err != nil {
		t.Fatalf("%v\n%s\n%s", err, text, out)
	}
	for name := range files {
		for _, line := range strings.Fields(fileText(t, dir, name)) {
			switch {
			case name == "GITHUB_PATH":
				w.setenv("PATH", line+string(filepath.ListSeparator)+w.getenv("PATH"))
			case name == "GITHUB_ENV" && variableLine.MatchString(line):
				w.env = append(w.env, line)
			case name == "GITHUB_ENV":
				t.Errorf("%q sets no variable", line)
			}
		}
	}
	return string(out), command.ProcessState.ExitCode()
}

var variableLine = regexp.MustCompile(`^[A-Za-z_]+=`)

func (w *workspace) mustStep(t *testing.T, text string) {
	t.Helper()
	if out, status := w.step(t, text); status != 0 {
		t.Fatalf("exit status %d:\n%s\n%s", status, text, out)
	}
}
