//go:build unix

package acceptance

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const moduleREADME = "examples/modules/announcement/README.md"
const resourceExample = "resources/notification_notification/resource.tf"

// newExample puts an example, as main.tf, into a new workspace. needs is as in a block of a page.
func newExample(t *testing.T, needs, path string) *workspace {
	t.Helper()
	skipWithout(t, needs)
	w := newWorkspace(t, nil)
	w.setenv("TF_VAR_release", "v1.4.2")
	w.put(t, "main.tf", exampleText(t, path))
	return w
}

func exampleText(t *testing.T, path string) string {
	t.Helper()
	return fileText(t, repository, "examples", path)
}

// The release that was imported is not sent; the next one is, although nothing was applied between.
func TestExampleImport(t *testing.T) {
	t.Parallel()
	for path, do := range map[string]func(w *workspace, text string){
		"resources/notification_notification/import-by-string-id.tf": func(w *workspace, text string) {
			w.put(t, "import.tf", text)
		},
		"resources/notification_notification/import.sh": func(w *workspace, text string) {
			w.mustScript(t, text)
		},
	} {
		w := newExample(t, "1.6", resourceExample) // has expressions as the id of a block
		w.keepProvider(t)
		do(w, exampleText(t, path))
		if out := w.must(t, "plan"); strings.Contains(out, "not sent by itself") {
			t.Errorf("%s: %s", path, out)
		}
		w.sent(t)
		w.apply(t, "-var=release=v1.4.3")
		w.sent(t, "checkout v1.4.3 is live")
	}
}

// With placeholders for the settings, an import, the apply after it and a destroy work. A
// notification that would be sent is neither sent nor stored.
func TestExampleWithoutCredentials(t *testing.T) {
	t.Parallel()
	w := newExample(t, "1.4", resourceExample)
	w.setenv("HTTPS_PROXY", "http://127.0.0.1:1") // avoids a DNS lookup of the placeholder
	w.setenv("NOTIFICATION_CHECK_CREDENTIALS", "true")
	w.setenv("NOTIFICATION_MAX_RETRIES", "0")
	const placeholders = `
		export NOTIFICATION_AUTH_URL=https://unused.invalid NOTIFICATION_BASE_URL=https://unused.invalid
		export NOTIFICATION_CLIENT_ID=placeholder NOTIFICATION_CLIENT_SECRET=placeholder
		`
	w.mustScript(t, placeholders+`
		terraform import notification_notification.deployed unknown
		terraform apply -auto-approve
		terraform destroy -refresh=false -auto-approve -var=release=2`)
	out, status := w.script(t, placeholders+
		"NOTIFICATION_CHECK_CREDENTIALS=false terraform apply -auto-approve")
	if ids := w.ids(t); status != 1 || len(ids) > 0 {
		t.Errorf("exit status %d, the state has %v\n%s", status, ids, out)
	}
	w.sent(t)
}

// A lookup that finds nothing, or a study without a phase, fails the plan, which would otherwise
// announce something else.
func TestExampleStudies(t *testing.T) {
	t.Parallel()
	w := newExample(t, "1.2", "data-sources/notification_studies/data-source.tf")
	w.keepProvider(t)
	w.apply(t)
	w.sent(t, "ATLAS is in phase 3")
	for _, edit := range [][]string{
		{`name = "ATLAS"`, `name = "none"`},
		{`name = "none"`, `name = "ATLAS"`, "study.phase", "study.sponsor"}, // which is null
	} {
		w.edit(t, edit...)
		if out, status := w.terraform(t, "plan"); status != 1 ||
			!strings.Contains(out, "each must have a phase") {
			t.Errorf("%s: exit status %d\n%s", edit, status, out)
		}
	}
}

// Each release is announced; -invoke announces one again, and a destroy nothing.
func TestExampleAction(t *testing.T) {
	t.Parallel()
	if !hasActions(t) {
		t.Skip("needs Terraform 1.14")
	}
	w := newExample(t, "", "actions/notification_send/action.tf")
	w.keepProvider(t)
	w.edit(t, "required_version", "# required_version") // which rejects prereleases and 1.16
	w.apply(t)
	w.apply(t, "-var=release=v1.4.3")
	w.apply(t, "-invoke=action.notification_send.deployed")
	w.must(t, "destroy")
	w.sent(t, "checkout v1.4.2 is live", "checkout v1.4.3 is live", "checkout v1.4.2 is live")
}

// The destroy is announced, but not the creation.
func TestExampleDestroyAction(t *testing.T) {
	t.Parallel()
	if !hasActions(t) || !hasVersion(t, "1.16") { // events of a destroy; the newest may lack them
		t.Skip("needs Terraform 1.16")
	}
	w := newExample(t, "", "actions/notification_send/destroy.tf")
	w.keepProvider(t)
	w.edit(t, "required_version", "# required_version") // which rejects prereleases
	w.apply(t)
	w.sent(t)
	w.must(t, "destroy")
	w.sent(t, "review-42 is gone")
}

// Each run is announced once, even if the state is kept.
func TestExampleAnnounce(t *testing.T) {
	t.Parallel()
	w := newExample(t, "", "pipelines/announce/main.tf")
	w.keepProvider(t)
	w.setenv("TF_VAR_subject", "The pipeline failed")
	for _, run := range []string{"1", "1", "2"} {
		w.setenv("TF_VAR_run", run)
		w.apply(t)
	}
	w.sent(t, "The pipeline failed", "The pipeline failed")
}

// An environment that is first retired can be removed without an error.
func TestExampleEnvironments(t *testing.T) {
	t.Parallel()
	if terraformVersion.program != "OpenTofu" {
		t.Skip("needs OpenTofu")
	}
	w := newExample(t, "1.9", "environments/main.tf")
	const environment = `{"auth_url":%q,"base_url":%[1]q,"client_id":"id","retired":%t}`
	active, retired := fmt.Sprintf(environment, w.url, false), fmt.Sprintf(environment, w.url, true)
	w.setenv("TF_VAR_client_secrets", `{"staging":"`+testSecret+`","production":"`+testSecret+`"}`)
	w.setenv("TF_VAR_environments", `{"staging":`+active+`,"production":`+active+`}`)
	w.apply(t)
	w.sent(t, "checkout v1.4.2 is live in staging", "checkout v1.4.2 is live in production")
	w.setenv("TF_VAR_environments", `{"staging":`+retired+`,"production":`+active+`}`)
	w.apply(t)
	w.setenv("TF_VAR_environments", `{"production":`+active+`}`)
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
	w.copyExamples(t, "modules/announcement", ".")
	w.must(t, "get", "-test-directory=tests/emulator")
	w.mustScript(t, "notification-emulator exec -expect 2 -- "+
		"terraform test -test-directory=tests/emulator")
	w.setenv("NOTIFICATION_AUTH_URL", "") // with mocks, no setting is needed and nothing is sent
	w.keepProvider(t)
	w.must(t, "test")
	w.sent(t)
}

// The README's example announces each release once, and nothing when it is destroyed.
func TestModuleAnnouncesEachRelease(t *testing.T) {
	t.Parallel()
	skipWithout(t, "1.2")
	w := newWorkspace(t, nil)
	w.keepProvider(t)
	w.copyExamples(t, "modules/announcement", "announcement")
	w.setenv("TF_VAR_release", "v1.4.2")
	w.put(t, "main.tf", codeBlocks(t, moduleREADME)[0].text)
	w.must(t, "get")
	w.apply(t)
	w.settled(t)
	w.sent(t, "checkout v1.4.2 is live in production")
	w.apply(t, "-var=release=v1.4.3")
	w.must(t, "destroy")
	w.sent(t, "checkout v1.4.3 is live in production")
}

// The README's services are adopted as they are live; then one has a new release, another a new name.
func TestModuleOfManyServices(t *testing.T) {
	t.Parallel()
	skipWithout(t, "1.7") // has import blocks with for_each
	w := newWorkspace(t, nil)
	w.keepProvider(t)
	w.copyExamples(t, "modules/announcement", "announcement")
	blocks := codeBlocks(t, moduleREADME)
	w.write(t, blocks[1].text)
	w.put(t, "releases.yaml", "checkout: v1.4.2\nsearch: v2.0.0\n")
	w.put(t, "adopt.tf", blocks[2].text)
	w.must(t, "get")
	if out := w.apply(t); strings.Contains(out, "not sent by itself") {
		t.Error(out)
	}
	w.sent(t)
	w.put(t, "adopt.tf", blocks[3].text)
	w.put(t, "releases.yaml", "checkout: v1.4.3\nfind: v2.0.0\n")
	w.apply(t)
	w.sent(t, "checkout v1.4.3 is live in production")
}
