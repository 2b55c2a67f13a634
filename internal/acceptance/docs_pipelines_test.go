//go:build unix

package acceptance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"terraform-provider-notification/internal/emulator"
)

const (
	announceExample = "pipelines/announce/main.tf"
	mirrorConfig    = "pipelines/mirror.tfrc"
)

// pipeline tries the jobs of a pipeline.
func pipeline(jobs ...pipelineJob) func(t *testing.T, path string) {
	return func(t *testing.T, path string) { newPipeline(t).run(t, path, jobs) }
}

// Everything that was deployed is destroyed, and that is announced.
func destruction(t *testing.T, path string) {
	w := newPipeline(t)
	w.mustScript(t, "terraform init && terraform apply -auto-approve")
	w.run(t, path, []pipelineJob{{"destroy", ""}, {"announce", "subject of the job"}})
	if left := w.instances(t); len(left) != 0 {
		t.Errorf("not destroyed: %v", left)
	}
}

// run runs the jobs of a pipeline one after the other, as they stand.
func (w *workspace) run(t *testing.T, path string, jobs []pipelineJob) {
	t.Helper()
	text := examples(t)[path]
	for _, name := range regexp.MustCompile(`\bNOTIFICATION_\w+`).FindAllString(text, -1) {
		if w.getenv(name) == "" && name != "NOTIFICATION_CHECK_CREDENTIALS" {
			t.Errorf("%s is not one of the variables that the provider needs", name)
		}
	}
	steps := pipelineSteps(t, text)
	if len(steps) != len(jobs) {
		t.Errorf("%d jobs with commands, want %d", len(steps), len(jobs))
	}
	for _, job := range jobs {
		w.ClearLedger()
		for _, step := range steps[job.name] {
			w.mustScript(t, step)
		}
		var subjects []string
		for _, submission := range w.Ledger().Submissions {
			subjects = append(subjects, submission.Channels[0].Subject)
		}
		if got := strings.Join(subjects, ", "); got != job.subject {
			t.Errorf("%s announced %q, want %q", job.name, got, job.subject)
		}
	}
}

// pipelineJob is a job and the subject of what it announces, if anything.
type pipelineJob struct{ name, subject string }

// newPipeline is a workspace with what the pipelines find in their repository, and the variables
// that they set.
func newPipeline(t *testing.T) *workspace {
	t.Helper()
	w := newExample(t, resourceExample, nil)
	w.put(t, "announce/main.tf", examples(t)[announceExample])
	w.setenv("TF_CLI_CONFIG_FILE", mirror(t))
	w.setenv("TF_VAR_release", "2.0.0")
	w.setenv("TF_VAR_subject", "subject of the job")
	w.setenv("TF_VAR_run", "1")
	return w
}

// Each run is announced once, also where the state is kept.
func announceConfiguration(t *testing.T, path string) {
	w := newExample(t, path, nil)
	w.setenv("TF_VAR_subject", "The pipeline failed")
	for _, run := range []string{"1", "1", "2"} {
		w.setenv("TF_VAR_run", run)
		w.apply(t)
	}
	if got := len(w.Ledger().Submissions); got != 2 {
		t.Errorf("%d notifications were submitted in two runs", got)
	}
}

// mirrorExample is the CLI configuration of runners without the registry: all jobs run with it.
func mirrorExample(t *testing.T, _ string) { newPipeline(t).mustScript(t, "terraform init") }

// A saved plan whose apply failed without changing the state can be applied again, and submits
// again; adopting the notification makes it stale.
func TestSavedPlanAfterFailure(t *testing.T) {
	t.Parallel()
	w := newWorkspace(t, nil)
	w.write(t, oneNotification)
	w.apply(t)
	w.write(t, oneNotification+strings.ReplaceAll(oneNotification, "one", "two"))
	w.must(t, "plan", "-input=false", "-out=saved.tfplan")
	lost := emulator.Faults{"submission": "reset-after,repeat"}
	if err := w.SetFaults(lost); err != nil {
		t.Fatal(err)
	}
	apply := func(wantMessage string, wantSent int) {
		t.Helper()
		out, _ := w.terraform(t, "apply", "-no-color", "-input=false", "saved.tfplan")
		if got := len(w.Ledger().Submissions); got != wantSent || !strings.Contains(out, wantMessage) {
			t.Errorf("%d submissions, want %d\n%s", got, wantSent, out)
		}
	}
	apply("Notification may have been submitted", 2)
	apply("Notification may have been submitted", 3)
	w.must(t, "import", "-input=false", "notification_notification.two", importedID)
	apply("Saved plan is stale", 3)
}

// pipelineSteps are the commands of each job of a pipeline, step by step. Terraform reads the YAML.
func pipelineSteps(t *testing.T, text string) map[string][]string {
	t.Helper()
	w := newWorkspace(t, nil)
	w.put(t, "pipeline.yml", text)
	w.put(t, "main.tf", `
locals {
  pipeline = yamldecode(file("pipeline.yml"))
}
output "steps" {
  value = { for name, job in try(local.pipeline.jobs, local.pipeline) : name =>
    try([join("\n", job.script)], [for step in job.steps : step.run if can(step.run)])
    if can(job.script) || can(job.steps)
  }
}
`)
	w.apply(t)
	var steps map[string][]string
	if err := json.Unmarshal([]byte(w.must(t, "output", "-json", "steps")), &steps); err != nil {
		t.Fatal(err)
	}
	return steps
}

// mirror is the CLI configuration of the runners without the registry, with a mirror that holds the
// provider.
func mirror(t *testing.T) string {
	t.Helper()
	const name = "terraform-provider-notification"
	binary, err := os.ReadFile(filepath.Join(filepath.Dir(cliConfig), name))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	folder := filepath.Join(dir, filepath.FromSlash(providerAddress().String()), "0.9.9",
		runtime.GOOS+"_"+runtime.GOARCH)
	config := filepath.Join(dir, "mirror.tfrc")
	text := strings.Replace(examples(t)[mirrorConfig], `"/opt/terraform-mirror"`,
		strconv.Quote(dir), 1)
	if err = os.MkdirAll(folder, 0o700); err == nil {
		err = os.WriteFile(filepath.Join(folder, name+"_v0.9.9"), binary, 0o700)
	}
	if err == nil {
		err = os.WriteFile(config, []byte(text), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return config
}
