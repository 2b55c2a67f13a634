package acceptance

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"terraform-provider-notification/internal/emulator"
	"terraform-provider-notification/internal/emulator/emulatortest"
	"terraform-provider-notification/internal/provider"
)

const (
	testSecret = "canary-client-secret"
	keyHeader  = "Idempotency-Key"

	required = "terraform {\n  required_providers {\n    notification = {\n" +
		"      source = \"" + provider.Source + "\"\n    }\n  }\n}\n"

	oneNotification = `
resource "notification_notification" "one" {
  priority = "HIGH"
  channels = [{ type = "slack", subject = "one" }]
}
`
	lookup = "data \"notification_studies\" \"atlas\" {\n  name = \"ATLAS\"\n}\n"
)

// workspace is a folder with a configuration, and the emulator that the provider sends requests to.
type workspace struct {
	*emulator.Emulator

	dir string
	env []string
}

// newWorkspace starts an emulator with the default settings, modified by change, and creates a
// workspace for it. The provider is configured by environment variables.
func newWorkspace(t *testing.T, change func(*emulator.Config)) *workspace {
	t.Helper()
	config := emulator.Config{ClientID: "id", ClientSecret: testSecret, TokenLifetime: time.Hour}
	if change != nil {
		change(&config)
	}
	e, url := emulatortest.Serve(t, config)
	w := &workspace{Emulator: e, dir: t.TempDir()}
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "TMP", "SystemRoot"} {
		w.setenv(name, os.Getenv(name))
	}
	w.setenv("TF_CLI_CONFIG_FILE", cliConfig)
	w.setenv("CHECKPOINT_DISABLE", "1")
	w.setenv("NOTIFICATION_AUTH_URL", url)
	w.setenv("NOTIFICATION_BASE_URL", url)
	w.setenv("NOTIFICATION_CLIENT_ID", "id")
	w.setenv("NOTIFICATION_CLIENT_SECRET", testSecret)
	return w
}

// recognisingKeys changes the emulator into a service that recognises idempotency keys. Requests
// without one are served as before.
func recognisingKeys(config *emulator.Config) { config.IdempotencyKeyHeader = keyHeader }

// setenv sets a variable for Terraform in the workspace; the last value counts.
func (w *workspace) setenv(name, value string) { w.env = append(w.env, name+"="+value) }

// getenv is the value that the workspace's Terraform gets.
func (w *workspace) getenv(name string) string {
	value := ""
	for _, entry := range w.env {
		if key, v, _ := strings.Cut(entry, "="); key == name {
			value = v
		}
	}
	return value
}

// fileText is the content of a file.
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

// useFakeProvider has the workspace's Terraform find internal/fakeprovider.
func (w *workspace) useFakeProvider(t *testing.T) {
	t.Helper()
	path, err := fakeProvider()
	if err != nil {
		t.Fatal(err)
	}
	w.setenv("TF_CLI_CONFIG_FILE", path)
}

// write replaces the configuration.
func (w *workspace) write(t *testing.T, body string) {
	t.Helper()
	w.put(t, "main.tf", required+body)
}

// command returns a Terraform command that has not been started.
func (w *workspace) command(
	t *testing.T, args ...string,
) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	t.Helper()
	stdout, stderr = new(bytes.Buffer), new(bytes.Buffer)
	cmd = exec.CommandContext(t.Context(), terraformPath, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = w.dir, w.env, stdout, stderr
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

// plan returns exit status 0 if there is nothing to do, and 2 if there is.
func (w *workspace) plan(t *testing.T, more ...string) (output string, status int) {
	t.Helper()
	args := []string{"plan", "-no-color", "-input=false", "-detailed-exitcode"}
	return w.terraform(t, append(args, more...)...)
}

// settled fails the test unless there is nothing to do.
func (w *workspace) settled(t *testing.T, after string) {
	t.Helper()
	if output, status := w.plan(t); status != 0 {
		t.Errorf("plan after %s: exit status %d\n%s", after, status, output)
	}
}

// submissionsMeet sets the faults that the next submissions meet.
func (w *workspace) submissionsMeet(t *testing.T, faults string) {
	t.Helper()
	if err := w.SetFaults(emulator.Faults{"submission": faults}); err != nil {
		t.Fatal(err)
	}
}

// applyArgs are the arguments of an apply that asks nothing.
func applyArgs(more ...string) []string {
	return append([]string{"apply", "-no-color", "-input=false", "-auto-approve"}, more...)
}

// tryApply applies, and returns what was printed and the exit status.
func (w *workspace) tryApply(t *testing.T, more ...string) (output string, status int) {
	t.Helper()
	return w.terraform(t, applyArgs(more...)...)
}

func (w *workspace) apply(t *testing.T, more ...string) string {
	t.Helper()
	return w.must(t, applyArgs(more...)...)
}

// instance is a notification in the state.
type instance struct {
	Key             string `json:"index_key"` // of for_each
	Status, Deposed string
	Attributes      map[string]any
}

// id is empty where it is null.
func (i instance) id() string {
	id, _ := i.Attributes["notification_id"].(string)
	return id
}

// instances returns all instances in the state, of which there are none without a state.
func (w *workspace) instances(t *testing.T) (all []instance) {
	t.Helper()
	var state struct {
		Resources []struct{ Instances []instance }
	}
	text, err := os.ReadFile(filepath.Join(w.dir, "terraform.tfstate"))
	if os.IsNotExist(err) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(text, &state)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, resource := range state.Resources {
		all = append(all, resource.Instances...)
	}
	return all
}

// ids returns the notification ids in the state, by the key of for_each.
func (w *workspace) ids(t *testing.T) map[string]string {
	t.Helper()
	ids := map[string]string{}
	for _, i := range w.instances(t) {
		ids[i.Key] = i.id()
	}
	return ids
}

// silent fails the test if the emulator has received any request.
func (w *workspace) silent(t *testing.T, while string) {
	t.Helper()
	if ledger := w.Ledger(); len(ledger.Requests) != 0 {
		t.Errorf("%s: %d requests, the first to %s", while, len(ledger.Requests),
			ledger.Requests[0].Path)
	}
}

// subjects is how often each subject was accepted.
func (w *workspace) subjects() map[string]int {
	subjects := map[string]int{}
	for _, submission := range w.Ledger().Submissions {
		subjects[submission.Channels[0].Subject]++
	}
	return subjects
}

// submittedOnce fails the test unless want notifications were accepted, each of them once.
func (w *workspace) submittedOnce(t *testing.T, want int) {
	t.Helper()
	subjects := w.subjects()
	for subject, n := range subjects {
		if n != 1 {
			t.Errorf("%q was submitted %d times", subject, n)
		}
	}
	if len(subjects) != want {
		t.Errorf("%d notifications were submitted, want %d", len(subjects), want)
	}
}

// words is the output of Terraform without its line breaks and frames.
func words(output string) string {
	frames := strings.NewReplacer("│", " ", "╷", " ", "╵", " ")
	return strings.Join(strings.Fields(frames.Replace(output)), " ")
}
