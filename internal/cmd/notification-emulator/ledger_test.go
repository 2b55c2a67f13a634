package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"terraform-provider-notification/internal/emulator"
)

// full is a stream that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// mkfifo makes a named pipe, of which Windows has none in folders.
func mkfifo(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no named pipes in folders")
	}
	fifo := filepath.Join(folder(t), "fifo")
	if err := exec.CommandContext(t.Context(), "mkfifo", fifo).Run(); err != nil {
		t.Fatal(err)
	}
	return fifo
}

func TestLedgerToStandardOutput(t *testing.T) {
	t.Parallel()
	r := runWith(t, nil, "exec", "--ledger", "-", "--", self(t), "announce")
	var ledger emulator.Ledger
	if err := json.Unmarshal([]byte(r.stdout), &ledger); err != nil || len(ledger.Submissions) != 1 {
		t.Errorf("got %d, %v, %q", r.status, err, r.stdout)
	}
}

// A ledger that cannot be written is a failure, but the command's own is more important.
func TestLedgerThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]int{"exit 0": exitOwnFailure, "exit 3": 3} {
		var stderr bytes.Buffer
		status := run(t.Context(), []string{"exec", "--ledger", "-", self(t), command},
			stepsEnviron(), nil, full{}, &stderr)
		if status != want || !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("%s: got %d, %q", command, status, &stderr)
		}

		dir := filepath.Join(folder(t), "gone")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		r := runWith(t, nil, "exec", "--ledger", filepath.Join(dir, "ledger.json"),
			self(t), "remove "+dir, command)
		if r.status != want || !strings.Contains(r.stderr, "ledger.json") {
			t.Errorf("%s without the folder: got %d, %q", command, r.status, r.stderr)
		}
	}
}

// A folder is noticed before the command runs.
func TestLedgerInPlaceOfAFolder(t *testing.T) {
	t.Parallel()
	r := runWith(t, nil, "exec", "--ledger", folder(t), self(t), "print PATH")
	if r.status != exitOwnFailure || r.stdout != "" {
		t.Errorf("got %d, %q, %q", r.status, r.stdout, r.stderr)
	}
}

func TestLedgerOutlivesItsFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(folder(t), "ledger.json")
	r := runWith(t, nil, "exec", "--ledger", file, self(t), "remove "+file)
	if text, err := os.ReadFile(file); err != nil || !json.Valid(text) {
		t.Errorf("got %d, %v, %q", r.status, err, text)
	}
}

// A ledger is for its owner's eyes only, also in a file that was there. What is not a file keeps its
// mode.
func TestLedgerMode(t *testing.T) {
	t.Parallel()
	fifo, dir := mkfifo(t), folder(t)
	there := filepath.Join(dir, "there.json")
	if err := os.WriteFile(there, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{there, fifo} {
		if err := os.Chmod(name, 0o644); err != nil { // whatever the umask
			t.Fatal(err)
		}
	}
	go func() { _, _ = os.ReadFile(fifo) }() // as long as there is no reader, a writer waits
	for file, want := range map[string]os.FileMode{
		there: 0o600, filepath.Join(dir, "new.json"): 0o600, fifo: 0o644,
	} {
		r := runWith(t, nil, "exec", "--ledger", file, "true")
		info, err := os.Stat(file)
		if err != nil || r.status != exitOK || info.Mode().Perm() != want {
			t.Errorf("%s: got %d, %v, %+v, %q", file, r.status, err, info, r.stderr)
		}
	}
}

// A named pipe that nobody reads from does not hold anybody up for ever.
func TestLedgerThatNobodyReads(t *testing.T) {
	t.Parallel()
	fifo := mkfifo(t)
	_, err := openFile(fifo, os.O_TRUNC, 0)
	if err == nil || err.Error() != "open "+fifo+": nobody reads from this pipe" {
		t.Errorf("got %v", err)
	}
	if file, err := os.OpenFile(fifo, os.O_RDWR, 0); err == nil { // sets the writer free
		_ = file.Close()
	}
}

func TestExpect(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		expect string
		steps  []string
		status int
		says   string
	}{
		"as many":  {"1", []string{"announce"}, 0, ""},
		"too many": {"0", []string{"announce"}, 1, "expected 0 notifications, but received 1\n"},
		"too few":  {"2", []string{"announce"}, 1, "expected 2 notifications, but received 1\n"},
		"one of two": {
			"1", []string{"announce", "announce"}, 1, "expected 1 notification, but",
		},
		"failure": {"2", []string{"announce", "exit 9"}, 9, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"exec", "--expect", test.expect, "--", self(t)}, test.steps...)
			r := runWith(t, nil, args...)
			if r.status != test.status || !strings.Contains(r.stderr, test.says) ||
				test.says == "" && strings.Contains(r.stderr, "expected") {
				t.Errorf("got %d, %q", r.status, r.stderr)
			}
			if test.status == 1 && !strings.Contains(r.stderr, "checkout") {
				t.Errorf("what arrived is missing: %q", r.stderr)
			}
		})
	}
}

func TestStudiesFromFiles(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`[{"name":"ATLAS"}]`: "",
		`[]`:                 "",
		`null`:               "it is null",
		`[null]`:             "study 1",
		`{}`:                 "array",
	} {
		file := filepath.Join(folder(t), "studies.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{file, "-"} {
			var stderr bytes.Buffer
			status := run(t.Context(), []string{"exec", "--studies", name, self(t), "exit 0"},
				stepsEnviron(), strings.NewReader(text), io.Discard, &stderr)
			if (status == exitOK) != (want == "") || !strings.Contains(stderr.String(), want) {
				t.Errorf("%q from %s: got %d, %q", text, name, status, &stderr)
			}
		}
	}
}

// While the ledger is written, to a pipe whose reader takes its time, a signal ends exec.
func TestExecCanBeInterruptedAtTheEnd(t *testing.T) {
	t.Parallel()
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		command := exec.CommandContext(t.Context(), self(t), "exec", "--ledger", mkfifo(t), self(t), "exit 0")
		command.Env = append(stepsEnviron(), roleVariable+"=command")
		stderr, err := command.StderrPipe()
		if err == nil {
			err = command.Start()
		}
		if err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(stderr); lines.Scan() && !strings.Contains(lines.Text(), "Received"); {
		}
		if err := command.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
		_ = command.Wait() // the state says more
		if got := command.ProcessState.String(); got != "signal: "+s.String() {
			t.Errorf("got %s", got)
		}
	}
}
