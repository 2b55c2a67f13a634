//go:build unix

package acceptance

import (
	"fmt"
	"strings"
	"testing"

	"terraform-provider-notification/internal/provider"
)

// elsewhere is a provider block that names the addresses of the workspace's emulator, which stands
// for the service itself in these tests: what reaches it would have notified somebody.
func elsewhere(w *workspace, alias string) string {
	url := w.getenv("NOTIFICATION_BASE_URL")
	return fmt.Sprintf("provider \"notification\" {\n%s  auth_url = %q\n  base_url = %q\n"+
		"  client_id = \"id\"\n  client_secret = %q\n}\n", alias, url, url, testSecret)
}

// Under exec nothing reaches an address that a module names itself, whatever asks for it.
func TestExecReachesNothingElse(t *testing.T) {
	t.Parallel()
	const own = `provider "notification" {}` + "\n"
	for name, test := range map[string]struct {
		needs         string
		configuration func(w *workspace) string
		files         func(w *workspace) map[string]string
		command       string // applyCommand, unless given
	}{
		"resource": {configuration: func(w *workspace) string {
			return elsewhere(w, "") + oneNotification
		}},
		"data source": {configuration: func(w *workspace) string { return elsewhere(w, "") + lookup }},
		"ephemeral resource": {needs: "1.11", configuration: func(w *workspace) string {
			return elsewhere(w, "") + "ephemeral \"notification_access_token\" \"this\" {}\n"
		}},
		"action": {needs: "1.14", configuration: func(w *workspace) string {
			return elsewhere(w, "") + "action \"notification_send\" \"this\" {\n  config {\n" +
				"    priority = \"HIGH\"\n    channels = [{ type = \"slack\" }]\n  }\n}\n"
		}, command: applyCommand + " -invoke=action.notification_send.this"},
		"alias": {configuration: func(w *workspace) string {
			return own + elsewhere(w, "  alias = \"staging\"\n") +
				strings.Replace(oneNotification, "{\n", "{\n  provider = notification.staging\n", 1)
		}},
		"module with a provider block": {
			configuration: func(*workspace) string {
				return own + "module \"inner\" {\n  source = \"./inner\"\n}\n"
			},
			files: func(w *workspace) map[string]string {
				return map[string]string{"inner/main.tf": required + elsewhere(w, "") + oneNotification}
			},
		},
		"known after apply": {needs: "1.4", configuration: func(w *workspace) string {
			url := w.getenv("NOTIFICATION_BASE_URL")
			return fmt.Sprintf("resource \"terraform_data\" \"url\" {\n  input = %q\n}\n", url) +
				strings.ReplaceAll(elsewhere(w, ""), fmt.Sprintf("%q", url), "terraform_data.url.output") +
				oneNotification
		}},
		"terraform test": {
			needs:         "1.6",
			configuration: func(w *workspace) string { return elsewhere(w, "") + oneNotification },
			files: func(*workspace) map[string]string {
				return map[string]string{"main.tftest.hcl": "run \"sends\" {}\n"}
			},
			command: "terraform test -no-color",
		},
		"environment of the command": {
			configuration: func(*workspace) string { return own + oneNotification },
			command:       "NOTIFICATION_BASE_URL=$REAL " + applyCommand,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if test.needs != "" && !hasVersion(t, test.needs) {
				t.Skip("needs Terraform", test.needs)
			}
			if test.needs == "1.14" && !hasActions(t) {
				t.Skip("OpenTofu offers no actions")
			}
			w := newWorkspace(t, nil)
			w.write(t, test.configuration(w))
			if test.files != nil {
				for name, text := range test.files(w) {
					w.put(t, name, text)
				}
				if strings.Contains(test.configuration(w), "module") {
					w.must(t, "get")
				}
			}
			command := test.command
			if command == "" {
				command = applyCommand
			}
			w.setenv("REAL", w.getenv("NOTIFICATION_BASE_URL"))
			out, status := w.script(t, "notification-emulator exec -expect 1 -- env "+command)
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

const (
	applyCommand = "terraform apply -input=false -auto-approve -no-color"

	required = "terraform {\n  required_providers {\n    notification = {\n" +
		"      source = \"" + provider.Source + "\"\n    }\n  }\n}\n"
)

// exec clears what the environment holds, also for an exec within an exec.
func TestExecReplacesTheEnvironment(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.write(t, "provider \"notification\" {}\n"+oneNotification)
	w.setenv("NOTIFICATION_SYSTEM", "real")
	w.mustScript(t, "notification-emulator exec -expect 0 -- "+
		"notification-emulator exec -expect 1 -- "+applyCommand)
	w.silent(t, "apply")
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
	w.write(t, "provider \"notification\" {}\nprovider \"notification\" {\n  alias  = \"apac\"\n"+
		"  system = \"apac\"\n}\n"+oneNotification+
		strings.NewReplacer(`"one"`, `"two"`, "{\n", "{\n  provider = notification.apac\n").Replace(
			strings.Replace(oneNotification, "slack", "mail", 1)))
	w.mustScript(t, "notification-emulator exec -system emea -system apac -ledger ledger.json "+
		"-expect 2 -- "+applyCommand+`
	test "$(grep -c '"system": "emea"' ledger.json)" = 1
	test "$(grep -c '"system": "apac"' ledger.json)" = 1`)
}
