package main

import (
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/notification/terraform-provider-notification/internal/emulator"
)

// Each request has a line with what became of it, and at the end each notification has one for each
// channel. A submission that repeats a key is no notification.
func TestExec(t *testing.T) {
	t.Parallel()
	r := runWith(t, nil, "exec", "--verbose", "--expect", "1", "--idempotency-key-header", "X-Key",
		"--fault", "submission=status:503,reset-after", "--", os.Args[0], "announce", "4")
	got := regexp.MustCompile(`\d\d:\d\d:\d\d\.\d{3}`).ReplaceAllString(r.stderr, "AT")
	got = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`).ReplaceAllString(got, "ID")
	got = regexp.MustCompile(` {3,}`).ReplaceAllString(got, "  ") // the padding of columns
	got = strings.ReplaceAll(got, "  \n", "\n")
	const want = `AT  200  POST  /oauth2/token
AT  503  POST  /notifications/v1  an injected fault  (fault status:503)
AT  no response  POST  /notifications/v1  ID  an injected fault  (fault reset-after)
AT  201  POST  /notifications/v1  repetition of ID
AT  201  POST  /notifications/v1  repetition of ID

Received by the emulator: 1 notification (1 token request, 4 submission requests, ` +
		`2 repeated submissions, 1 submission not accepted)
  RECEIVED  PRIORITY  NOTIFICATION ID  CHANNEL  RECIPIENT  SUBJECT
  AT  HIGH  ID  slack  C024BE91L, a b  "checkout\x1b[31m is live"
  mail
`
	if r.status != 0 || r.stdout != "" || got != want {
		t.Errorf("got %d, stdout %q, stderr\n%s\nwant\n%s", r.status, r.stdout, got, want)
	}
}

// The secret in the environment may be real: it is neither used nor passed on. COMMAND uses the
// emulator despite a proxy or a provider that already runs.
func TestExecEnvironment(t *testing.T) {
	t.Parallel()
	parent := []string{
		"NOTIFICATION_SCOPES=x", "NOTIFICATION_SYSTEM=x", "Notification_Client_Secret=canary",
		"NOTIFICATION_CLIENT_SECRET=canary", "TF_VAR_notification_emulator_url=https://other",
		"OTHER=kept", "no_proxy=one.example", "NO_PROXY=two.example", "TF_REATTACH_PROVIDERS={}",
		"EMULATOR_CLIENT_ID=c",
	}
	address := regexp.MustCompile(`127\.0\.0\.1:[0-9]+`)
	random := regexp.MustCompile(`SECRET=[A-Z2-7]{26}\n`)
	shown := regexp.MustCompile(`(?mi)^(NOTIFICATION|EMULATOR|OTHER|TF_VAR|TF_REATTACH|NO_PROXY).*\n`)
	r := runWith(t, parent, "exec", "--token-path", "/t/a", "--notifications-path", "/n",
		"--studies-path", "/s/t", "--idempotency-key-header", "X-Key", os.Args[0], "env")
	lines := shown.FindAllString(r.stdout, -1)
	slices.Sort(lines)
	got := address.ReplaceAllString(strings.Join(lines, ""), "ADDRESS")
	got = random.ReplaceAllString(got, "SECRET=RANDOM\n")
	const upper = "NO_PROXY=ADDRESS,one.example,two.example\n"
	want := `NOTIFICATION_AUTH_URL=http://ADDRESS
NOTIFICATION_BASE_URL=http://ADDRESS
NOTIFICATION_CLIENT_ID=c
NOTIFICATION_CLIENT_SECRET=RANDOM
NOTIFICATION_EMULATOR_URL=http://ADDRESS
NOTIFICATION_IDEMPOTENCY_KEY_HEADER=X-Key
NOTIFICATION_NOTIFICATIONS_PATH=n
NOTIFICATION_STUDIES_PATH=s/t
NOTIFICATION_TOKEN_PATH=t/a
` + upper + `OTHER=kept
TF_VAR_notification_emulator_url=http://ADDRESS
no_proxy=ADDRESS,one.example,two.example
`
	if runtime.GOOS == "windows" { // where both are one variable, whose last spelling counts
		want = strings.Replace(want, upper, "", 1)
	}
	if got != want {
		t.Errorf("got %d\n%s\nwant\n%s", r.status, got, want)
	}
	// When COMMAND has ended, so has the emulator.
	root := "http://" + address.FindString(r.stdout)
	if err := health(t.Context(), root+"/_emulator/health"); err == nil {
		t.Error("it still responds")
	}
}

// To another machine, the provider must accept plain HTTP. Only the user can read the file with the
// secret.
func TestVariables(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "env")
	i := &instance{address: netip.MustParseAddrPort("192.0.2.1:80")}
	err := i.appendTo(file, options{})
	text, readErr := os.ReadFile(file)
	info, statErr := os.Stat(file)
	if err = errors.Join(err, readErr, statErr); err != nil ||
		string(text) != "NOTIFICATION_ALLOW_INSECURE_HTTP=true\n" ||
		runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %q, %+v", err, text, info)
	}
}

// COMMAND has the standard streams, and decides the status, except where -expect is not met or exec
// itself fails.
func TestExecStatus(t *testing.T) {
	t.Parallel()
	nothing := "\n" + summary(emulator.Ledger{})
	r := runWith(t, nil, "exec", os.Args[0], "copy")
	if r.status != 0 || r.stdout != "from stdin" || r.stderr != "to stderr"+nothing {
		t.Errorf("got %+v", r)
	}
	notExecutable := exitNotExecutable
	if runtime.GOOS == "windows" { // programs have an extension there
		notExecutable = exitNotFound
	}
	for _, test := range []struct {
		args   []string
		status int
		stderr string
	}{
		{[]string{os.Args[0], "exit", "42"}, 42, nothing},
		{[]string{"sh", "-c", "kill -9 $$"}, 128 + 9, nothing},
		{[]string{"no-such-command-anywhere"}, 127, "not found"},
		{[]string{"./no/such/command"}, 127, "no/such"},
		{[]string{tempFile(t, "text", "no program")}, notExecutable, "text"},
		{[]string{"--expect", "0", os.Args[0], "announce", "1"}, 1, "expected 0 notifications, but " +
			"received 1\n"},
		{[]string{"--expect", "2", os.Args[0], "announce", "1"}, 1, "expected 2 notifications, but"},
		{[]string{"--expect", "2", os.Args[0], "exit", "9"}, 9, nothing},
		{[]string{"--expect", "0", "--fault", "submission=status:422", os.Args[0], "announce", "1"}, 0,
			"1 submission not accepted"},
	} {
		if runtime.GOOS == "windows" && test.args[0] == "sh" {
			continue // signals do not end processes there
		}
		r := runWith(t, nil, append([]string{"exec"}, test.args...)...)
		if r.status != test.status || r.stdout != "" || !strings.Contains(r.stderr, test.stderr) ||
			test.stderr == nothing && r.stderr != nothing {
			t.Errorf("%+v: got %+v", test, r)
		}
	}
}

// A ledger file that cannot be written is reported before the command runs. One that cannot be
// written afterwards is a failure.
func TestLedgerFile(t *testing.T) {
	t.Parallel()
	r := runWith(t, nil, "exec", "--ledger", t.TempDir(), os.Args[0], "env")
	if r.status != exitOwnFailure || r.stdout != "" || r.stderr == "" {
		t.Errorf("-ledger with a folder: got %+v", r)
	}

	file := filepath.Join(t.TempDir(), "ledger.json")
	for _, test := range []struct {
		command []string
		status  int
		has     string // empty: the file is
		mode    os.FileMode
	}{
		{[]string{os.Args[0], "announce", "1"}, 0, `"notifications": 1,`, 0o600},
		{[]string{"no-such-command-anywhere"}, exitNotFound, "", 0o644}, // an old file keeps its mode
		{[]string{os.Args[0], "exit", "9", file}, 9, `"notifications": 0,`, 0o600},
	} {
		r = runWith(t, nil, append([]string{"exec", "--ledger", file}, test.command...)...)
		text, _ := os.ReadFile(file)
		info, err := os.Stat(file)
		if err != nil || r.status != test.status || (len(text) == 0) != (test.has == "") ||
			!strings.Contains(string(text), test.has) ||
			runtime.GOOS != "windows" && info.Mode().Perm() != test.mode {
			t.Errorf("%s: got %+v, %v, %+v, %q", test.command, r, err, info, text)
		}
		_ = os.Chmod(file, 0o644) // then the mode is not the expected one
	}

	for command, want := range map[string]int{"0": exitOwnFailure, "9": 9} {
		file := tempFile(t, "ledger.json", "of an earlier run")
		r = runWith(t, nil, "exec", "--ledger", file, os.Args[0], "exit", command, filepath.Dir(file))
		if r.status != want || !strings.Contains(r.stderr, "ledger.json") {
			t.Errorf("without the folder, after status %s: got %+v", command, r)
		}
	}
}

// What the emulator accepts would count as sent in a state that others share. Whatever is not known
// to be remote goes on, here to a program that does not exist.
func TestExecRefusesRemoteState(t *testing.T) {
	t.Parallel()
	const s3 = `{"version":3,"backend":{"type":"s3","config":{"bucket":"b"}}}`
	const apply, refused, goesOn = "no/terraform -chdir=DIR apply", `in the backend "`, ""
	for _, test := range []struct{ state, dataDir, command, says string }{
		{s3, "", apply, refused + `s3"`},
		{s3, "", "-remote-state " + apply, goesOn},
		{s3, "", "no/tofu-1.12 -chdir=elsewhere -no-color -chdir=DIR apply -auto-approve plan", refused},
		{s3, "", "no/Terraform.exe apply -chdir=DIR", goesOn},
		{s3, "DIR/.terraform", "no/terraform -chdir=elsewhere apply", refused},
		{s3, "other", apply, goesOn},
		{s3, "", "no/terraform -chdir=DIR plan", goesOn},
		{s3, "", "no/terraform -chdir=DIR", goesOn},
		{s3, "", "no/make -chdir=DIR apply", goesOn},
		{`{"state_store":{"type":"acme_store"},"backend":null}`, "", apply, refused + `acme_store"`},
		{`{"backend":{"type":"local","config":{}}}`, "", apply, goesOn},
		{`{"version":3,"serial":1}`, "", apply, goesOn},
		{`{"backend":{"type":"s3"`, "", apply, goesOn},
	} {
		dir := t.TempDir()
		err := os.Mkdir(filepath.Join(dir, ".terraform"), 0o700)
		state := filepath.Join(dir, ".terraform", "terraform.tfstate")
		if err = errors.Join(err, os.WriteFile(state, []byte(test.state), 0o600)); err != nil {
			t.Fatal(err)
		}
		env := []string{"TF_DATA_DIR=" + strings.ReplaceAll(test.dataDir, "DIR", dir)}
		args := strings.Fields("exec " + strings.ReplaceAll(test.command, "DIR", dir))
		status := map[bool]int{true: exitOwnFailure, false: exitNotFound}[test.says != goesOn]
		if r := runWith(t, env, args...); r.status != status || !strings.Contains(r.stderr, test.says) {
			t.Errorf("%+v: got %+v", test, r)
		}
	}
}
