package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"terraform-provider-notification/internal/emulator"
)

func self(t *testing.T) string {
	t.Helper()
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestExecSummary(t *testing.T) {
	t.Parallel()
	file := filepath.Join(tempDir(t), "ledger.json")
	r := runWith(t, []string{
		"NOTIFICATION_CLIENT_SECRET=",
		"TRACEPARENT=00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01",
	},
		"exec", "--fault", "submission=pass", "--ledger", file, "--", self(t), "announce")
	want := regexp.MustCompile(`^
Received by the emulator: 1 notification \(1 token request, 1 studies lookup, .*1 connection\)
  RECEIVED      PRIORITY  NOTIFICATION ID                       CHANNEL  RECIPIENT         SUBJECT
  \d\d:\d\d:\d\d\.\d{3}  HIGH      [0-9a-f-]{36}  slack    C024BE91L, "a b"  "checkout\\x1b\[31m is live"
                                                                mail
$`)
	if r.status != 0 || r.stdout != "" || !want.MatchString(r.stderr) {
		t.Errorf("got %d, stdout %q, stderr\n%s", r.status, r.stdout, r.stderr)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var ledger emulator.Ledger
	if err := json.Unmarshal(text, &ledger); err != nil {
		t.Fatal(err)
	}
	if len(ledger.Submissions) != 1 || ledger.TokenRequests != 1 || len(ledger.Requests) != 3 ||
		!strings.Contains(r.stderr, ledger.Submissions[0].NotificationID) {
		t.Errorf("the ledger file holds %s", text)
	}
}

// A repeated submission under the same key is shown as a repetition, not as a notification.
func TestExecShowsRepetitions(t *testing.T) {
	t.Parallel()
	r := runWith(t, nil, "exec", "--verbose", "--expect", "1",
		"--idempotency-key-header", "X-Key", "--fault", "submission=status:503,reset-after", "--",
		self(t), "announce", "announce", "announce", "announce")
	for _, want := range []string{
		`Received by the emulator: 1 notification \(4 token requests, 4 studies lookups, .*` +
			`\d connections, 2 repeated submissions, 1 submission not accepted\)\n`,
		`NOTIFICATION ID +KEY +CHANNEL .*\n  \S+  HIGH  +[0-9a-f-]{36}  "checkout 1\\u202e"  slack`,
		`  201  POST  /notifications/v1  repetition of [0-9a-f-]{36}\n`,
	} {
		if !regexp.MustCompile(want).MatchString(r.stderr) || r.status != 0 {
			t.Errorf("got %d, no match for %s in\n%s", r.status, want, r.stderr)
		}
	}
}

func TestExecScopes(t *testing.T) {
	t.Parallel()
	r := runWith(t, nil, "exec", "--scope", "x", "--scope", "notifications.read", "--",
		self(t), "announce")
	if r.status != 0 || !strings.Contains(r.stderr, ", 1 connection, 1 submission not accepted)\n") {
		t.Errorf("got %d, stdout %q, stderr\n%s", r.status, r.stdout, r.stderr)
	}
}

// The secret in the environment may be real: it is neither used nor passed on.
func TestExecEnvironment(t *testing.T) {
	t.Parallel()
	parent := []string{
		"NOTIFICATION_SCOPES=x", "NOTIFICATION_SYSTEM=real", "NOTIFICATION_BASE_URL=https://real",
		"NOTIFICATION_CLIENT_SECRET=canary", "NOTIFICATION_EMULATOR_URL=https://other", "OTHER=kept",
		"NOTIFICATION_IDEMPOTENCY_KEY_HEADER=X-Real", "TF_VAR_notification_emulator_url=https://other",
	}
	for name, test := range map[string]struct {
		flags []string
		want  string
	}{
		"defaults": {nil, `NOTIFICATION_AUTH_URL=ROOT
NOTIFICATION_BASE_URL=ROOT
NOTIFICATION_CLIENT_ID=demo-client
NOTIFICATION_CLIENT_SECRET=RANDOM
NOTIFICATION_EMULATOR_URL=ROOT
OTHER=kept
TF_VAR_notification_emulator_url=ROOT
`},
		"all": {[]string{
			"--client-id", "c", "--client-secret", "d", "--system", "sys",
			"--notifications-path", "/n", "--studies-path", "/s/t",
			"--idempotency-key-header", "X-Key",
		}, `NOTIFICATION_AUTH_URL=ROOT
NOTIFICATION_BASE_URL=ROOT
NOTIFICATION_CLIENT_ID=c
NOTIFICATION_CLIENT_SECRET=d
NOTIFICATION_EMULATOR_URL=ROOT
NOTIFICATION_IDEMPOTENCY_KEY_HEADER=X-Key
NOTIFICATION_NOTIFICATIONS_PATH=n
NOTIFICATION_STUDIES_PATH=s/t
NOTIFICATION_SYSTEM=sys
OTHER=kept
TF_VAR_notification_emulator_url=ROOT
`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := slices.Concat([]string{"exec"}, test.flags, []string{"--", self(t), "env"})
			r := runWith(t, parent, args...)
			shown := regexp.MustCompile(`(?m)^(NOTIFICATION_|OTHER=|TF_VAR_).*\n`)
			lines := shown.FindAllString(r.stdout, -1)
			slices.Sort(lines)
			got := regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+`).ReplaceAllString(
				strings.Join(lines, ""), "ROOT")
			got = regexp.MustCompile(`SECRET=[A-Z2-7]{26}`).ReplaceAllString(got, "SECRET=RANDOM")
			if r.status != 0 || got != test.want {
				t.Errorf("got %d\n%s\nwant\n%s", r.status, got, test.want)
			}
		})
	}
}

func TestExecGeneratesSecrets(t *testing.T) {
	t.Parallel()
	secret := func() string {
		return runWith(t, nil, "exec", self(t), "print NOTIFICATION_CLIENT_SECRET").stdout
	}
	if a, b := secret(), secret(); a == b {
		t.Errorf("secrets %q and %q are not random", a, b)
	}
}

var emptySummary = "\n" + summary(emulator.Ledger{})

func TestExecLeavesStandardOutputToTheCommand(t *testing.T) {
	t.Parallel()
	r := runWith(t, nil, "exec", "--", self(t), "cat", "complain error")
	if r.stdout != "from stdin" || r.stderr != "error\n"+emptySummary {
		t.Errorf("stdout %q, stderr %q", r.stdout, r.stderr)
	}
}

func TestExecStatus(t *testing.T) {
	t.Parallel()
	text := filepath.Join(tempDir(t), "text")
	if err := os.WriteFile(text, []byte("no program"), 0o600); err != nil {
		t.Fatal(err)
	}
	garbage := filepath.Join(tempDir(t), "garbage.exe")
	if err := os.WriteFile(garbage, []byte{0x7f, 1, 2, 3}, 0o700); err != nil {
		t.Fatal(err)
	}
	noProgram := exitNotExecutable
	if runtime.GOOS == "windows" { // programs have an extension there
		noProgram = exitNotFound
	}
	for name, test := range map[string]struct {
		command []string
		status  int
		ran     bool
	}{
		"success":             {[]string{self(t), "exit 0"}, 0, true},
		"failure":             {[]string{self(t), "exit 42"}, 42, true},
		"killed":              {[]string{"sh", "-c", "kill -9 $$"}, 128 + 9, true},
		"not in PATH":         {[]string{"no-such-command-anywhere"}, 127, false},
		"no such file":        {[]string{"./no/such/command"}, 127, false},
		"not executable":      {[]string{text}, noProgram, false},
		"a directory":         {[]string{tempDir(t)}, noProgram, false},
		"executable but junk": {[]string{garbage}, 126, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if runtime.GOOS == "windows" && test.status > exitSignal {
				t.Skip("signals do not end processes on Windows")
			}
			r := runWith(t, nil, append([]string{"exec", "--"}, test.command...)...)
			if r.status != test.status {
				t.Errorf("status is %d, want %d", r.status, test.status)
			}
			if ran := r.stderr == emptySummary; ran != test.ran || r.stdout != "" || r.stderr == "" {
				t.Errorf("stdout %q, stderr %q", r.stdout, r.stderr)
			}
		})
	}
}

// With -verbose each request has a line, with the reason if it was rejected.
func TestExecVerbose(t *testing.T) {
	t.Parallel()
	r := runWith(t, nil, "exec", "--verbose", "--system", "emea", "--", self(t), "announce")
	for _, want := range []string{
		`(?m)^\d\d:\d\d:\d\d\.\d{3}  200  POST  /oauth2/token$`,
		`(?m)  404  GET  /studies/v1  there is nothing at /studies/v1$`,
		`(?m)  201  POST  /emea/notifications/v1  [0-9a-f-]{36}$`,
		`(?m)  NOTIFICATION ID +SYSTEM  CHANNEL +RECIPIENT +SUBJECT$`,
		`(?m)  HIGH      [0-9a-f-]{36}  emea    slack `,
	} {
		if !regexp.MustCompile(want).MatchString(r.stderr) {
			t.Errorf("got %d, no match for %s in %s", r.status, want, r.stderr)
		}
	}
}

func TestExpect(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		expect string
		steps  []string
		status int
		says   string // empty: no mention of an expectation
	}{
		{"1", []string{"announce"}, 0, ""},
		{"0", []string{"announce"}, 1, "expected 0 notifications, but received 1\n"},
		{"2", []string{"announce"}, 1, "expected 2 notifications, but received 1\n"},
		{"1", []string{"announce", "announce"}, 1, "expected 1 notification, but"},
		{"2", []string{"announce", "exit 9"}, 9, ""},
	} {
		args := append([]string{"exec", "--expect", test.expect, "--", self(t)}, test.steps...)
		r := runWith(t, nil, args...)
		if r.status != test.status || !strings.Contains(r.stderr, test.says) ||
			test.says == "" && strings.Contains(r.stderr, "expected") ||
			!strings.Contains(r.stderr, "checkout") { // in the summary
			t.Errorf("-expect %s %q: got %d, %q", test.expect, test.steps, r.status, r.stderr)
		}
	}
}

func TestStudies(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`[{"name":"ATLAS"}]`: "",
		`[]`:                 "",
		`null`:               "it is null",
		`[null]`:             "item 1",
		`{}`:                 "array",
	} {
		file := filepath.Join(tempDir(t), "studies.json")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r := runWith(t, nil, "exec", "--studies", file, self(t), "exit 0")
		if (r.status == exitOK) != (want == "") || !strings.Contains(r.stderr, want) {
			t.Errorf("%q: got %d, %q", text, r.status, r.stderr)
		}
	}
}

// A ledger file that cannot be written is reported before the command runs. One that cannot be
// written afterwards is a failure, but a failure of the command takes precedence.
func TestLedgerFile(t *testing.T) {
	t.Parallel()
	r := runWith(t, nil, "exec", "--ledger", "-", "--", self(t), "announce")
	var ledger emulator.Ledger
	if err := json.Unmarshal([]byte(r.stdout), &ledger); err != nil || len(ledger.Submissions) != 1 {
		t.Errorf("got %d, %v, %q", r.status, err, r.stdout)
	}
	r = runWith(t, nil, "exec", "--ledger", tempDir(t), self(t), "print PATH")
	if r.status != exitOwnFailure || r.stdout != "" {
		t.Errorf("-ledger with a folder: got %d, %q, %q", r.status, r.stdout, r.stderr)
	}
	file := filepath.Join(tempDir(t), "ledger.json")
	if err := os.WriteFile(file, []byte("of an earlier run"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ command, step, begins string }{
		{"no-such-command-anywhere", "", "of an earlier run"}, // kept, but only for the owner
		{self(t), "exit 0", `{`},
		{self(t), "remove " + file, `{`},
	} {
		r = runWith(t, nil, "exec", "--ledger", file, test.command, test.step)
		text, err := os.ReadFile(file)
		if err != nil || !strings.HasPrefix(string(text), test.begins) {
			t.Errorf("%s: got %d, %v, %q", test.step, r.status, err, text)
		}
		info, err := os.Stat(file)
		if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: got %d, %+v, %v", test.step, r.status, info, err)
		}
	}
	for command, want := range map[string]int{"exit 0": exitOwnFailure, "exit 3": 3} {
		dir := filepath.Join(tempDir(t), "gone")
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

func TestExecStopsTheEmulator(t *testing.T) {
	t.Parallel()
	r := runWith(t, nil, "exec", self(t), "print NOTIFICATION_EMULATOR_URL")
	root := strings.TrimSpace(r.stdout)
	if _, err := ask(t.Context(), http.MethodGet, root+"/_emulator/ledger", "", "", ""); err == nil {
		t.Errorf("something still responds at %s", root)
	}
}

// COMMAND uses the emulator despite a proxy or a provider that already runs.
func TestExecBypassesProxies(t *testing.T) {
	t.Parallel()
	r := runWith(t, []string{
		"no_proxy=one.example", "NO_PROXY=two.example", "HTTP_PROXY=http://proxy.example",
		"TF_REATTACH_PROVIDERS={}", "Notification_Client_Secret=canary",
	}, "exec", "--", self(t), "env", "print NOTIFICATION_BASE_URL")
	lines := strings.Split(strings.TrimSpace(r.stdout), "\n")
	want := strings.TrimPrefix(lines[len(lines)-1], "http://") + ",one.example,two.example"
	same := func(a, b string) bool { return a == b }
	if runtime.GOOS == "windows" { // where both names are the same variable
		same = strings.EqualFold
	}
	for _, line := range []string{
		"NO_PROXY=" + want, "no_proxy=" + want, "HTTP_PROXY=http://proxy.example",
	} {
		if !slices.ContainsFunc(lines, func(l string) bool { return same(l, line) }) {
			t.Errorf("the environment lacks %s:\n%s", line, r.stdout)
		}
	}
	if strings.Contains(r.stdout, "REATTACH") || strings.Contains(r.stdout, "canary") {
		t.Error(r.stdout)
	}
}
