//go:build unix

package acceptance

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/notification/terraform-provider-notification/internal/provider"
)

// readPipelines finds the shell blocks of GitHub's and GitLab's jobs and of containers, and which
// shell runs them. GitLab's has pipefail, GitHub's only in a step that asks for bash.
const readPipelines = `
output "files" {
  value = { for path in fileset("examples", "**/*.{yml,yaml}") : path => merge([
    for file in [yamldecode(file("examples/${path}"))] : {
      for name, job in try(file.jobs, file.services, file) : name => {
        when  = try(job.if, job.rules[1].when, "")
        needs = try(tostring(job.needs), "")
        group = try(file.concurrency, job.resource_group, "")
        env = merge(try(file.env, file.variables, {}), try(file.workflow.rules[0].variables, {}),
          try(job.env, {}), try(job.variables, {}), try(merge(job.environment), {}),
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
	When, Needs, Group string
	Env                map[string]string
	Steps              []step
}

// The shell blocks of the examples work as they stand, each job in a fresh clone, and so does an
// import. Whichever of their programs fails, they fail safe. Tests deploy nothing, and no
// announcement of a failure changes the state of the deployment. Only the runner can show the rest:
// conditions, groups and secrets, which are compared, as well as approvals, artifacts and the
// actions that a workflow uses.
func TestScriptsFailSafe(t *testing.T) {
	t.Parallel()
	skipWithout(t, "1.4") // has `workspace select -or-create`
	skipWithout(t, "jq")
	skipWithout(t, "wget")
	w := newWorkspace(t, nil)
	w.copyExamples(t, ".", "examples")
	w.put(t, "main.tf", readPipelines)
	w.apply(t)
	var files map[string]map[string]job
	read(t, w.must(t, "output", "-json", "files"), &files)

	const tested, live = "checkout v1.4.2 is live", "checkout 1.4.2 is live"
	const failing, failed = "announce-failure", "The pipeline for checkout 1.4.2 failed: URL"
	const drifted = "checkout has drifted, or its announcement is pending: URL"
	type sends struct{ job, subject string }
	tests := map[string]struct {
		group string // in which one run waits for the other; empty: the file deploys nothing
		jobs  []sends
	}{
		"containers/compose.yaml":  {"", []sends{{"terraform", tested}}},
		"containers/gitlab-ci.yml": {"", []sends{{"test", tested}}},
		"pipelines/github-actions.yml": {"deploy-checkout",
			[]sends{{"deploy", live}, {failing, failed}}},
		"pipelines/github-approval.yml": {"deploy-checkout",
			[]sends{{"plan", ""}, {"deploy", live}, {failing, failed}}},
		"pipelines/github-destroy.yml": {"deploy-checkout",
			[]sends{{"destroy", ""}, {"announce", "checkout was destroyed"}}},
		"pipelines/github-drift.yml":        {"", []sends{{"drift", drifted}}},
		"pipelines/github-emulator.yml":     {"", []sends{{"announcement", ""}}}, // to its own emulator
		"pipelines/github-environments.yml": {"deploy-environments", []sends{{"deploy", live}}},
		"pipelines/github-services.yml":     {"deploy-services", []sends{{"deploy", live}}},
		"pipelines/gitlab-approval.yml": {"production",
			[]sends{{"plan", ""}, {"deploy", live}, {failing, failed}}},
		"pipelines/gitlab-ci.yml": {"production", []sends{{"deploy", live}, {failing, failed}}},
	}
	for file := range files {
		if tests[file].jobs == nil {
			t.Errorf("%s has no test", file)
		}
	}
	for file, test := range tests {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			isTest := strings.Contains(fmt.Sprint(files[file]), "terraform test")
			if isTest {
				skipWithout(t, "1.7") // has mocks
			}
			if strings.HasSuffix(file, "-destroy.yml") {
				skipWithout(t, "1.8") // destroys despite the validation in clone
			}
			w, deployments := newRunner(t), filepath.Join(t.TempDir(), "log")
			w.setenv("DEPLOYMENTS", deployments)
			if strings.HasSuffix(file, "-destroy.yml") || strings.HasSuffix(file, "-drift.yml") {
				w.deployAnother(t)
			}
			for _, one := range test.jobs {
				j := files[file][one.job]
				deploys := slices.Contains([]string{"deploy", "destroy"}, one.job)
				switch afterAll := strings.HasPrefix(j.When, "always() && needs.deploy.result != 'success'"); {
				case one.job == failing && !afterAll && j.When != "on_failure":
					t.Errorf("%s does not run after a failure", one.job)
				case one.job == "announce" && j.Needs != "destroy":
					t.Errorf("%s does not wait for the destroy", one.job)
				case deploys && j.Group != test.group:
					t.Errorf("%s is in the group %q", one.job, j.Group)
				case strings.Contains(j.Env["NOTIFICATION_CLIENT_SECRET"], "vars."):
					t.Errorf("%s has the secret from a variable, which everyone can read", one.job)
				case one.job == "deploy" && j.Env["NOTIFICATION_CHECK_CREDENTIALS"] != "true":
					t.Errorf("%s deploys with credentials that do not work", one.job)
				}
				if isTest {
					w.deploysNothing(t, func() (*workspace, []step) { return w.newJob(t, j) })
				}
				state := w.remoteState()
				w.runJob(t, one.job, j, one.subject)
				if w.remoteState() != state && !deploys && one.job != "plan" {
					t.Errorf("%s changed the state of the deployment", one.job)
				}
			}
			if _, err := os.Stat(deployments); (err != nil) != isTest {
				t.Errorf("the log of what is deployed: %v", err)
			}
			if first := files[file][test.jobs[0].job]; strings.Contains(fmt.Sprint(first), "IMPORT") {
				w := newRunner(t)
				w.setenv("UNLOCK", "an id")
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
// job, if there is one. It rejects the release that the destroy workflow has in place of one.
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
	tested := codeBlocks(t, "templates/guides/testing.md.tmpl")
	validated := strings.Replace(tested[0].text, "type = string", `type = string
  validation {
    condition     = var.release != "none"
    error_message = "none is no release."
  }`, 1)
	w.put(t, dir+"/main.tf", required+validated+fmt.Sprintf(`
terraform {
  backend %q {}
}
output "release" {
  value = var.release
}
`, backend))
	w.put(t, path.Join(dir, tested[1].options["file"]), tested[1].text)
	w.put(t, dir+"/checkout/main.tf", `
variable "release" {
  type = string
}
resource "terraform_data" "checkout" {
  triggers_replace = var.release
  provisioner "local-exec" {
    command = "echo deployed >>\"$${DEPLOYMENTS:-/dev/null}\""
  }
}
`)
	w.put(t, dir+"/announce/main.tf", exampleText(t, "pipelines/announce/main.tf"))
	// The scripts themselves, which take several Terraforms, have a test of their own.
	w.put(t, dir+"/unlock.sh", `[ "$1" = "an id" ] && terraform version`)
	w.put(t, dir+"/import.sh", `terraform import -input=false "${1% *}" "${1#* }"`)
	if noPlan == nil {
		w.put(t, dir+"/release.tfplan", string(plan))
	}
}

// The commands of the page stop before they deploy, too.
func TestPageDryRunDeploysNothing(t *testing.T) {
	t.Parallel()
	skipWithout(t, "1.7") // has mocks
	var commands []string
	for _, block := range codeBlocks(t, "templates/guides/testing.md.tmpl")[2:4] {
		commands = append(commands, block.text)
	}
	w := newRunner(t)
	w.deploysNothing(t, func() (*workspace, []step) {
		w.clone(t, "", "http")
		return w, []step{{Shell: "sh -ec", Run: strings.Join(commands, "\n")}}
	})
}

// deploysNothing fails the test unless a dry run fails and deploys nothing where its override
// replaces nothing: the target is misspelt, or what is deployed is in no module, as in the README.
func (w *workspace) deploysNothing(t *testing.T, dryRun func() (*workspace, []step)) {
	t.Helper()
	deployments := filepath.Join(t.TempDir(), "log")
	const tests = "tests/emulator/announcement.tftest.hcl"
	for name, change := range map[string]func(clone *workspace){
		"a misspelt target": func(clone *workspace) {
			clone.edit(t, `module "checkout"`, `module "another"`, "module.checkout", "module.another")
		},
		"a target with an index": func(clone *workspace) {
			clone.put(t, tests, strings.Replace(fileText(t, clone.dir, tests),
				"target = module.checkout", "target = module.checkout[0]", 1))
		},
		"the README": func(clone *workspace) {
			clone.put(t, "main.tf", codeBlocks(t, "README.md")[2].text)
			clone.edit(t, "input = var.release", `provisioner "local-exec" {
				command = "echo deployed >>\"$DEPLOYMENTS\""
			}`)
		},
	} {
		run, steps := dryRun()
		change(&workspace{dir: filepath.Join(w.dir, "clone")})
		out, status := run.run(t, steps, 0, nil,
			"RECORDS="+t.TempDir(), "RUN="+t.TempDir(), "DEPLOYMENTS="+deployments)
		if _, err := os.Stat(deployments); err == nil || status == 0 {
			t.Errorf("%s: exit status %d, deployed: %t\n%s", name, status, err == nil, out)
		}
		w.sent(t)
	}
}

// newJob puts a job into a new clone, and returns its shell blocks. An if is that of an import.
func (w *workspace) newJob(t *testing.T, j job) (run *workspace, steps []step) {
	t.Helper()
	backend := "http"
	if strings.Contains(fmt.Sprint(j), "terraform workspace") {
		backend = "local" // http has none
	}
	w.clone(t, j.Steps[0].Dir, backend)
	if j.Steps[0].Dir != "" { // of a job without TF_VAR_release
		w.put(t, path.Join("clone", j.Steps[0].Dir, "x.auto.tfvars"), `release = "1.4.2"`)
	}
	address := strings.TrimPrefix(w.url, "http://")
	values := strings.NewReplacer("${{ matrix.environment }}", "staging", "$CI_PIPELINE_URL", "URL",
		"${{ inputs.release || github.ref_name }}", "1.4.2", "$CI_COMMIT_TAG", "1.4.2",
		"$TF_VAR_release", "1.4.2", "${{ github.run_id }}", "1", "$CI_JOB_ID", "1",
		"${{ github.server_url }}/${{ github.repository }}/actions/runs/${{ github.run_id }}", "URL",
		"emulator:8080", address, "/checkout/", filepath.Join(w.dir, "clone")+"/",
		"cd /copy", "cd ../runner")
	run = &workspace{Emulator: w.Emulator, dir: w.dir}
	for name, value := range j.Env {
		run.setenv(name, values.Replace(value))
	}
	run.env = append(run.env, w.env...) // later, and so instead of ${{ vars.NOTIFICATION_AUTH_URL }}
	if strings.Contains(fmt.Sprint(j), "-chdir=announce") {
		run.setenv("TF_CLI_ARGS_apply", "-target=none.none") // of a deployment; it would send nothing
	}
	if !strings.Contains(fmt.Sprint(j), "notification-emulator exec") { // the emulator of another test
		run.keepProvider(t)
	}
	imports := strings.Contains(fmt.Sprint(w.env), "IMPORT=")
	for _, s := range j.Steps {
		if s.If == "" || imports {
			s.Run = values.Replace(s.Run)
			steps = append(steps, s)
		}
	}
	return run, steps
}

// runJob runs the shell blocks of a job.
func (w *workspace) runJob(t *testing.T, name string, j job, subject string) {
	t.Helper()
	if len(j.Steps) == 0 {
		t.Fatal(name, "is missing")
	}
	run, steps := w.newJob(t, j)
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

// unlock.sh removes the lock of a killed run, and import.sh records both announcements of a first
// release, which was killed before it had a state, and those of the next one, for which the older
// ones make way. The module's postcondition holds after the first of two imports. What is recorded
// is not lost, and the next release is announced, whatever happens next.
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
	const one = `module.announcement["search"].notification_notification.this`
	const other = `module.announcement["data platform"].notification_notification.this`
	script := exampleText(t, "pipelines/import.sh")
	imports := step{Shell: "sh -c", Run: "set -- '" + one + " 42 " + other + " unknown'\n" + script}
	applies := step{Shell: "sh -c", Run: "exec terraform apply -input=false import.tfplan"}
	unlocks := step{Shell: "sh -c", Run: "set -- an-id\n" + exampleText(t, "pipelines/unlock.sh")}
	run := func(want int, steps ...step) string {
		t.Helper()
		out, status := w.run(t, steps, 0, nil, "RECORDS="+t.TempDir(), "RUN="+t.TempDir())
		if status != want {
			t.Fatalf("exit status %d: %s", status, out)
		}
		return out
	}
	clone := &workspace{dir: filepath.Join(w.dir, "clone"), env: w.env}
	clone.must(t, "init")
	w.setenv("TF_VAR_release", "1.4.1")
	run(0, imports, applies)
	w.sent(t)
	w.setenv("TF_VAR_release", "1.4.2")
	w.put(t, "remote.tfstate.lock", `{"ID":"an-id"}`)
	w.failSafe(t, "unlock.sh and import.sh", []step{unlocks, imports, applies})
	recorded := w.remoteState()
	if strings.Count(strings.ReplaceAll(recorded, ": ", ":"), `"release":"1.4.2"`) != 2 {
		t.Errorf("the state does not have both: %s", recorded)
	}
	// Nothing is removed for an import that cannot succeed.
	w.setenv("TF_VAR_release", "1.4.3")
	tooLong := strings.Repeat("x", 257)
	run(1, step{Shell: "sh -c", Run: "set -- '" + one + " " + tooLong + "'\n" + script})
	if w.remoteState() != recorded {
		t.Errorf("the state is now %s", w.remoteState())
	}
	// The plan with the import is never applied.
	out := run(0, imports)
	const back = `terraform import '` + one + `' '42 {"environment":"production","release":"1.4.2"}' #`
	if !strings.Contains(out, back) {
		t.Errorf("it does not print %s\n%s", back, out)
	}
	w.sent(t)
	clone.env = w.env
	clone.apply(t, "-var=release=1.4.4")
	w.sent(t, "search 1.4.4 is live in production", "data 1.4.4 is live in production")
	// An import has no triggers if one of them is null.
	const name = "announcement/main.tf"
	clone.put(t, name, strings.Replace(fileText(t, clone.dir, name), "triggers = {", "triggers = {\nnote = null", 1))
	w.setenv("TF_VAR_release", "1.4.5")
	run(0, imports)
	if state := strings.ReplaceAll(w.remoteState(), ": ", ":"); strings.Contains(state, `:"1.4.5"`) {
		t.Errorf("the state has the triggers beside a null one: %s", state)
	}
	w.sent(t)
	// An address that only the state has would be sent under its new name.
	clone.edit(t, "{ search", "{ new")
	if out := run(1, imports); !strings.Contains(out, "The plan neither creates nor keeps") {
		t.Errorf("a renamed one: %s", out)
	}
}

// The containers' checks pass if exactly one notification has arrived. The emulator accepts the
// fault that they name.
func TestExampleEmulatorChecks(t *testing.T) {
	t.Parallel()
	skipWithout(t, "wget")
	w := newWorkspace(t, nil)
	w.setenv("NOTIFICATION_EMULATOR_URL", w.url)
	w.keepProvider(t)
	w.write(t, oneNotification)
	w.setSubmissionFaults(t, regexp.MustCompile(`"-fault", "submission=(.+)"`).
		FindStringSubmatch(exampleText(t, "containers/gitlab-ci.yml"))[1])
	for arrived := range 3 {
		for _, file := range []string{"compose.yaml", "gitlab-ci.yml"} {
			_, check, _ := strings.Cut(exampleText(t, "containers/"+file), "must have arrived.\n")
			check, _, _ = strings.Cut(check, "    environment:")
			check = strings.NewReplacer("    - ", "", "http://emulator:8080", w.url).Replace(check)
			if out, status := w.script(t, check); (status == 0) != (arrived == 1) {
				t.Errorf("%s: %d arrived, exit status %d\n%s", file, arrived, status, out)
			}
		}
		w.apply(t, "-replace=notification_notification.one")
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
