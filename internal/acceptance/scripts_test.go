//go:build unix

package acceptance

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// stubs returns a folder with testdata/stub.sh in the place of each program on PATH. Only grep is
// itself: its status 1 means that there is no such line.
var stubs = sync.OnceValues(func() (string, error) {
	programs, err := commands()
	stub, absErr := filepath.Abs("testdata/stub.sh")
	dir := filepath.Join(programs, "stubs")
	// apk and gh are not on every machine. gh downloads a link to the program beside it.
	const gh = `#!/bin/sh
[ "$1" = release ] || exit 0
ln -s "${0%gh}notification-emulator" notification-emulator
tar -czf notification-emulator_0_linux_amd64.tar.gz notification-emulator
rm notification-emulator
`
	err = errors.Join(err, absErr, os.Mkdir(dir, 0o700),
		os.WriteFile(filepath.Join(programs, "apk"), []byte("#!/bin/sh\n"), 0o700),
		os.WriteFile(filepath.Join(programs, "gh"), []byte(gh), 0o700))
	for _, folder := range append(filepath.SplitList(os.Getenv("PATH")), programs) {
		found, _ := os.ReadDir(folder) // PATH may have folders that do not exist
		for _, program := range found {
			if program.Name() != "grep" {
				_ = os.Symlink(stub, filepath.Join(dir, program.Name())) // may be there already
			}
		}
	}
	return dir, err
})

// step is a shell block.
type step struct {
	If, Dir    string
	Shell, Run string // the command that runs it, and the block
}

// run runs steps as a runner does, from the one with the index first until one fails. Then it calls
// await, if that is not nil, and kills what the steps left running.
func (w *workspace) run(
	t *testing.T, steps []step, first int, await func(), forStubs ...string,
) (output string, status int) {
	t.Helper()
	dir, err := stubs()
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	for i, step := range steps[first:] {
		set, _ := os.ReadFile(filepath.Join(w.dir, "runner/env")) // if a step has written it
		more, _ := os.ReadFile(filepath.Join(w.dir, "runner/path"))
		path := slices.Concat([]string{dir}, strings.Fields(string(more)),
			[]string{filepath.Dir(dir), os.Getenv("PATH")})
		shell := append(strings.Fields(step.Shell), step.Run)
		cmd := exec.CommandContext(t.Context(), shell[0], shell[1:]...)
		cmd.Dir = filepath.Join(w.dir, "clone", step.Dir)
		cmd.Env = slices.Concat(w.env, strings.Split(string(set), "\n"), forStubs, []string{
			fmt.Sprint("STEP=", first+i), "ROOT=" + w.dir,
			"PATH=" + strings.Join(path, string(filepath.ListSeparator)),
		})
		cmd.Stdout, cmd.Stderr = &log, &log
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		err := cmd.Run()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		defer func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }() // what it left running
		if status = cmd.ProcessState.ExitCode(); status != 0 {
			break
		}
	}
	if await != nil {
		await()
	}
	return log.String(), status
}

// failSafe runs steps, which must succeed and send notifications with these subjects. Then it runs
// them twice for each call of a program, which fails without output, or after half of it: the steps
// must fail too, and send nothing else.
func (w *workspace) failSafe(t *testing.T, name string, steps []step, subjects ...string) {
	t.Helper()
	arrived := func() (all []string) {
		for _, submission := range w.Ledger().Submissions {
			all = append(all, submission.Channels[0].Subject)
		}
		w.ClearLedger()
		return all
	}
	records := t.TempDir()
	output, status := w.run(t, steps, 0, nil, "RECORDS="+records, "RUN="+t.TempDir())
	if got := arrived(); status != 0 || !slices.Equal(got, subjects) {
		t.Fatalf("%s: exit status %d, sent %q, want %q\n%s", name, status, got, subjects, output)
	}
	move := func(from, to string) {
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	after := filepath.Join(t.TempDir(), "after")
	move(w.dir, after)
	calls, err := os.ReadDir(records)
	if err != nil || len(calls) == 0 {
		t.Fatalf("%s calls no programs, %v", name, err)
	}
	for _, call := range calls {
		record := filepath.Join(records, call.Name())
		before, half := filepath.Join(record, "before"), len(fileText(t, record, "output"))/2
		first, _, _ := strings.Cut(call.Name(), ".")
		at, _ := strconv.Atoi(first) // its step, before which nothing is to be seen
		for _, prints := range slices.Compact([]int{0, half}) {
			move(before, w.dir)
			if prints < half { // it is needed once more
				if out, err := exec.Command("cp", "-a", w.dir, before).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
			calls := t.TempDir()
			var missing error // that the call was reached, perhaps in the background
			output, status := w.run(t, steps, at, func() {
				tick, began := time.Tick(5*time.Millisecond), time.Now()
				for missing = fs.ErrNotExist; missing != nil && time.Since(began) < 5*time.Second; <-tick {
					_, missing = os.Stat(filepath.Join(calls, call.Name()))
				}
			}, "RECORDS="+records, "RUN="+calls, "FAIL="+call.Name(), fmt.Sprint("PRINTS=", prints))
			sent := slices.DeleteFunc(arrived(), func(subject string) bool {
				return slices.Contains(subjects, subject)
			})
			if status == 0 || len(sent) > 0 || missing != nil {
				t.Errorf("%s: %s failed after %d bytes: exit status %d, sent %q, %v\n%s",
					name, call.Name(), prints, status, sent, missing, output)
			}
			if err := os.RemoveAll(w.dir); err != nil {
				t.Fatal(err)
			}
		}
	}
	move(after, w.dir)
}
