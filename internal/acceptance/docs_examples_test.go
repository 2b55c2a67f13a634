//go:build unix

package acceptance

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"terraform-provider-notification/internal/provider"
)

// repository is the root of the checkout.
const repository = "../.."

const (
	resourceExample    = "resources/notification_notification/resource.tf"
	importBlockExample = "resources/notification_notification/import-by-string-id.tf" // added to it
	importedID         = "9b2f6c1e-6f0b-4a55-9d3c-1f7a0e5c8d42"
)

// exampleTests has a test for every file below examples/ that runs unmodified. Demo and module have
// separate tests; files that only a CI runner, a container or Terragrunt runs have none.
var exampleTests = map[string]func(t *testing.T, w *workspace, text string){
	"environments/main.tf":                          environmentsExample,
	"secrets-manager/main.tf":                       secretsManagerExample,
	"private-network/main.tf":                       privateNetworkExample,
	resourceExample:                                 applyResource,
	importBlockExample:                              importBlock,
	"resources/notification_notification/import.sh": importCommand,
	"resources/notification_notification/without-credentials.sh":          withoutCredentials,
	"data-sources/notification_studies/data-source.tf":                    studiesExample,
	"ephemeral-resources/notification_access_token/ephemeral-resource.tf": tokenExample,
	"actions/notification_send/action.tf":                                 nil, // TestActionExamples
	"actions/notification_send/destroy.tf":                                nil,
	"pipelines/announce/main.tf":                                          announceExample,
	"pipelines/drift.sh":                                                  driftScript,
}

func TestExamples(t *testing.T) {
	t.Parallel()
	for path, text := range examples(t) {
		check, ok := exampleTests[path]
		if extension := filepath.Ext(path); !ok && (extension == ".tf" || extension == ".sh") {
			t.Errorf("examples/%s has no test", path)
		}
		if check == nil {
			continue
		}
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			if filepath.Ext(path) == ".tf" && path != importBlockExample {
				checkSources(t, text)
			}
			checkRecipients(t, text)
			skipBelow(t, text)
			w := newWorkspace(t, nil)
			w.put(t, "main.tf", text)
			check(t, w, text)
		})
	}
}

// examples returns the texts of the files below examples/, except demo and modules.
func examples(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	root := os.DirFS(filepath.Join(repository, "examples"))
	err := fs.WalkDir(root, ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == "demo", path == "modules":
			return fs.SkipDir
		case entry.IsDir():
			return nil
		}
		text, err := fs.ReadFile(root, path)
		found[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func applyResource(t *testing.T, w *workspace, _ string) {
	w.apply(t)
	w.sent(t, "checkout 1.4.2 is live")
	w.settled(t)
	w.sent(t)
}

// useResource makes the resource's example the configuration.
func (w *workspace) useResource(t *testing.T) {
	t.Helper()
	text := examples(t)[resourceExample]
	skipBelow(t, text)
	w.put(t, "main.tf", text)
}

func importBlock(t *testing.T, w *workspace, text string) {
	if !hasVersion(t, "1.5") {
		skip(t, "needs Terraform 1.5")
	}
	w.useResource(t)
	w.put(t, "import.tf", text)
	w.apply(t)
	w.isImported(t)
}

func importCommand(t *testing.T, w *workspace, text string) {
	w.useResource(t)
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
	w.useResource(t)
	w.setenv("HTTPS_PROXY", "http://127.0.0.1:1") // avoids a DNS lookup of the placeholder
	w.setenv("NOTIFICATION_CHECK_CREDENTIALS", "true")
	w.setenv("NOTIFICATION_MAX_RETRIES", "0")
	placeholders, _, found := strings.Cut(text, "terraform import")
	if !found {
		t.Fatalf("imports nothing:\n%s", text)
	}
	w.mustScript(t, text)
	w.mustScript(t, placeholders+`
		terraform apply -auto-approve
		terraform destroy -refresh=false -auto-approve -var=release=2`)
	out, status := w.script(t, placeholders+
		"NOTIFICATION_CHECK_CREDENTIALS=false terraform apply -auto-approve")
	if status != 1 || !strings.Contains(words(out), "Not submitted: ") {
		t.Errorf("exit status %d\n%s", status, out)
	}
	if ids := w.ids(t); len(ids) > 0 {
		t.Errorf("the state has %v", ids)
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
	if !hasVersion(t, "1.4") {
		skip(t, "needs terraform_data, of Terraform 1.4")
	}
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
	w.put(t, "drift/main.tf", examples(t)["pipelines/announce/main.tf"])
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

// An environment that is first retired can be removed without an error.
func environmentsExample(t *testing.T, w *workspace, _ string) {
	if terraformVersion.program != "OpenTofu" {
		t.Skip("needs OpenTofu")
	}
	environment := func(retired bool) string {
		return fmt.Sprintf(`{"auth_url":%q,"base_url":%[1]q,"client_id":"id","retired":%t}`,
			w.url, retired)
	}
	active, retired := environment(false), environment(true)
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

// checkRecipients fails the test if a channel of a configuration has no recipient after its type.
// It begins with the brace of an item of a list: other blocks have types, too.
func checkRecipients(t *testing.T, text string) {
	t.Helper()
	channelStart := regexp.MustCompile(`(?m)(?:\[|^\s*)\{\s*type\s+= "\w+",?\s+(\w+)`)
	for _, match := range channelStart.FindAllStringSubmatch(text, -1) {
		if match[1] != "recipient" {
			t.Errorf("a channel without recipient: %s", match[0])
		}
	}
}

// checkSources fails the test unless a configuration names the provider's source and version.
func checkSources(t *testing.T, text string) {
	t.Helper()
	source := regexp.MustCompile(`source\s*=\s*"([^"]*/notification)"\n\s*version\s*= "~> \d+\.\d+"\n`)
	found := source.FindAllStringSubmatch(text, -1)
	if len(found) != 1 || found[0][1] != provider.Source {
		t.Errorf("the sources of the provider are %q:\n%s", found, text)
	}
}
