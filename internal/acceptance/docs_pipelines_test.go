//go:build unix

package acceptance

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/notification/terraform-provider-notification/internal/provider"
)

// readPipelines finds the shell lines of each job: GitHub's steps, GitLab's scripts, and the hooks of
// Atlantis and Spacelift.
const readPipelines = `
output "jobs" {
  value = merge([for path in fileset("pipelines", "*.yml") : {
    for file in [yamldecode(file("pipelines/${path}"))] : path => {
      for name, job in try(file.jobs, file) : name => {
        when = try(job.if, job.when, "")
        env = merge(try(file.env, {}), try(file.workflow.rules[0].variables, {}),
          try(job.env, {}), try(job.variables, {}))
        steps = try([for step in job.steps : step if can(step.run)],
          [{ run = join("\n", job.script) }], [{ run = join("\n", job.after_run) }],
          job[0].post_workflow_hooks, [])
      }
    }
  }]...)
}
`

type job struct {
	When  string
	Env   map[string]string
	Steps []struct{ If, Run string }
}

// The shell lines of the example pipelines work as they stand, each job in a fresh clone. Only the
// runner can show the rest: conditions, except that the failure jobs have one, as well as approvals,
// artifacts and the actions that a workflow uses.
func TestExamplePipelines(t *testing.T) {
	t.Parallel()
	skipWithout(t, "1.4") // has `workspace select -or-create`
	w := newWorkspace(t, nil)
	w.copyExamples(t, "pipelines", "pipelines")
	w.put(t, "main.tf", readPipelines)
	w.apply(t)
	var pipelines map[string]map[string]job
	read(t, w.must(t, "output", "-json", "jobs"), &pipelines)
	w.useMirror(t)
	const live, failed = "checkout 1.4.2 is live", "The pipeline for checkout 1.4.2 failed: URL"
	const failing = "announce-failure"
	for file, test := range map[string]struct{ jobs, sent []string }{
		"github-actions.yml":      {[]string{"deploy", failing}, []string{live, failed}},
		"github-approval.yml":     {[]string{"plan", "deploy", failing}, []string{live, failed}},
		"github-environments.yml": {[]string{"deploy"}, []string{live}},
		"github-destroy.yml":      {[]string{"destroy", "announce"}, []string{"checkout was destroyed"}},
		"gitlab-ci.yml":           {[]string{"deploy", failing}, []string{live, failed}},
		"gitlab-approval.yml":     {[]string{"plan", "deploy", failing}, []string{live, failed}},
		"atlantis.yml":            {[]string{"repos"}, []string{"apply failed: URL"}},
		"spacelift.yml":           {[]string{"stack_defaults"}, []string{"checkout failed"}},
	} {
		for _, name := range test.jobs {
			one := pipelines[file][name]
			after := []string{"always() && needs.deploy.result != 'success'", "on_failure"}
			if name == failing && !slices.Contains(after, one.When) {
				t.Errorf("%s: %s does not run after a failure", file, name)
			}
			w.runJob(t, file+": "+name, one, false)
		}
		w.sent(t, test.sent...)
		_ = os.Remove(filepath.Join(w.dir, "release.tfplan"))
		if first := pipelines[file][test.jobs[0]]; strings.Contains(fmt.Sprint(first), " import ") {
			w.runJob(t, file+": import", first, true)
			w.sent(t)
		}
	}
}

// runJob runs the shell lines of a job in a new folder with the files of a repository and the saved
// plan of an earlier job.
func (w *workspace) runJob(t *testing.T, name string, j job, imports bool) {
	t.Helper()
	clone := &workspace{Emulator: w.Emulator, dir: t.TempDir()}
	clone.put(t, "main.tf", exampleText(t, resourceExample))
	clone.put(t, "announce/main.tf", exampleText(t, "pipelines/announce/main.tf"))
	plan := filepath.Join(w.dir, "release.tfplan")
	_ = os.Link(plan, filepath.Join(clone.dir, "release.tfplan")) // if there is one
	values := strings.NewReplacer("${{ matrix.environment }}", "staging", "$CI_PIPELINE_URL", "URL",
		"${{ inputs.release || github.ref_name }}", "1.4.2", "$CI_COMMIT_TAG", "1.4.2",
		"$TF_VAR_release", "1.4.2", "${{ github.run_id }}", "1", "$CI_JOB_ID", "1",
		"${{ github.server_url }}/${{ github.repository }}/actions/runs/${{ github.run_id }}", "URL")
	for name, value := range j.Env {
		clone.setenv(name, values.Replace(value))
	}
	for _, variable := range w.env { // later, and so instead of ${{ vars.NOTIFICATION_AUTH_URL }}
		if !strings.HasPrefix(variable, "TF_VAR_") {
			clone.env = append(clone.env, variable)
		}
	}
	clone.env = append(clone.env, "COMMAND_HAS_ERRORS=true", "PULL_URL=URL", "PULL_NUM=1",
		"TF_VAR_spacelift_final_run_state=FAILED", "TF_VAR_spacelift_run_id=1")
	if imports {
		clone.env = append(clone.env, "ID=unknown", "IMPORT_ID=unknown")
	}
	if len(j.Steps) == 0 {
		t.Fatal(name, "is missing")
	}
	for _, step := range j.Steps {
		if step.If != "" && !imports {
			continue
		}
		if out, status := clone.script(t, step.Run); status != 0 {
			t.Fatalf("%s: exit status %d:\n%s\n%s", name, status, step.Run, out)
		}
	}
	_ = os.Link(filepath.Join(clone.dir, "release.tfplan"), plan) // as above
}

// useMirror makes `terraform init` install the provider under test from a mirror, in a version that
// the examples allow.
func (w *workspace) useMirror(t *testing.T) {
	t.Helper()
	_, version, _ := strings.Cut(exampleText(t, "pipelines/announce/main.tf"), "~> ")
	version, _, _ = strings.Cut(version, `"`)
	version += ".999"
	for _, host := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		dir := filepath.Join(w.dir, "mirror", host, provider.Source, version,
			runtime.GOOS+"_"+runtime.GOARCH)
		err := os.MkdirAll(dir, 0o700)
		if err == nil {
			err = link(filepath.Join(filepath.Dir(cliConfig), "terraform-provider-notification"),
				filepath.Join(dir, "terraform-provider-notification_v"+version))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	w.put(t, "mirror.tfrc", fmt.Sprintf(
		"provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n",
		filepath.Join(w.dir, "mirror")))
	w.setenv("TF_CLI_CONFIG_FILE", filepath.Join(w.dir, "mirror.tfrc"))
}
