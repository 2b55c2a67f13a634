//go:build unix

package acceptance

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
)

const remoteBackend = "terraform {\n  backend \"http\" {}\n}\n"

// A job with a remote state is killed while it announces the next release of three services: one is
// announced, one is in flight, one has not begun, and the state still has the old releases. Whoever
// runs the commands of the pages for the first, and the script of the pipelines for both that have
// arrived, announces each release once.
func TestKilledJobWithRemoteState(t *testing.T) {
	t.Parallel()
	skipWithout(t, "1.1") // 1.0 runs in a process below the one that is killed here
	skipWithout(t, "jq")
	steps := codeBlocks(t, "templates/guides/troubleshooting.md")
	list, apply := steps[0].text, steps[1].text
	w := newWorkspace(t, nil)
	log := w.killedJob(t)
	w.keepProvider(t)
	w.put(t, "unlock.sh", exampleText(t, "pipelines/unlock.sh"))
	unlock := func(id string, want int) string {
		t.Helper()
		out, status := w.script(t, "sh unlock.sh "+id)
		if status != want {
			t.Fatalf("unlock.sh: exit status %d: %s", status, out)
		}
		return out
	}
	out := unlock("any-word", 1)
	lock := regexp.MustCompile(`already locked:\s+ID=(\S+)`).FindStringSubmatch(out)
	if lock == nil {
		t.Fatalf("it does not print the lock: %s", out)
	}
	unlock(lock[1], 0)
	unlock(lock[1], 1) // as in a run that repeats its inputs
	commands, adopted := arrived(log, w.wouldSend(t, list))

	out, status := w.script(t, commands[0])
	if status != 1 || !strings.Contains(out, "Resource already managed") {
		t.Fatalf("exit status %d: %s", status, out)
	}
	w.mustScript(t, "terraform state rm '"+adopted[0]+"'\n"+commands[0])

	w.put(t, "import.sh", exampleText(t, "pipelines/import.sh"))
	lines := adopted[0] + " " + adopted[1] + "\n" + adopted[2] + " " + adopted[3] + "\n"
	out, status = w.script(t, "sh import.sh '"+lines+"'")
	if status != 0 || !strings.Contains(out, "The state has "+adopted[0]+" already.") {
		t.Errorf("exit status %d: %s", status, out)
	}
	out, status = w.script(t, "sh import.sh 'notification_notification.typo unknown'")
	if status != 1 || !strings.Contains(out, "nor keeps a notification notification_notification.typo") {
		t.Errorf("exit status %d: %s", status, out)
	}
	if left := w.wouldSend(t, list); len(left) != 1 {
		t.Fatalf("the plan would send %q", left)
	}
	w.write(t, remoteBackend+many(3, "three", "3")) // the next release is not taken for this one
	if next := w.wouldSend(t, list); len(next) != 3 {
		t.Fatalf("the plan of the next release would send only %q", next)
	}
	w.write(t, remoteBackend+many(3, "two", "2"))
	w.wouldSend(t, list)
	w.mustScript(t, apply)
	w.settled(t)
	w.sent(t, numbered(3, "two")...)
}

// killedJob returns the log of a job that was killed.
func (w *workspace) killedJob(t *testing.T) string {
	t.Helper()
	w.useMirror(t)
	w.useRemoteState(t)
	w.setenv("TF_CLI_ARGS", "-no-color")
	w.write(t, remoteBackend+many(3, "one", "1"))
	w.must(t, "init")
	w.apply(t)
	w.sent(t, numbered(3, "one")...)
	w.write(t, remoteBackend+many(3, "two", "2"))
	w.setSubmissionFaults(t, "pass,hang-after")
	cmd, stdout, _ := w.command(t, "apply", "-parallelism=1")
	w.start(t, cmd, 2)
	kill(t, cmd.Process.Pid, syscall.SIGKILL)
	_ = cmd.Wait() // with an error: it was killed
	return stdout.String()
}

// arrived returns, of the commands that would import what would be sent, those for what arrived
// according to the log, with each address and id. The one in flight has arrived, as its recipients
// say, who do not know its id.
func arrived(log string, imports []string) (commands, adopted []string) {
	for _, command := range imports {
		address, id := strings.Split(command, "'")[1], "unknown"
		complete := regexp.MustCompile(regexp.QuoteMeta(address) + `: Creation complete .*\[id=(.*)\]`)
		if found := complete.FindStringSubmatch(log); found != nil {
			id = found[1]
		} else if !strings.Contains(log, address+": Creating...") {
			continue
		}
		commands = append(commands, strings.Replace(command, "unknown", id, 1))
		adopted = append(adopted, address, id)
	}
	return commands, adopted
}

// wouldSend returns what the commands of the page print for each notification that a plan would send.
func (w *workspace) wouldSend(t *testing.T, list string) []string {
	t.Helper()
	out, status := w.script(t, list)
	if status != 0 {
		t.Fatalf("exit status %d: %s", status, out)
	}
	return regexp.MustCompile("(?m)^terraform import '.*").FindAllString(out, -1)
}

// useRemoteState makes the workspace keep its state in an http backend with locks.
func (w *workspace) useRemoteState(t *testing.T) {
	t.Helper()
	backend := httptest.NewServer(&remoteState{file: filepath.Join(w.dir, "remote.tfstate")})
	t.Cleanup(backend.Close)
	for _, name := range []string{"ADDRESS", "LOCK_ADDRESS", "UNLOCK_ADDRESS"} {
		w.setenv("TF_HTTP_"+name, backend.URL)
	}
}

// remoteState returns the state, or nothing where there is none.
func (w *workspace) remoteState() string {
	state, _ := os.ReadFile(filepath.Join(w.dir, "remote.tfstate"))
	return string(state)
}

// remoteState is a server for Terraform's http backend.
type remoteState struct {
	file string // has the state; beside it, a file ending in .lock has the lock

	mu sync.Mutex
}

func (s *remoteState) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // of a client that ended, it is not JSON
	s.mu.Lock()
	defer s.mu.Unlock()
	lock, unlocked := os.ReadFile(s.file + ".lock")
	switch {
	case r.Method == "LOCK" && unlocked == nil:
		w.WriteHeader(http.StatusLocked)
		_, _ = w.Write(lock)
	case r.Method == "LOCK":
		_ = os.WriteFile(s.file+".lock", body, 0o600) // in the workspace, as what follows shows
	case r.Method == "UNLOCK": // of any lock: Terraform does not say which
		_ = os.Remove(s.file + ".lock")
	case r.Method == http.MethodPost && json.Valid(body):
		_ = os.WriteFile(s.file, body, 0o600) // as above
	case r.Method == http.MethodGet:
		http.ServeFile(w, r, s.file)
	}
}
