//go:build unix

package acceptance

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
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

// exampleTests has a test for every file below examples/, but for the demo, which is applied as
// `make demo` does, and the module, which has its own.
var exampleTests = map[string]func(t *testing.T, path string){
	"provider/provider.tf":                          providerExample,
	"environments/main.tf":                          environmentsExample,
	"secrets-manager/main.tf":                       secretsManagerExample,
	resourceExample:                                 appliedOnce,
	importBlockExample:                              importBlock,
	"resources/notification_notification/import.sh": importCommand,
	"resources/notification_notification/without-credentials.sh":          withoutCredentials,
	"data-sources/notification_studies/data-source.tf":                    studiesExample,
	"ephemeral-resources/notification_access_token/ephemeral-resource.tf": tokenExample,
	"actions/notification_send/action.tf":                                 actionExample,
	"actions/notification_send/destroy.tf":                                destroyActionExample,
	"pipelines/github-actions.yml": pipeline(
		pipelineJob{"deploy", isLive}, pipelineJob{"announce-failure", "subject of the job"}),
	"pipelines/github-approval.yml": pipeline(
		pipelineJob{"plan", ""}, pipelineJob{"deploy", isLive}),
	"pipelines/github-destroy.yml":  destroyJob,
	"pipelines/github-emulator.yml": emulatorJob,
	"pipelines/gitlab-ci.yml": pipeline(
		pipelineJob{"deploy", isLive}, pipelineJob{"announce-failure", "subject of the job"}),
	"pipelines/gitlab-approval.yml": pipeline(
		pipelineJob{"plan", ""}, pipelineJob{"deploy", isLive}),
	"pipelines/atlantis.yml":        failureHook("COMMAND_HAS_ERRORS", "true"),
	"pipelines/spacelift.yml":       failureHook("TF_VAR_spacelift_final_run_state", "FAILED"),
	"containers/github-actions.yml": besideEmulator("127.0.0.1"),
	"containers/gitlab-ci.yml":      besideEmulator("emulator"),
	"containers/compose.yaml":       besideEmulator("emulator"),
	"terragrunt/root.hcl":           terragruntExample,
	terragruntUnit:                  nil, // the test of root.hcl applies it
	announceExample:                 announceConfiguration,
	mirrorConfig:                    nil, // all jobs run with it
}

const isLive = "checkout 2.0.0 is live"

func TestExamples(t *testing.T) {
	t.Parallel()
	found := examples(t)
	for path := range exampleTests {
		if _, ok := found[path]; !ok {
			t.Errorf("examples/%s is tested but not there", path)
		}
	}
	for path, text := range found {
		check, ok := exampleTests[path]
		if !ok {
			t.Errorf("examples/%s has no test", path)
		}
		if check == nil {
			continue
		}
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			if filepath.Ext(path) == ".tf" {
				checkRecipients(t, text)
				if path != importBlockExample {
					checkSources(t, text)
				}
			}
			check(t, path)
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

// newExample is a workspace with that example in it; the test is skipped where the example asks for
// a newer Terraform.
func newExample(t *testing.T, path string, change func(*emulator.Config)) *workspace {
	t.Helper()
	text := examples(t)[path]
	skipBelow(t, text)
	w := newWorkspace(t, change)
	w.put(t, "main.tf", text)
	return w
}

func appliedOnce(t *testing.T, path string) { newExample(t, path, nil).appliedOnce(t, 1) }

// appliedOnce applies the configuration, which has to send so many notifications and to be settled.
func (w *workspace) appliedOnce(t *testing.T, want int) {
	t.Helper()
	w.apply(t)
	w.settled(t, "an apply")
	if got := w.Ledger().SubmissionRequests; got != want {
		t.Errorf("%d notifications were submitted, want %d", got, want)
	}
}

// The provider example is applied with its addresses replaced by the emulator's.
func providerExample(t *testing.T, path string) {
	w := newExample(t, path, func(c *emulator.Config) {
		c.Systems = []string{"trials"}
		c.Scopes = []string{"notifications.write", "notifications.read"}
	})
	w.must(t, "validate")
	url := w.getenv("NOTIFICATION_BASE_URL")
	w.setenv("NOTIFICATION_AUTH_URL", "")
	w.setenv("NOTIFICATION_BASE_URL", "")
	addresses := strings.NewReplacer(
		"https://auth.example.com", url, "https://api.example.com", url)
	text := addresses.Replace(examples(t)[path])
	w.put(t, "main.tf", text+many(1, "one", "1"))
	w.appliedOnce(t, 1)
	if got := w.Ledger().Requests[0].Form.Scope; got != "notifications.read notifications.write" {
		t.Errorf("asked for the scopes %q", got)
	}
}

// Without depends_on the announcement of a failing deployment is sent; that is what all the
// examples warn of.
func TestAnnouncementOfFailingDeployment(t *testing.T) {
	t.Parallel()
	for without, want := range map[string]int{"": 0, "  depends_on = [terraform_data.checkout]": 1} {
		t.Run("without "+without, func(t *testing.T) {
			t.Parallel()
			w := newExample(t, resourceExample, nil)
			const deploys = "  input = var.release\n"
			text := examples(t)[resourceExample]
			if !strings.Contains(text, deploys) || !strings.Contains(text, without) {
				t.Fatal("the example is not what this test changes")
			}
			text = strings.Replace(text, without, "", 1)
			text = strings.Replace(text, deploys,
				"  provisioner \"local-exec\" {\n    command = \"exit 1\"\n  }\n", 1)
			w.put(t, "main.tf", text)
			if out, status := w.tryApply(t); status != 1 {
				t.Errorf("exit status %d\n%s", status, out)
			}
			if got := len(w.Ledger().Submissions); got != want {
				t.Errorf("%d submissions, want %d", got, want)
			}
		})
	}
}

func importBlock(t *testing.T, path string) {
	w := newExample(t, resourceExample, nil)
	if !hasVersion(t, "1.5") {
		skip(t, "needs Terraform 1.5")
	}
	w.put(t, "import.tf", examples(t)[path])
	w.adopts(t, func() { w.apply(t) })
}

func importCommand(t *testing.T, path string) {
	w := newExample(t, resourceExample, nil)
	w.adopts(t, func() { w.mustScript(t, examples(t)[path]) })
}

// With placeholders for the settings, an import, the apply after it and a destroy work. What would be
// sent is not, and does not look sent.
func withoutCredentials(t *testing.T, path string) {
	w := newExample(t, resourceExample, nil)
	w.setenv("HTTPS_PROXY", "http://127.0.0.1:1") // or the name would be looked up
	w.setenv("NOTIFICATION_CHECK_CREDENTIALS", "true")
	w.setenv("NOTIFICATION_MAX_RETRIES", "0")
	text := examples(t)[path]
	placeholders, _, found := strings.Cut(text, "terraform import")
	if !found {
		t.Fatalf("imports nothing:\n%s", text)
	}
	w.mustScript(t, text)
	w.mustScript(t, placeholders+"terraform apply -auto-approve")
	w.mustScript(t, placeholders+"terraform destroy -refresh=false -auto-approve -var=release=2")
	for check, want := range map[string]string{"true": "Nothing was sent: ", "false": "Not submitted: "} {
		out, status := w.script(t, placeholders+
			"NOTIFICATION_CHECK_CREDENTIALS="+check+" terraform apply -auto-approve")
		if status != 1 || !strings.Contains(words(out), want) {
			t.Errorf("check_credentials = %s: exit status %d\n%s", check, status, out)
		}
	}
	if left := w.must(t, "state", "list"); strings.Contains(left, "notification_notification") {
		t.Errorf("the state holds %s", left)
	}
	w.silent(t, "placeholders")
}

// adopts runs an import, which neither sends by itself nor makes a later apply send.
func (w *workspace) adopts(t *testing.T, run func()) {
	t.Helper()
	run()
	w.apply(t)
	w.silent(t, "import")
	if got := strings.TrimSpace(w.must(t, "output", "notification_id")); got != `"`+importedID+`"` {
		t.Errorf("the id is %s", got)
	}
}

func studiesExample(t *testing.T, path string) {
	w := newExample(t, path, nil)
	w.appliedOnce(t, 0)
	if got := strings.TrimSpace(w.must(t, "output", "phase")); got != "3" {
		t.Errorf("the phase is %s, want that of the emulator's study", got)
	}
}

// The token works, and is in no file of the run.
func tokenExample(t *testing.T, path string) {
	w := newExample(t, path, nil)
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

var (
	sourceLine  = regexp.MustCompile(`source\s*=\s*"([^"]*/notification)"`)
	versionLine = regexp.MustCompile(`\n      version = "~> (\d+)\.\d+"\n`)
)

var channelStart = regexp.MustCompile(`\btype\s+= "\w+",?\s+(\w+)`)

// checkRecipients fails the test if a channel of a configuration has no recipient after its type.
func checkRecipients(t *testing.T, text string) {
	t.Helper()
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
	matches := sourceLine.FindAllStringSubmatch(text, -1)
	if len(matches) != 1 {
		t.Errorf("%d sources of the provider, want one:\n%s", len(matches), text)
	}
	for _, match := range matches {
		if match[1] != provider.Source {
			t.Errorf("the source is %q, want %q", match[1], provider.Source)
		}
	}
	if !versionLine.MatchString(text) {
		t.Errorf("the provider has no version constraint:\n%s", text)
	}
}
