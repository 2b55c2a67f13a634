//go:build unix

package acceptance

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"terraform-provider-notification/internal/emulator"
	"terraform-provider-notification/internal/provider"
)

// repository is the root of the checkout.
const repository = "../.."

const (
	resourceExample    = "resources/notification_notification/resource.tf"
	importBlockExample = "resources/notification_notification/import-by-string-id.tf" // added to it
	importedID         = "9b2f6c1e-6f0b-4a55-9d3c-1f7a0e5c8d42"
)

// exampleTests has a test for every file below examples/ that runs as it stands. Demo and module
// have their own, and what only a runner, a container or Terragrunt runs has none.
var exampleTests = map[string]func(t *testing.T, w *workspace, text string){
	"provider/provider.tf":                          providerExample,
	"environments/main.tf":                          environmentsExample,
	"secrets-manager/main.tf":                       secretsManagerExample,
	resourceExample:                                 applyResource,
	importBlockExample:                              importBlock,
	"resources/notification_notification/import.sh": importCommand,
	"resources/notification_notification/without-credentials.sh":          withoutCredentials,
	"data-sources/notification_studies/data-source.tf":                    studiesExample,
	"ephemeral-resources/notification_access_token/ephemeral-resource.tf": tokenExample,
	"actions/notification_send/action.tf":                                 actionExample,
	"actions/notification_send/destroy.tf":                                destroyActionExample,
	"pipelines/announce/main.tf":                                          announceExample,
}

func TestExamples(t *testing.T) {
	t.Parallel()
	found := examples(t)
	for path := range exampleTests {
		if _, ok := found[path]; !ok {
			t.Errorf("examples/%s is tested but not there", path)
		}
	}
	for path, text := range found {
		check := exampleTests[path]
		if check == nil {
			if extension := filepath.Ext(path); extension == ".tf" || extension == ".sh" {
				t.Errorf("examples/%s has no test", path)
			}
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

// examples are the texts of the files below examples/, demo and module left out.
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

// The provider example is applied with its addresses replaced by the emulator's.
func providerExample(t *testing.T, _ *workspace, text string) {
	w := newWorkspace(t, func(c *emulator.Config) {
		c.Systems = []string{"trials"}
		c.Scopes = []string{"notifications.write", "notifications.read"}
	})
	url := w.getenv("NOTIFICATION_BASE_URL")
	w.setenv("NOTIFICATION_AUTH_URL", "")
	w.setenv("NOTIFICATION_BASE_URL", "")
	w.put(t, "main.tf", strings.NewReplacer("https://auth.example.com", url,
		"https://api.example.com", url).Replace(text)+oneNotification)
	w.apply(t)
	if got := w.Ledger().Requests[0].Form.Scope; got != "notifications.read notifications.write" {
		t.Errorf("asked for the scopes %q", got)
	}
	w.sent(t, "one")
}

// An environment retires, and is removed, without an error. Removed at once, OpenTofu does not know
// what to remove its notification with: that is what the page warns of.
func environmentsExample(t *testing.T, w *workspace, _ string) {
	if terraformVersion.program != "OpenTofu" {
		t.Skip("needs OpenTofu")
	}
	url := w.getenv("NOTIFICATION_BASE_URL")
	type environment struct {
		AuthURL  string `json:"auth_url"`
		BaseURL  string `json:"base_url"`
		ClientID string `json:"client_id"`
		Retired  bool   `json:"retired"`
	}
	active, retired := environment{url, url, "id", false}, environment{url, url, "id", true}
	use := func(environments map[string]environment) {
		t.Helper()
		text, err := json.Marshal(environments)
		if err != nil {
			t.Fatal(err)
		}
		w.setenv("TF_VAR_environments", string(text))
	}
	w.setenv("TF_VAR_client_secrets", `{"staging":"`+testSecret+`","production":"`+testSecret+`"}`)
	use(map[string]environment{"staging": active, "production": active})
	w.apply(t)
	w.sent(t, "checkout is live in staging", "checkout is live in production")
	use(map[string]environment{"production": active})
	if out, status := w.terraform(t, "plan"); status != 1 ||
		!strings.Contains(out, "Provider instance not present") {
		t.Errorf("removed at once: exit status %d\n%s", status, out)
	}
	use(map[string]environment{"staging": retired, "production": active})
	w.apply(t)
	use(map[string]environment{"production": active})
	w.apply(t)
	if ids := w.ids(t); len(ids) != 1 || ids["production"] == "" {
		t.Errorf("the state has %v", ids)
	}
	w.must(t, "destroy")
	w.sent(t)
}

// The secrets manager is asked in each plan and each apply: what was rotated between them is used,
// nothing of it is kept, and a rotation by itself sends nothing.
func secretsManagerExample(t *testing.T, w *workspace, text string) {
	w.useFakeProvider(t)
	w.put(t, "main.tf", strings.NewReplacer(
		"hashicorp/vault", "hashicorp/fake", "~> 5.0", ">= 0", "vault", "fake").Replace(text))
	w.setenv("NOTIFICATION_CLIENT_SECRET", "")
	const oldCode, newCode = "canary-old-code", "canary-new-code"
	manager := func(secret, code string) {
		w.put(t, "secret/notification", `{"client_secret":"`+secret+`"}`)
		w.put(t, "secret/invitation", `{"code":"`+code+`"}`)
	}
	manager(testSecret+"-old", oldCode)
	w.must(t, "plan", "-out=saved.tfplan")
	manager(testSecret, newCode)
	w.must(t, "apply", "saved.tfplan")
	if got := w.Ledger().Submissions[0].Channels[0].Fields["code"]; got != newCode {
		t.Errorf("sent the code %q, want that of the apply", got)
	}
	w.sent(t, "")
	manager(testSecret, oldCode)
	w.settled(t)
	w.sent(t)
	for name, content := range searchable(t, w.dir) {
		if !strings.HasPrefix(name, "secret") && (strings.Contains(string(content), testSecret) ||
			strings.Contains(string(content), "-code")) {
			t.Errorf("a secret is in %s", name)
		}
	}
}

// useResource has the example of the resource as the configuration.
func (w *workspace) useResource(t *testing.T) {
	t.Helper()
	text := examples(t)[resourceExample]
	skipBelow(t, text)
	w.put(t, "main.tf", text)
}

func importBlock(t *testing.T, w *workspace, text string) {
	w.useResource(t)
	if !hasVersion(t, "1.5") {
		skip(t, "needs Terraform 1.5")
	}
	w.put(t, "import.tf", text)
	w.apply(t)
	w.apply(t)
	w.sent(t)
	if ids := w.ids(t); ids[""] != importedID {
		t.Errorf("the ids are %v", ids)
	}
}

func importCommand(t *testing.T, w *workspace, text string) {
	w.useResource(t)
	w.mustScript(t, text)
	w.apply(t)
	w.sent(t)
	if ids := w.ids(t); ids[""] != importedID {
		t.Errorf("the ids are %v", ids)
	}
}

// With placeholders for the settings, an import, the apply after it and a destroy work. What would be
// sent is not, and does not look sent.
func withoutCredentials(t *testing.T, w *workspace, text string) {
	w.useResource(t)
	w.setenv("HTTPS_PROXY", "http://127.0.0.1:1") // or the name would be looked up
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
		t.Errorf("the state holds %v", ids)
	}
	w.sent(t)
}

func studiesExample(t *testing.T, w *workspace, _ string) {
	if out := w.apply(t); !regexp.MustCompile(`(?m)^phase = "?3"?$`).MatchString(out) {
		t.Errorf("the phase is not that of the emulator's study\n%s", out)
	}
}

// The token works, and is in no file of the run.
func tokenExample(t *testing.T, w *workspace, _ string) {
	w.setenv("TF_VAR_export_url", w.getenv("NOTIFICATION_BASE_URL")+"/studies/v1?name=ATLAS")
	w.apply(t)
	files := searchable(t, w.dir)
	if got := string(files["export.json"]); !strings.Contains(got, "ATLAS") {
		t.Errorf("the call with the token gave %q", got)
	}
	for name, content := range files {
		if strings.Contains(string(content), "emu_") {
			t.Errorf("the token is in %s", name)
		}
	}
}

// Each release is announced; -invoke announces one again, and a destroy nothing.
func actionExample(t *testing.T, w *workspace, text string) {
	w.needsActions(t, text)
	w.apply(t)
	w.apply(t, "-var=release=1.4.3")
	w.apply(t, "-invoke=action.notification_send.deployed")
	w.must(t, "destroy")
	w.sent(t, "checkout 1.4.2 is live", "checkout 1.4.3 is live", "checkout 1.4.2 is live")
}

// The destroy is announced, and not the creation.
func destroyActionExample(t *testing.T, w *workspace, text string) {
	w.needsActions(t, text)
	w.apply(t)
	w.sent(t)
	w.must(t, "destroy")
	w.sent(t, "review-42 is gone")
}

// needsActions skips the test where there are none. A constraint refuses prereleases.
func (w *workspace) needsActions(t *testing.T, text string) {
	t.Helper()
	if !hasActions(t) {
		t.Skip("needs Terraform 1.14")
	}
	w.put(t, "main.tf", requiredVersion.ReplaceAllString(text, ""))
}

// Each run is announced once, also where the state is kept.
func announceExample(t *testing.T, w *workspace, _ string) {
	w.setenv("TF_VAR_subject", "The pipeline failed")
	for _, run := range []string{"1", "1", "2"} {
		w.setenv("TF_VAR_run", run)
		w.apply(t)
	}
	w.sent(t, "The pipeline failed", "The pipeline failed")
}

// checkRecipients fails the test if a channel of a configuration has no recipient after its type.
func checkRecipients(t *testing.T, text string) {
	t.Helper()
	channelStart := regexp.MustCompile(`\btype\s+= "\w+",?\s+(\w+)`)
	for _, match := range channelStart.FindAllStringSubmatch(text, -1) {
		if match[1] != "recipient" {
			t.Errorf("a channel without recipient: %s", match[0])
		}
	}
}

// checkSources fails the test unless a configuration says where the provider comes from, and in
// which version.
func checkSources(t *testing.T, text string) {
	t.Helper()
	source := regexp.MustCompile(`source\s*=\s*"([^"]*/notification)"\n\s*version\s*= "~> \d+\.\d+"\n`)
	var sources []string
	for _, match := range source.FindAllStringSubmatch(text, -1) {
		sources = append(sources, match[1])
	}
	if !slices.Equal(sources, []string{provider.Source}) {
		t.Errorf("the sources of the provider are %q:\n%s", sources, text)
	}
}
