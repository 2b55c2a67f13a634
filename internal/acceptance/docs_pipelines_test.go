package acceptance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"terraform-provider-notification/internal/provider"
)

const failureExample = "pipelines/failure/main.tf"

// A pipeline's own commands announce the release that started it, once; those of the job for
// failures announce that it failed.
func pipeline(t *testing.T, path string) {
	w := newExample(t, resourceExample, nil)
	w.put(t, "failure/main.tf", examples(t)[failureExample])
	text := examples(t)[path]
	for _, name := range regexp.MustCompile(`\bNOTIFICATION_\w+`).FindAllString(text, -1) {
		if w.getenv(name) == "" {
			t.Errorf("%s is not one of the variables that the provider needs", name)
		}
	}
	w.setenv("TF_CLI_CONFIG_FILE", mirror(t))
	w.setenv("TF_VAR_release", "2.0.0")
	jobs := pipelineJobs(t, text)
	for job, subject := range map[string]string{
		"deploy": "checkout 2.0.0 is live", "announce-failure": "The pipeline for checkout 2.0.0 failed",
	} {
		w.ClearLedger()
		w.mustScript(t, jobs[job])
		w.submittedOnce(t, 1)
		if got := w.Ledger().Submissions[0].Channels[0].Subject; got != subject {
			t.Errorf("%s announced %q", job, got)
		}
	}
}

// failureConfiguration sends each time, since it starts without a state.
func failureConfiguration(t *testing.T, path string) {
	w := newExample(t, path, nil)
	w.setenv("TF_VAR_release", "2.0.0")
	w.appliedOnce(t, 1)
}

// pipelineJobs are the commands of each job of a pipeline, one a line. Terraform reads the YAML.
func pipelineJobs(t *testing.T, text string) map[string]string {
	t.Helper()
	w := newWorkspace(t, nil)
	w.put(t, "pipeline.yml", text)
	w.put(t, "main.tf", `
locals {
  pipeline = yamldecode(file("pipeline.yml"))
}
output "scripts" {
  value = { for name, job in try(local.pipeline.jobs, local.pipeline) : name => join("\n",
    try(job.script, [for step in job.steps : step.run if can(step.run)])
  ) if can(job.script) || can(job.steps) }
}
`)
	w.apply(t)
	var jobs map[string]string
	if err := json.Unmarshal([]byte(w.must(t, "output", "-json", "scripts")), &jobs); err != nil {
		t.Fatal(err)
	}
	return jobs
}

// mirror is a CLI configuration with which `terraform init` installs the provider as from a
// registry.
func mirror(t *testing.T) string {
	t.Helper()
	const name = "terraform-provider-notification"
	binary, err := os.ReadFile(filepath.Join(filepath.Dir(cliConfig), name))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	folder := filepath.Join(dir, filepath.FromSlash(provider.Address), "0.9.9",
		runtime.GOOS+"_"+runtime.GOARCH)
	config := filepath.Join(dir, "terraform.rc")
	if err = os.MkdirAll(folder, 0o700); err == nil {
		err = os.WriteFile(filepath.Join(folder, name+"_v0.9.9"), binary, 0o700)
	}
	if err == nil {
		err = os.WriteFile(config, fmt.Appendf(nil,
			"provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", dir), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return config
}
