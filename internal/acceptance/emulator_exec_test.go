//go:build unix

package acceptance

import (
	"fmt"
	"strings"
	"testing"
)

// elsewhere is a provider block that names the addresses of the workspace's emulator, which stands
// for the service itself in these tests: what reaches it would have notified somebody.
func elsewhere(w *workspace) string {
	url := w.getenv("NOTIFICATION_BASE_URL")
	return fmt.Sprintf("provider \"notification\" {\n  auth_url = %q\n  base_url = %q\n"+
		"  client_id = \"id\"\n  client_secret = %q\n}\n", url, url, testSecret)
}

const (
	own          = "provider \"notification\" {}\n"
	applyCommand = "terraform apply -input=false -auto-approve -no-color"
)

// Under exec nothing reaches an address that a module names itself, neither in a test nor where the
// address is known only after a part of the apply: the provider refuses to be configured.
func TestExecReachesNothingElse(t *testing.T) {
	t.Parallel()
	for command, needs := range map[string]string{
		applyCommand: "1.0", "terraform test -no-color": "1.6",
	} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			if !hasVersion(t, needs) {
				t.Skip("needs Terraform", needs)
			}
			w := newWorkspace(t, nil)
			w.useFakeProvider(t)
			url := fmt.Sprintf("%q", w.getenv("NOTIFICATION_BASE_URL"))
			w.write(t, "resource \"fake_later\" \"url\" {\n  input = "+url+"\n}\n"+
				strings.ReplaceAll(elsewhere(w), url, "fake_later.url.output")+oneNotification)
			w.put(t, "main.tftest.hcl", "run \"sends\" {}\n")
			out, status := w.script(t, "notification-emulator exec -expect 1 -- "+command)
			if status != 1 {
				t.Errorf("exit status %d", status)
			}
			for _, part := range []string{
				"Invalid provider setting base_url", "NOTIFICATION_EMULATOR_URL",
				"so that a test notifies nobody", "Received by the emulator: 0 notifications",
			} {
				if !strings.Contains(words(out), part) {
					t.Errorf("the output lacks %q:\n%s", part, out)
				}
			}
			w.silent(t, command)
		})
	}
}

// Credentials of a module's own are unknown to the emulator, which says how to make them known.
func TestExecAndCredentialsOfTheModule(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.write(t, "provider \"notification\" {\n  client_id = \"ci\"\n"+
		"  client_secret = \"module-secret\"\n}\n"+oneNotification)
	out, status := w.script(t, "notification-emulator exec -- "+applyCommand)
	if status != 1 || !strings.Contains(words(out), "-client-id and -client-secret") ||
		strings.Contains(out, "module-secret") {
		t.Errorf("exit status %d\n%s", status, out)
	}
	w.mustScript(t, "notification-emulator exec -client-id ci -client-secret module-secret "+
		"-expect 1 -- "+applyCommand)
	w.silent(t, "apply")
}

// Two systems behind one emulator, each with an alias of its own.
func TestExecWithTwoSystems(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.write(t, own+"provider \"notification\" {\n  alias  = \"apac\"\n"+
		"  system = \"apac\"\n}\n"+oneNotification+
		strings.NewReplacer(`"one"`, `"two"`, "{\n", "{\n  provider = notification.apac\n").Replace(
			strings.Replace(oneNotification, "slack", "mail", 1)))
	w.mustScript(t, "notification-emulator exec -system emea -system apac -ledger ledger.json "+
		"-expect 2 -- "+applyCommand+`
	test "$(grep -c '"system": "emea"' ledger.json)" = 1
	test "$(grep -c '"system": "apac"' ledger.json)" = 1`)
}
