package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// background is an emulator that serve -background has left behind.
type background struct {
	pid     int
	process *os.Process
	exports map[string]string
}

func (b background) getenv(name string) string { return b.exports[name] }

// backgroundRun is serve -background as a process of its own, in a folder of its own.
func backgroundRun(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	args = append([]string{"serve", "-background", "-listen", "127.0.0.1:0"}, args...)
	command := exec.CommandContext(t.Context(), self(t), args...)
	command.Dir = folder(t)
	command.Env = append(stepsEnviron(), roleVariable+"=command")
	command.WaitDelay = 30 * time.Second // then an error: something holds its standard output open
	return command
}

// startedBy runs command, which has to succeed. The emulator ends with the test.
func startedBy(t *testing.T, command *exec.Cmd) background {
	t.Helper()
	var stderr bytes.Buffer
	command.Stderr = &stderr
	stdout, err := command.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%v, standard error %q", err, &stderr)
	}
	first, rest, _ := strings.Cut(string(stdout), "\n")
	match := regexp.MustCompile(`^# The emulator shows what arrives at (http://127\.0\.0\.1:\d+); ` +
		`(?:kill|taskkill /F /PID) (\d+) stops it\.$`).FindStringSubmatch(first)
	if match == nil {
		t.Fatalf("the first line is %q", first)
	}
	b := background{exports: map[string]string{}}
	b.pid, _ = strconv.Atoi(match[2])
	if b.process, err = os.FindProcess(b.pid); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.process.Kill() }) // unless it has ended
	for line := range strings.Lines(rest) {
		name, value, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
		b.exports[name] = strings.Trim(value, "'")
	}
	if got := b.getenv("NOTIFICATION_EMULATOR_URL"); got != match[1] {
		t.Errorf("the emulator is at %s, exported is %q", match[1], got)
	}
	return b
}

// eventually waits until the condition holds, for half a minute at most.
func eventually(t *testing.T, condition func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for end := time.Now().Add(30 * time.Second); !condition(); <-tick.C {
		if time.Now().After(end) {
			t.Fatal("what should have happened has not")
		}
	}
}

func gone(name string) bool {
	_, err := os.Stat(name)
	return errors.Is(err, fs.ErrNotExist)
}

// answers reports whether the emulator listens.
func (b background) answers(t *testing.T) bool {
	_, err := ask(t.Context(), http.MethodGet, b.getenv("NOTIFICATION_EMULATOR_URL"), "", "", "")
	return err == nil
}

// stop ends it in good order, where that is possible.
func (b background) stop(t *testing.T) {
	t.Helper()
	order := os.Signal(syscall.SIGTERM)
	if runtime.GOOS == "windows" {
		order = os.Kill
	}
	if err := b.process.Signal(order); err != nil {
		t.Fatal(err)
	}
	eventually(t, func() bool { return !b.answers(t) })
}

func TestServeBackground(t *testing.T) {
	t.Parallel()
	command := backgroundRun(t, "-pid-file", "pid")
	command.Env = append(command.Env, "NOTIFICATION_CLIENT_SECRET=canary") // which may be a real one
	pidFile := filepath.Join(command.Dir, "pid")
	if err := os.WriteFile(pidFile, []byte("1234567\n"), 0o644); err != nil { // a stale one
		t.Fatal(err)
	}
	b := startedBy(t, command)
	pid, err := os.ReadFile(pidFile)
	if string(pid) != fmt.Sprintln(b.pid) {
		t.Errorf("the pid file holds %q, want %d, %v", pid, b.pid, err)
	}
	info, err := os.Stat(pidFile)
	if err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Errorf("the pid file has the mode %v, %v", info.Mode(), err)
	}
	if secret := b.getenv("NOTIFICATION_CLIENT_SECRET"); strings.Contains(secret, "canary") {
		t.Errorf("the secret of the environment is shown: %s", secret)
	}
	if accessToken, err := token(t.Context(), b.getenv); accessToken == "" {
		t.Errorf("no token for the credentials, %v", err)
	}
	if cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", b.pid)); err == nil && cwd != "/" {
		t.Errorf("it is still in %s", cwd)
	}
	b.stop(t)
	if runtime.GOOS != "windows" { // where it is killed
		eventually(t, func() bool { return gone(pidFile) })
	}
	if err := remove(command.Dir); err != nil {
		t.Error(err)
	}
}

// ended reports whether a process has ended, also where nobody asks for its status.
func ended(t *testing.T, pid int) bool {
	t.Helper()
	fields, err := stat(pid)
	if err != nil && !gone("/proc/self") {
		return true
	} else if err != nil {
		t.Skip("there is no /proc")
	}
	return fields[0] == "Z"
}

// stat are the fields of Linux's /proc/PID/stat from the third one on, the state.
func stat(pid int) ([]string, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, found := strings.Cut(string(text), ") ")
	if err == nil && !found {
		err = errors.ErrUnsupported
	}
	return strings.Fields(rest), err
}

// It must not keep a terminal, a pipe or a lock of the shell that started it.
func TestServeBackgroundLetsGo(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("on Windows it inherits what it is given by name")
	}
	stdin, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ninth, held, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	command := backgroundRun(t)
	command.Stdin = stdin
	for range 7 { // 3 to 9
		command.ExtraFiles = append(command.ExtraFiles, held)
	}
	b := startedBy(t, command)
	_ = errors.Join(stdin.Close(), held.Close())
	if _, err := in.WriteString("x"); !errors.Is(err, syscall.EPIPE) {
		t.Errorf("standard input is still read: %v", err)
	}
	err = ninth.SetReadDeadline(time.Now().Add(10 * time.Second))
	if _, readErr := ninth.Read(make([]byte, 1)); err != nil || !errors.Is(readErr, io.EOF) {
		t.Errorf("descriptors are still open: %v, %v", err, readErr)
	}
	if !b.answers(t) {
		t.Error("it has ended")
	}
	fields, err := stat(b.pid)
	if err != nil {
		t.Skip("the session, the terminal and the arguments are looked up in /proc of Linux")
	}
	if session, terminal := fields[3], fields[4]; session != strconv.Itoa(b.pid) || terminal != "0" {
		t.Errorf("process %d is in session %s with terminal %s", b.pid, session, terminal)
	}
	secret := []byte(b.getenv("NOTIFICATION_CLIENT_SECRET"))
	arguments, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", b.pid))
	if err != nil || len(secret) == 0 || bytes.Contains(arguments, secret) {
		t.Errorf("secret %q, arguments %q, %v", secret, arguments, err)
	}
}

// What the command is given as a stream only it can read.
func TestServeBackgroundStudies(t *testing.T) {
	t.Parallel()
	// Every digit and space counts.
	const studies = `[{"name": "ATLAS", "a": "<", "n": 12345678901234567890.10}]`
	for _, file := range []string{"-", "/dev/fd/3"} {
		command := backgroundRun(t, "-studies", file, "-studies-path", "find")
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if command.Stdin = r; file != "-" {
			if runtime.GOOS == "windows" {
				continue // which has no such files
			}
			command.Stdin, command.ExtraFiles = nil, []*os.File{r}
		}
		if _, err = w.WriteString(studies); errors.Join(err, w.Close()) != nil {
			t.Fatal(err)
		}
		b := startedBy(t, command)
		_ = r.Close()
		accessToken, err := token(t.Context(), b.getenv)
		if err != nil {
			t.Fatal(err)
		}
		address := b.getenv("NOTIFICATION_BASE_URL") + "/find?name=ATLAS"
		got, err := ask(t.Context(), http.MethodGet, address, "", "", accessToken)
		if err != nil || string(got) != studies {
			t.Errorf("got %s, %v, want %s", got, err, studies)
		}
	}
}

// When it cannot start, the command says why, and leaves nothing behind.
func TestServeBackgroundFailures(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	inUse := listener.Addr().String()
	const unwritable = "standard output cannot be written to" // nobody would have the secret
	for name, test := range map[string]struct {
		args, env []string
		status    int
		stderr    string
	}{
		unwritable:           {nil, nil, 1, ""},
		"address in use":     {[]string{"-listen", inUse}, nil, 1, inUse + ": bind: "},
		"env file":           {[]string{"-env-file", "no/such/file"}, nil, 1, "no/such/file"},
		"pid file":           {[]string{"-pid-file", "no/such/pid", "-env-file", "env"}, nil, 1, "pid"},
		"pid file is folder": {[]string{"-pid-file", "."}, nil, 1, ""},
		"studies":            {[]string{"-studies", "no.json"}, nil, 1, "no.json"},
		"env file with breaks": {
			[]string{"-client-secret", "a\nb", "-env-file", "env"}, nil, 1, "cannot hold values with line breaks",
		},
		"not its own":         {[]string{"-env-file", "/dev/stdout"}, nil, 1, "has no /dev/stdout of this one"},
		"dies":                {nil, []string{diesVariable + "=1"}, 1, "exit status 3"},
		"wrong client secret": {[]string{"-client-id", ""}, nil, 2, "client ID"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command := backgroundRun(t, append([]string{"-pid-file", "pid"}, test.args...)...)
			mark := "EMULATOR_TEST_MARK=" + command.Dir
			command.Env = slices.Concat(command.Env, test.env, []string{mark})
			var stdout, stderr bytes.Buffer
			command.Stdout, command.Stderr = &stdout, &stderr
			if name == unwritable {
				file, err := os.Open(os.DevNull)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = file.Close() })
				command.Stdout = file
			}
			err := command.Run()
			if err == nil || command.ProcessState.ExitCode() != test.status || stdout.Len() > 0 ||
				!strings.Contains(stderr.String(), test.stderr) || stderr.Len() == 0 {
				t.Errorf("%v, got %q and %q", err, &stdout, &stderr)
			}
			if entries, err := os.ReadDir(command.Dir); err != nil || len(entries) > 0 {
				t.Errorf("files are left: %v, %v", entries, err)
			}
			environments, _ := filepath.Glob("/proc/[0-9]*/environ") // none, but on Linux
			for _, name := range environments {
				// That of another process may be gone by now, or secret.
				if environment, _ := os.ReadFile(name); bytes.Contains(environment, []byte(mark)) {
					t.Errorf("a process is left: %s", name)
				}
			}
		})
	}
}

// When whoever waits for it is killed, nobody will ever stop it.
func TestServeBackgroundWithoutParent(t *testing.T) {
	t.Parallel()
	for _, reads := range []bool{false, true} { // the report, before it is killed
		pidFile := filepath.Join(folder(t), "pid")
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		command := exec.CommandContext(ctx, self(t), backgroundCommand,
			"-background", "-listen", "127.0.0.1:0", "-pid-file", pidFile)
		detach(command)
		stdin, stdinErr := command.StdinPipe()
		stdout, stdoutErr := command.StdoutPipe()
		if err := errors.Join(stdinErr, stdoutErr, command.Start()); err != nil {
			t.Fatal(err)
		}
		if !reads {
			_ = stdout.Close() // or else its end does
		}
		_, err := io.WriteString(stdin, string(end))
		if err == nil && reads {
			_, err = bufio.NewReader(stdout).ReadString(end)
		}
		if err = errors.Join(err, stdin.Close(), command.Wait()); err != nil {
			t.Errorf("it did not start, or did not end in good order: %v", err)
		}
		cancel()
		if !gone(pidFile) {
			t.Error("the pid file is left")
		}
	}
}

func TestServeBackgroundInAShell(t *testing.T) {
	t.Parallel()
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no POSIX shell")
	}
	command := backgroundRun(t, "-env-file", "env", "-client-secret", "it's")
	script := `
		trap 'kill "$(cat pid)"' EXIT
		eval "$("$@")"
		env | grep -E '^(NOTIFICATION|TF_VAR)_' >exported
	`
	command.Args = slices.Concat([]string{shell, "-ec", script, shell}, command.Args,
		[]string{"-pid-file", "pid"})
	command.Path = shell
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v, %s", err, out)
	}
	lines := func(name string) []string {
		text, err := os.ReadFile(filepath.Join(command.Dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return slices.Sorted(strings.Lines(string(text)))
	}
	if got, want := lines("exported"), lines("env"); !slices.Equal(got, want) {
		t.Errorf("the shell has %q, want %q", got, want)
	}
}

// A pid file that is none, such as a pipe or a device, holds nobody up, and stays. So does one that
// another emulator has written since.
func TestServeBackgroundLeavesPIDFiles(t *testing.T) {
	t.Parallel()
	fifo := mkfifo(t)
	reader, err := os.OpenFile(fifo, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = reader.Close() })
	others := filepath.Join(folder(t), "pid")
	for _, name := range []string{fifo, "/dev/zero", "/dev/null", others} {
		b := startedBy(t, backgroundRun(t, "-pid-file", name))
		if name == others {
			if err := os.WriteFile(name, []byte("1234567\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		b.stop(t)
		eventually(t, func() bool { return ended(t, b.pid) })
		if gone(name) {
			t.Errorf("%s has been removed", name)
		}
	}
}
