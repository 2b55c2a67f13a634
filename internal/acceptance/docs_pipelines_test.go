//go:build unix

package acceptance

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/notification/terraform-provider-notification/internal/emulator"
	"github.com/notification/terraform-provider-notification/internal/emulator/emulatortest"
	"github.com/notification/terraform-provider-notification/internal/provider"
)

// readPipelines finds the shell blocks of GitHub's and GitLab's jobs and of containers, and which
// shell runs them. GitLab's has pipefail, GitHub's only in a step that asks for bash.
const readPipelines = `
output "files" {
  value = { for path in fileset("examples", "**/*.{yml,yaml}") : path => merge([
    for file in [yamldecode(file("examples/${path}"))] : {
      for name, job in try(file.jobs, file.services, file) : name => {
        when = try(job.if, job.when, "")
        env = merge(try(file.env, {}), try(file.workflow.rules[0].variables, {}), try(job.env, {}),
          try(job.variables, {}), try(merge(job.environment), {}),
        [for step in try(job.steps, []) : try(step.env, {})]...)
        steps = try(
          [for step in job.steps : {
            if    = try(step.if, "")
            dir   = try(file.defaults.run["working-directory"], "")
            shell = try(step.shell, "") == "bash" ? "bash -eo pipefail -c" : "bash -ec"
            run   = step.run
          } if can(step.run)],
          [{ shell = "bash -eo pipefail -c", run = join("\n", job.script) }],
          [{ shell = join(" ", job.entrypoint), run = "cd ${job.working_dir}\n${job.command[0]}" }],
        [])
      }
    }
  ]...) }
}
`

type job struct {
	When  string
	Env   map[string]string
	Steps []step
}

// The shell blocks of the examples work as they stand, each job in a fresh clone, and so does the
// import after a first release that was killed before it had a state. Whichever of their programs
// fails, they fail safe, and no announcement of a failure changes the state of the deployment. Only
// the runner can show the rest: conditions, except that the failure jobs have one, as well as
// approvals, artifacts and the actions that a workflow uses.
func TestScriptsFailSafe(t *testing.T) {
	t.Parallel()
	skipWithout(t, "1.4") // has `workspace select -or-create`
	skipWithout(t, "curl")
	skipWithout(t, "jq")
	w := newWorkspace(t, nil)
	w.copyExamples(t, ".", "examples")
	w.put(t, "main.tf", readPipelines)
	w.apply(t)
	var files map[string]map[string]job
	read(t, w.must(t, "output", "-json", "files"), &files)

	const live, tested = "checkout 1.4.2 is live", "checkout 2.0.0 is live"
	const failing, failed = "announce-failure", "The pipeline for checkout 1.4.2 failed: URL"
	const drifted = "checkout has drifted, or its announcement is pending: URL"
	type sends struct{ job, subject string }
	tests := map[string][]sends{
		"containers/compose.yaml":           {{"terraform", tested}},
		"containers/github-actions.yml":     {{"test", tested}},
		"containers/gitlab-ci.yml":          {{"test", tested}},
		"pipelines/github-actions.yml":      {{"deploy", live}, {failing, failed}},
		"pipelines/github-approval.yml":     {{"plan", ""}, {"deploy", live}, {failing, failed}},
		"pipelines/github-destroy.yml":      {{"destroy", ""}, {"announce", "checkout was destroyed"}},
		"pipelines/github-drift.yml":        {{"drift", drifted}},
		"pipelines/github-emulator.yml":     {{"announcement", ""}}, // has an emulator of its own
		"pipelines/github-environments.yml": {{"deploy", live}},
		"pipelines/github-services.yml":     {{"deploy", live}},
		"pipelines/gitlab-approval.yml":     {{"plan", ""}, {"deploy", live}, {failing, failed}},
		"pipelines/gitlab-ci.yml":           {{"deploy", live}, {failing, failed}},
	}
	for file := range files {
		if tests[file] == nil {
			t.Errorf("%s has no test", file)
		}
	}
	for file, jobs := range tests {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			w := newRunner(t)
			if strings.HasSuffix(file, "-destroy.yml") || strings.HasSuffix(file, "-drift.yml") {
				w.deployAnother(t)
			}
			for _, one := range jobs {
				j := files[file][one.job]
				after := []string{"always() && needs.deploy.result != 'success'", "on_failure"}
				if one.job == failing && !slices.Contains(after, j.When) {
					t.Errorf("%s does not run after a failure", one.job)
				}
				state := w.remoteState()
				w.runJob(t, one.job, j, one.subject)
				if w.remoteState() != state &&
					!slices.Contains([]string{"plan", "deploy", "destroy"}, one.job) {
					t.Errorf("%s changed the state of the deployment", one.job)
				}
			}
			if first := files[file][jobs[0].job]; strings.Contains(fmt.Sprint(first), "IMPORT") {
				w := newRunner(t)
				w.setenv("IMPORT", "notification_notification.deployed unknown")
				w.runJob(t, "import", first, "")
			}
		})
	}
}

// newRunner returns a workspace in which jobs run, with the state in an http backend.
func newRunner(t *testing.T) *workspace {
	t.Helper()
	w := newWorkspace(t, nil)
	w.env = slices.DeleteFunc(w.env, func(s string) bool { return strings.HasPrefix(s, "TF_VAR_") })
	w.useMirror(t)
	w.useRemoteState(t)
	for name, path := range map[string]string{
		"CI_PROJECT_DIR": "clone", "TF_DATA_DIR": "clone/.data", "RUNNER_TEMP": "runner",
		"GITHUB_STEP_SUMMARY": "runner/summary", "GITHUB_ENV": "runner/env", "GITHUB_PATH": "runner/path",
	} {
		w.setenv(name, filepath.Join(w.dir, path))
	}
	return w
}

// deployAnother deploys and announces the release with another subject.
func (w *workspace) deployAnother(t *testing.T) {
	t.Helper()
	w.clone(t, "", "http")
	clone := &workspace{dir: filepath.Join(w.dir, "clone"), env: w.env}
	clone.keepProvider(t)
	clone.edit(t, "is live", "is here")
	clone.must(t, "init")
	clone.apply(t, "-var=release=1.4.2")
	w.sent(t, "checkout 1.4.2 is here")
}

// clone puts the files of a repository into a folder below clone, with the saved plan of an earlier
// job, if there is one.
func (w *workspace) clone(t *testing.T, dir, backend string) {
	t.Helper()
	dir = path.Join("clone", dir)
	plan, noPlan := os.ReadFile(filepath.Join(w.dir, dir, "release.tfplan"))
	for _, folder := range []string{"clone", "runner"} {
		if err := os.RemoveAll(filepath.Join(w.dir, folder)); err != nil {
			t.Fatal(err)
		}
	}
	w.put(t, "runner/env", "")
	w.put(t, dir+"/main.tf", exampleText(t, resourceExample)+fmt.Sprintf(`
terraform {
  backend %q {}
}
output "release" {
  value = var.release
}
`, backend))
	w.put(t, dir+"/announce/main.tf", exampleText(t, "pipelines/announce/main.tf"))
	// The script itself, which takes six Terraforms, has a test of its own.
	w.put(t, dir+"/import.sh", `terraform import -input=false "${1% *}" "${1#* }"`)
	if noPlan == nil {
		w.put(t, dir+"/release.tfplan", string(plan))
	}
}

// runJob runs the shell blocks of a job in a new clone. An if is that of an import.
func (w *workspace) runJob(t *testing.T, name string, j job, subject string) {
	t.Helper()
	if len(j.Steps) == 0 {
		t.Fatal(name, "is missing")
	}
	backend := "http"
	if strings.Contains(fmt.Sprint(j), "terraform workspace") {
		backend = "local" // http has none
	}
	w.clone(t, j.Steps[0].Dir, backend)
	if j.Steps[0].Dir != "" { // of a job without TF_VAR_release
		w.put(t, path.Join("clone", j.Steps[0].Dir, "x.auto.tfvars"), `release = "1.4.2"`)
	}
	address := strings.TrimPrefix(w.url, "http://")
	ownEmulator := strings.Contains(fmt.Sprint(j), "notification-emulator serve")
	if ownEmulator {
		address = freeAddress(t)
	}
	values := strings.NewReplacer("${{ matrix.environment }}", "staging", "$CI_PIPELINE_URL", "URL",
		"${{ inputs.release || github.ref_name }}", "1.4.2", "$CI_COMMIT_TAG", "1.4.2",
		"$TF_VAR_release", "1.4.2", "${{ github.run_id }}", "1", "$CI_JOB_ID", "1",
		"${{ github.server_url }}/${{ github.repository }}/actions/runs/${{ github.run_id }}", "URL",
		"127.0.0.1:8080", address, "emulator:8080", address, "-wait 10s", "-wait 1s",
		"/checkout/", filepath.Join(w.dir, "clone")+"/", "cd /copy", "cd ../runner",
		"mktemp -d", "mktemp -d -p "+w.dir)
	run := &workspace{Emulator: w.Emulator, dir: w.dir}
	for name, value := range j.Env {
		run.setenv(name, values.Replace(value))
	}
	run.env = append(run.env, w.env...) // later, and so instead of ${{ vars.NOTIFICATION_AUTH_URL }}
	if !ownEmulator {
		run.keepProvider(t)
	}
	var steps []step
	imports := strings.Contains(fmt.Sprint(w.env), "IMPORT=")
	for _, s := range j.Steps {
		if s.If == "" || imports {
			s.Run = values.Replace(s.Run)
			steps = append(steps, s)
		}
	}
	var subjects []string
	if subject != "" {
		subjects = []string{subject}
	}
	run.failSafe(t, name, steps, subjects...)
	if text, _ := os.ReadFile(filepath.Join(w.dir, "runner/summary")); strings.Contains(
		fmt.Sprint(j), "SUMMARY") && string(text) != []string{
		"0 announcements\n",
		"1 announcements\n- notification_notification.deployed\n",
	}[len(subjects)] {
		t.Errorf("the summary of %s is %q", name, text)
	}
}

// freeAddress returns an address on which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }() // a port that stays in use fails the test
	return listener.Addr().String()
}

// import.sh records both announcements of a first release, which was killed before it had a state,
// and those of the next one, for which the older ones make way. The module's postcondition holds
// after the first of two imports.
func TestScriptsFailSafe_import(t *testing.T) {
	t.Parallel()
	skipWithout(t, "1.2")
	skipWithout(t, "jq")
	w := newRunner(t)
	for _, name := range []string{"main.tf", "outputs.tf", "variables.tf"} {
		w.put(t, "clone/announcement/"+name, exampleText(t, "modules/announcement/"+name))
	}
	w.put(t, "clone/main.tf", required+`
terraform {
  backend "http" {}
}
variable "release" {
  type = string
}
module "announcement" {
  for_each    = { search = "search", "data platform" = "data" }
  source      = "./announcement"
  environment = "production"
  service     = each.value
  release     = var.release
  recipients  = { slack = ["C024BE91L"] }
}
`)
	// Without `set -f`, this file's name takes the place of the first address.
	w.put(t, "clone/module.announcements.notification_notification.this", "")
	w.keepProvider(t)
	steps := []step{
		{Shell: "sh -c", Run: `set -- 'module.announcement["search"].notification_notification.this 42 ` +
			`module.announcement["data platform"].notification_notification.this unknown'` + "\n" +
			exampleText(t, "pipelines/import.sh")},
		{Shell: "sh -c", Run: "exec terraform apply -input=false import.tfplan"},
	}
	(&workspace{dir: filepath.Join(w.dir, "clone"), env: w.env}).must(t, "init")
	w.setenv("TF_VAR_release", "1.4.1")
	out, status := w.run(t, steps, 0, nil, "RECORDS="+t.TempDir(), "RUN="+t.TempDir())
	if status != 0 {
		t.Fatalf("exit status %d: %s", status, out)
	}
	w.sent(t)
	w.setenv("TF_VAR_release", "1.4.2")
	w.failSafe(t, "import.sh", steps)
	if state := w.remoteState(); strings.Count(state, `"release": "1.4.2"`) != 2 {
		t.Errorf("the state does not have both: %s", state)
	}
	// An address that only the state has would be sent under its new name.
	w.put(t, "clone/main.tf", strings.Replace(fileText(t, w.dir, "clone/main.tf"), "{ search", "{ new", 1))
	out, status = w.run(t, steps[:1], 0, nil, "RECORDS="+t.TempDir(), "RUN="+t.TempDir())
	if status != 1 || !strings.Contains(out, "The configuration has no notification") {
		t.Errorf("a renamed one: exit status %d: %s", status, out)
	}
}

// The workflow's check passes if the announcement arrived once, the container's if anything did.
func TestExampleEmulatorChecks(t *testing.T) {
	t.Parallel()
	skipWithout(t, "curl")
	w := newExample(t, "jq", resourceExample)
	w.setenv("NOTIFICATION_EMULATOR_URL", w.url)
	w.keepProvider(t)
	_, once, _ := strings.Cut(exampleText(t, "pipelines/github-emulator.yml"),
		"Check what arrived\n        run: |\n")
	_, some, _ := strings.Cut(exampleText(t, "containers/github-actions.yml"), "- run: |\n")
	check := func(what string, wantOnce, wantSome int) {
		t.Helper()
		out, gotOnce := w.script(t, once)
		more, gotSome := w.script(t, some)
		if gotOnce != wantOnce || gotSome != wantSome {
			t.Errorf("%s: exit status %d and %d\n%s%s", what, gotOnce, gotSome, out, more)
		}
	}
	check("nothing has arrived", 1, 1)
	w.apply(t)
	check("it has arrived", 0, 0)
	w.setenv("TF_VAR_release", "v1.4.3")
	check("another release has arrived", 1, 0)
	w.setenv("TF_VAR_release", "v1.4.2")
	w.apply(t, "-replace=notification_notification.deployed")
	check("it has arrived twice", 1, 0)
}

// The emulator accepts the faults that the examples name.
func TestExampleFaults(t *testing.T) {
	t.Parallel()
	e, _ := emulatortest.New(t, emulator.Config{})
	t.Cleanup(e.Close)
	named, found := regexp.MustCompile(`-fault[\s"',=]+(\w+)=([^\s"']+)`), 0
	examples := os.DirFS(filepath.Join(repository, "examples"))
	err := fs.WalkDir(examples, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		for _, fault := range named.FindAllStringSubmatch(exampleText(t, path), -1) {
			found++
			if err := e.SetFaults(emulator.Faults{fault[1]: fault[2]}); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		return nil
	})
	if err != nil || found == 0 {
		t.Errorf("found %d faults, %v", found, err)
	}
}

// mirror returns a CLI configuration with which `terraform init` installs the provider under test
// from a mirror, in a version that the examples allow.
var mirror = sync.OnceValues(func() (config string, err error) {
	example, err := os.ReadFile(filepath.Join(repository, "examples/pipelines/announce/main.tf"))
	_, version, _ := strings.Cut(string(example), "~> ")
	version, _, _ = strings.Cut(version, `"`)
	version += ".999"
	dir := filepath.Dir(cliConfig)
	for _, host := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		folder := filepath.Join(dir, "mirror", host, provider.Source, version,
			runtime.GOOS+"_"+runtime.GOARCH)
		err = errors.Join(err, os.MkdirAll(folder, 0o700),
			link(filepath.Join(dir, "terraform-provider-notification"),
				filepath.Join(folder, "terraform-provider-notification_v"+version)))
	}
	config = filepath.Join(dir, "mirror.tfrc")
	return config, errors.Join(err, os.WriteFile(config, fmt.Appendf(nil,
		"provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n",
		filepath.Join(dir, "mirror")), 0o600))
})

// useMirror makes `terraform init` install the provider under test, which Terraform then starts as
// it does for users.
func (w *workspace) useMirror(t *testing.T) {
	t.Helper()
	config, err := mirror()
	if err != nil {
		t.Fatal(err)
	}
	w.setenv("TF_CLI_CONFIG_FILE", config)
	w.setenv("TF_DISABLE_PLUGIN_TLS", "")
}
