//go:build unix

package acceptance

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const moduleREADME = "examples/modules/announcement/README.md"
const resourceExample = "resources/notification_notification/resource.tf"

// exampleTests has a test for each configuration and script below examples/, but not for demo and
// modules, which have other tests. It needs a version of Terraform, as a block of a page does.
var exampleTests = map[string]struct {
	needs string
	test  func(t *testing.T, w *workspace, text string)
}{
	"actions/notification_send/action.tf":              {"", actionExample},
	"actions/notification_send/destroy.tf":             {"", destroyExample},
	"data-sources/notification_studies/data-source.tf": {"1.2", studiesExample},
	"environments/main.tf":                             {"1.9", environmentsExample},
	"ephemeral-resources/notification_access_token/ephemeral-resource.tf": {
		"1.10", tokenExample,
	},
	"pipelines/announce/main.tf":   {"", announceExample},
	"pipelines/drift.sh":           {"1.4", driftScript},
	"pipelines/github-destroy.yml": {"1.4", destroyWorkflow},
	"private-network/main.tf":      {"", privateNetworkExample},
	resourceExample:                {"1.4", applyResource},
	"resources/notification_notification/import-by-string-id.tf": {"1.5", importBlock},
	"resources/notification_notification/import.sh":              {"1.4", importCommand},
	"resources/notification_notification/without-credentials.sh": {"1.4", withoutCredentials},
	"secrets-manager/main.tf":                                    {"1.10", secretsManagerExample},
}

func TestExamples(t *testing.T) {
	t.Parallel()
	for path, example := range exampleTests {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			skipWithout(t, example.needs)
			w := newWorkspace(t, nil)
			w.useFakeProvider(t) // instead of the other providers of an example
			text := exampleText(t, path)
			w.put(t, "main.tf", text)
			example.test(t, w, text)
		})
	}
}

func exampleText(t *testing.T, path string) string {
	t.Helper()
	return fileText(t, repository, "examples", path)
}

func applyResource(t *testing.T, w *workspace, _ string) {
	w.apply(t)
	w.sent(t, "checkout 1.4.2 is live")
	w.settled(t)
	w.sent(t)
}

func importBlock(t *testing.T, w *workspace, text string) {
	w.put(t, "main.tf", exampleText(t, resourceExample))
	w.put(t, "import.tf", text)
	w.isImported(t)
}

func importCommand(t *testing.T, w *workspace, text string) {
	w.put(t, "main.tf", exampleText(t, resourceExample))
	w.mustScript(t, text)
	w.isImported(t)
}

// isImported applies the resource's example, which must send nothing.
func (w *workspace) isImported(t *testing.T) {
	t.Helper()
	w.apply(t)
	w.sent(t)
	if ids := w.ids(t); ids[""] != importedID {
		t.Errorf("the ids are %v", ids)
	}
}

// With placeholders for the settings, an import, the apply after it and a destroy work. A
// notification that would be sent is neither sent nor stored.
func withoutCredentials(t *testing.T, w *workspace, text string) {
	w.put(t, "main.tf", exampleText(t, resourceExample))
	w.setenv("HTTPS_PROXY", "http://127.0.0.1:1") // avoids a DNS lookup of the placeholder
	w.setenv("NOTIFICATION_CHECK_CREDENTIALS", "true")
	w.setenv("NOTIFICATION_MAX_RETRIES", "0")
	w.mustScript(t, text+`
		terraform apply -auto-approve
		terraform destroy -refresh=false -auto-approve -var=release=2`)
	placeholders, _, _ := strings.Cut(text, "terraform import")
	out, status := w.script(t, placeholders+
		"NOTIFICATION_CHECK_CREDENTIALS=false terraform apply -auto-approve")
	if ids := w.ids(t); status != 1 || len(ids) > 0 {
		t.Errorf("exit status %d, the state has %v\n%s", status, ids, out)
	}
	w.sent(t)
}

// A lookup without a phase fails the plan, which would otherwise announce something else.
func studiesExample(t *testing.T, w *workspace, _ string) {
	w.apply(t)
	w.sent(t, "ATLAS is in phase 3")
	w.edit(t, `name = "ATLAS"`, `name = "none"`)
	if out, status := w.terraform(t, "plan"); status != 1 ||
		!strings.Contains(out, "each must have a phase") {
		t.Errorf("exit status %d\n%s", status, out)
	}
}

// useAction puts an example of the action into the workspace. Unlike skip, it may skip with the
// newest Terraform, too: events of a destroy need a later one.
func (w *workspace) useAction(t *testing.T, needs, text string) {
	t.Helper()
	if !hasActions(t) || !hasVersion(t, needs) {
		t.Skip("needs Terraform", needs)
	}
	rejectsPrereleases := regexp.MustCompile(`required_version = .*`)
	w.put(t, "main.tf", rejectsPrereleases.ReplaceAllString(text, ""))
}

// Each release is announced; -invoke announces one again, and a destroy nothing.
func actionExample(t *testing.T, w *workspace, text string) {
	w.useAction(t, "1.14", text)
	w.apply(t)
	w.apply(t, "-var=release=1.4.3")
	w.apply(t, "-invoke=action.notification_send.deployed")
	w.must(t, "destroy")
	w.sent(t, "checkout 1.4.2 is live", "checkout 1.4.3 is live", "checkout 1.4.2 is live")
}

// The destroy is announced, but not the creation.
func destroyExample(t *testing.T, w *workspace, text string) {
	w.useAction(t, "1.16", text)
	w.apply(t)
	w.sent(t)
	w.must(t, "destroy")
	w.sent(t, "review-42 is gone")
}

// Each run is announced once, even if the state is kept.
func announceExample(t *testing.T, w *workspace, _ string) {
	w.setenv("TF_VAR_subject", "The pipeline failed")
	for _, run := range []string{"1", "1", "2"} {
		w.setenv("TF_VAR_run", run)
		w.apply(t)
	}
	w.sent(t, "The pipeline failed", "The pipeline failed")
}

// A drift is announced once while it stays the same, and again after it was corrected.
func driftScript(t *testing.T, w *workspace, script string) {
	w.put(t, "main.tf", `
variable "release" {
  type = string
}
resource "terraform_data" "checkout" {
  input = var.release
}
output "release" {
  value = var.release
}
`)
	w.put(t, "drift/main.tf", exampleText(t, "pipelines/announce/main.tf"))
	w.setenv("RUN_URL", "https://ci.example.com/1")
	night := func(subjects ...string) {
		t.Helper()
		w.mustScript(t, script)
		w.sent(t, subjects...)
	}
	const drifted = "checkout has drifted: https://ci.example.com/1"
	w.apply(t)
	night()
	w.must(t, "state", "rm", "terraform_data.checkout") // as if somebody had deleted it
	night(drifted)
	night()
	w.apply(t)
	night()
	w.must(t, "state", "rm", "terraform_data.checkout")
	night(drifted)
}

// The workflow destroys a configuration that would reject its placeholder for the release.
func destroyWorkflow(t *testing.T, w *workspace, workflow string) {
	w.put(t, "main.tf", exampleText(t, resourceExample))
	w.edit(t, "type = string", `type = string
  validation {
    condition     = var.release != "none"
    error_message = "none is no release."
  }`)
	w.apply(t)
	w.sent(t, "checkout 1.4.2 is live")
	w.setenv("TF_VAR_release", "none")
	w.mustScript(t, regexp.MustCompile("exec terraform destroy .*").FindString(workflow))
	w.sent(t)
}

// An environment that is first retired can be removed without an error.
func environmentsExample(t *testing.T, w *workspace, _ string) {
	if terraformVersion.program != "OpenTofu" {
		t.Skip("needs OpenTofu")
	}
	const environment = `{"auth_url":%q,"base_url":%[1]q,"client_id":"id","retired":%t}`
	active, retired := fmt.Sprintf(environment, w.url, false), fmt.Sprintf(environment, w.url, true)
	use := func(environments string) { w.setenv("TF_VAR_environments", environments) }
	w.setenv("TF_VAR_client_secrets", `{"staging":"`+testSecret+`","production":"`+testSecret+`"}`)
	use(`{"staging":` + active + `,"production":` + active + `}`)
	w.apply(t)
	w.sent(t, "checkout 1.4.2 is live in staging", "checkout 1.4.2 is live in production")
	use(`{"staging":` + retired + `,"production":` + active + `}`)
	w.apply(t)
	use(`{"production":` + active + `}`)
	w.apply(t)
	if ids := w.ids(t); len(ids) != 1 || ids["production"] == "" {
		t.Errorf("the state has %v", ids)
	}
	w.must(t, "destroy")
	w.sent(t)
}

// copyExamples copies a folder below examples/ to a folder of the workspace.
func (w *workspace) copyExamples(t *testing.T, from, to string) {
	t.Helper()
	examples := os.DirFS(filepath.Join(repository, "examples", from))
	if err := os.CopyFS(filepath.Join(w.dir, to), examples); err != nil {
		t.Fatal(err)
	}
}

// The module's own tests pass, without terraform init.
func TestModuleTestsItself(t *testing.T) {
	t.Parallel()
	skipWithout(t, "1.7") // has mocks
	w := newWorkspace(t, nil)
	w.useFakeProvider(t)
	w.copyExamples(t, "modules/announcement", ".")
	const sending = "terraform test -test-directory=tests/emulator"
	w.must(t, "get", "-test-directory=tests/emulator")
	w.mustScript(t, "notification-emulator exec -expect 2 -- "+sending)
	w.setenv("NOTIFICATION_AUTH_URL", "") // with mocks, no setting is needed and nothing is sent
	w.mustScript(t, "terraform test")
	if out, status := w.script(t, sending); status == 0 {
		t.Errorf("without a service, the other tests pass:\n%s", out)
	}
	w.sent(t)
}

// The README's example announces each release once, and nothing when it is destroyed.
func TestModuleAnnouncesEachRelease(t *testing.T) {
	t.Parallel()
	skipWithout(t, "1.1")
	w := newWorkspace(t, nil)
	w.copyExamples(t, "modules/announcement", "announcement")
	w.put(t, "main.tf", codeBlocks(t, moduleREADME)[0].text)
	w.must(t, "get")
	w.apply(t)
	w.settled(t)
	w.sent(t, "checkout 1.4.2 is live in production")
	w.apply(t, "-var=release=1.4.3")
	w.must(t, "destroy")
	w.sent(t, "checkout 1.4.3 is live in production")
}
