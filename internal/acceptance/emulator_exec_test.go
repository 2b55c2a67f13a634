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

// Under exec nothing reaches an address that a module names itself, wherever it does so. What asks
// for it does not matter: the provider refuses to be configured.
func TestExecReachesNothingElse(t *testing.T) {
	t.Parallel()
	const exec = "notification-emulator exec -expect 1 -- "
	for name, test := range map[string]struct {
		needs  string
		files  func(w *workspace) map[string]string // required_providers left out
		script string
	}{
		"module with a provider block": {
			files: func(w *workspace) map[string]string {
				return map[string]string{
					"main.tf":       own + "module \"inner\" {\n  source = \"./inner\"\n}\n",
					"inner/main.tf": elsewhere(w) + oneNotification,
				}
			},
			script: "terraform get\n" + exec + applyCommand,
		},
		"known after apply": {
			needs: "1.4",
			files: func(w *workspace) map[string]string {
				url := fmt.Sprintf("%q", w.getenv("NOTIFICATION_BASE_URL"))
				return map[string]string{
					"main.tf": "resource \"terraform_data\" \"url\" {\n  input = " + url + "\n}\n" +
						strings.ReplaceAll(elsewhere(w), url, "terraform_data.url.output") +
						oneNotification,
				}
			},
			script: exec + applyCommand,
		},
		"terraform test": {
			needs: "1.6",
			files: func(w *workspace) map[string]string {
				return map[string]string{
					"main.tf": elsewhere(w) + oneNotification, "main.tftest.hcl": "run \"sends\" {}\n",
				}
			},
			script: exec + "terraform test -no-color",
		},
		"environment of the command": {
			files: func(*workspace) map[string]string {
				return map[string]string{"main.tf": own + oneNotification}
			},
			script: exec + "env NOTIFICATION_BASE_URL=$REAL " + applyCommand,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.needs != "" && !hasVersion(t, test.needs) {
				t.Skip("needs Terraform", test.needs)
			}
			w := newWorkspace(t, nil)
			for name, text := range test.files(w) {
				if strings.HasSuffix(name, ".tf") {
					text = required + text
				}
				w.put(t, name, text)
			}
			w.setenv("REAL", w.getenv("NOTIFICATION_BASE_URL"))
			out, status := w.script(t, test.script)
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
			w.silent(t, name)
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
