package acceptance

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/notification/terraform-provider-notification/internal/emulator"
	"github.com/notification/terraform-provider-notification/internal/emulator/emulatortest"
	"github.com/notification/terraform-provider-notification/internal/provider"
)

const (
	testSecret = emulatortest.ClientSecret
	keyHeader  = "Idempotency-Key"

	required = "terraform {\n  required_providers {\n    notification = {\n" +
		"      source = \"" + provider.Source + "\"\n    }\n  }\n}\n"

	oneNotification = `
resource "notification_notification" "one" {
  priority = "HIGH"
  channels = [{ type = "slack", subject = "one" }]
}
`
)

// workspace is a folder with a configuration, and the emulator that the provider sends requests to.
type workspace struct {
	*emulator.Emulator

	dir string
	url string // of the emulator
	env []string

	kept bool // whether the provider keeps running
}

// newWorkspace starts an emulator with the default settings, modified by change, and creates a
// workspace for it. The provider is configured by environment variables. configure changes the
// emulator's server.
func newWorkspace(
	t *testing.T, change func(*emulator.Config), configure ...func(*http.Server),
) *workspace {
	t.Helper()
	config := emulator.Config{
		IdempotencyKeyHeader: keyHeader, // submissions without a key are accepted too
	}
	if change != nil {
		change(&config)
	}
	e, server := emulatortest.New(t, config)
	for _, change := range configure {
		change(server)
	}
	url := emulatortest.Serve(t, e, server)
	w := &workspace{Emulator: e, dir: t.TempDir(), url: url}
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "TMP", "SystemRoot", "GOGC"} {
		w.setenv(name, os.Getenv(name))
	}
	w.setenv("TF_CLI_CONFIG_FILE", cliConfig)
	w.setenv("CHECKPOINT_DISABLE", "1")
	w.setenv("TF_DISABLE_PLUGIN_TLS", "1")  // which takes half of the time; see useMirror
	w.setenv("GORACE", "atexit_sleep_ms=0") // else the fake provider ends a second later
	w.setenv("NOTIFICATION_AUTH_URL", url)
	w.setenv("NOTIFICATION_BASE_URL", url)
	w.setenv("NOTIFICATION_CLIENT_ID", emulatortest.ClientID)
	w.setenv("NOTIFICATION_CLIENT_SECRET", testSecret)
	w.setenv("TF_VAR_release", "1.4.2") // examples and pages have no default for it
	return w
}

// keepProvider starts the provider for all further commands of the workspace, each of which would
// otherwise start it up to four times. It has the variables of now. Terraform neither stops it nor
// reads its logs, so this is not for tests of signals, logs, secrets or the installation.
func (w *workspace) keepProvider(t *testing.T) {
	t.Helper()
	for _, log := range []string{"SDK", "SDK_PROTO", "SDK_FRAMEWORK", "PROVIDER_NOTIFICATION"} {
		w.setenv("TF_LOG_"+log, "OFF") // with -debug, it would write all of them
	}
	file := filepath.Join(t.TempDir(), "reattach")
	cmd := exec.CommandContext(t.Context(), executable(filepath.Join(filepath.Dir(cliConfig),
		"terraform-provider-notification")), "-debug", "-debug-env", file)
	cmd.Env = w.env
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = cmd.Process.Kill(), cmd.Wait() }) // with an error: it was killed
	var line string
	for end := time.Now().Add(time.Minute); !strings.HasSuffix(line, "\n"); {
		if time.Now().After(end) {
			t.Fatal("the provider does not start")
		}
		time.Sleep(5 * time.Millisecond)
		text, _ := os.ReadFile(file) // until it is there
		line = string(text)
	}
	name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
	if terraformVersion.program == "OpenTofu" {
		value = strings.ReplaceAll(value, "registry.terraform.io", "registry.opentofu.org")
	}
	w.setenv(name, strings.Trim(value, "'"))
	w.kept = true
}

// setenv sets a variable for Terraform in the workspace; the last value counts.
func (w *workspace) setenv(name, value string) {
	if w.kept && strings.HasPrefix(name, "NOTIFICATION_") {
		panic("the provider runs already, without " + name)
	}
	w.env = append(w.env, name+"="+value)
}

// fileText returns the content of a file.
func fileText(t *testing.T, path ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// read decodes JSON.
func read(t *testing.T, text string, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("%v:\n%.300s", err, text)
	}
}

// put writes a file of the workspace.
func (w *workspace) put(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// edit replaces texts in main.tf, each followed by its replacement.
func (w *workspace) edit(t *testing.T, texts ...string) {
	t.Helper()
	text := fileText(t, w.dir, "main.tf")
	for pair := range slices.Chunk(texts, 2) {
		if !strings.Contains(text, pair[0]) {
			t.Fatalf("main.tf does not contain %s", pair[0])
		}
		text = strings.ReplaceAll(text, pair[0], pair[1])
	}
	w.put(t, "main.tf", text)
}

// write replaces main.tf.
func (w *workspace) write(t *testing.T, body string) {
	t.Helper()
	w.put(t, "main.tf", required+body)
}

// command returns a Terraform command without prompts, not started yet.
func (w *workspace) command(
	t *testing.T, args ...string,
) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	t.Helper()
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	cmd = exec.CommandContext(t.Context(), terraformPath, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = w.dir, stdout, stderr
	const quiet = "-no-color -input=false"
	cmd.Env = append(slices.Clip(w.env), "TF_CLI_ARGS_plan="+quiet, "TF_CLI_ARGS_import="+quiet,
		"TF_CLI_ARGS_apply=-auto-approve "+quiet, "TF_CLI_ARGS_destroy=-auto-approve "+quiet)
	return cmd, stdout, stderr
}

// terraform runs a command and returns what it printed and its exit status.
func (w *workspace) terraform(t *testing.T, args ...string) (output string, status int) {
	t.Helper()
	cmd, stdout, stderr := w.command(t, args...)
	err := cmd.Run()
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		t.Fatal(err)
	}
	return stdout.String() + stderr.String(), cmd.ProcessState.ExitCode()
}

// must runs a command that must succeed.
func (w *workspace) must(t *testing.T, args ...string) string {
	t.Helper()
	output, status := w.terraform(t, args...)
	if status != 0 {
		t.Fatalf("terraform %s: exit status %d\n%s", strings.Join(args, " "), status, output)
	}
	return output
}

// settled fails the test unless a plan has no changes.
func (w *workspace) settled(t *testing.T) {
	t.Helper()
	if output, status := w.terraform(t, "plan", "-detailed-exitcode"); status != 0 {
		t.Errorf("plan: exit status %d\n%s", status, output)
	}
}

// setSubmissionFaults sets the emulator's faults for the next submissions.
func (w *workspace) setSubmissionFaults(t *testing.T, faults string) {
	t.Helper()
	if err := w.SetFaults(emulator.Faults{"submission": faults}); err != nil {
		t.Fatal(err)
	}
}

func (w *workspace) apply(t *testing.T, more ...string) string {
	t.Helper()
	return w.must(t, append([]string{"apply"}, more...)...)
}

// instance is a notification in the state.
type instance struct {
	Key        string `json:"index_key"` // of for_each
	Attributes map[string]any
}

// instances returns the notifications in the state; none without a state.
func (w *workspace) instances(t *testing.T) (all []instance) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(w.dir, "terraform.tfstate")); os.IsNotExist(err) {
		return nil
	}
	var state struct {
		Resources []struct {
			Type      string
			Instances []instance
		}
	}
	read(t, fileText(t, w.dir, "terraform.tfstate"), &state)
	for _, resource := range state.Resources {
		if resource.Type == "notification_notification" {
			all = append(all, resource.Instances...)
		}
	}
	return all
}

// ids returns the notification ids in the state, by the key of for_each.
func (w *workspace) ids(t *testing.T) map[string]string {
	t.Helper()
	ids := map[string]string{}
	for _, i := range w.instances(t) {
		ids[i.Key], _ = i.Attributes["notification_id"].(string) // empty where it is null
	}
	return ids
}

// sent fails the test unless the service accepted notifications with these subjects, in any order,
// since the last call. Without subjects, there must have been no request at all.
func (w *workspace) sent(t *testing.T, subjects ...string) {
	t.Helper()
	ledger := w.Ledger()
	var got []string
	for _, submission := range ledger.Submissions {
		got = append(got, submission.Channels[0].Subject)
	}
	slices.Sort(got)
	if want := slices.Sorted(slices.Values(subjects)); !slices.Equal(got, want) {
		t.Errorf("sent %q, want %q", got, want)
	}
	if len(subjects) == 0 && len(ledger.Requests) > 0 {
		t.Errorf("%d requests, the first to %s", len(ledger.Requests), ledger.Requests[0].Path)
	}
	w.ClearLedger()
}
