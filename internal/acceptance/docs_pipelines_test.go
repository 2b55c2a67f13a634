package acceptance

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"terraform-provider-notification/internal/provider"
)

// A pipeline's own commands announce the release that started it, once.
func pipeline(t *testing.T, path string) {
	w := newExample(t, resourceExample, nil)
	text := examples(t)[path]
	script := pipelineScript(t, text)
	if !strings.Contains(script, "terraform apply") {
		t.Fatalf("the pipeline applies nothing: %q", script)
	}
	for _, name := range regexp.MustCompile(`\bNOTIFICATION_\w+`).FindAllString(text, -1) {
		if w.getenv(name) == "" {
			t.Errorf("%s is not one of the variables that the provider needs", name)
		}
	}
	w.setenv("TF_CLI_CONFIG_FILE", mirror(t))
	w.setenv("TF_VAR_release", "2.0.0")
	w.mustScript(t, script)
	w.submittedOnce(t, 1)
	if got := w.Ledger().Submissions[0].Channels[0].Subject; got != "checkout 2.0.0 is live" {
		t.Errorf("announced %q", got)
	}
}

// pipelineScript are the commands of a pipeline, one a line. Terraform reads the
// YAML.
func pipelineScript(t *testing.T, text string) string {
	t.Helper()
	w := newWorkspace(t, nil)
	w.put(t, "pipeline.yml", text)
	w.put(t, "main.tf", `
locals {
  pipeline = yamldecode(file("pipeline.yml"))
}
output "script" {
  value = try(local.pipeline.deploy.script, [for step in local.pipeline.jobs.deploy.steps : step.run if can(step.run)])
}
`)
	w.apply(t)
	var lines []string
	if err := json.Unmarshal([]byte(w.must(t, "output", "-json", "script")), &lines); err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

// mirror is a CLI configuration with which `terraform init` installs the provider
// as from a registry.
func mirror(t *testing.T) string {
	t.Helper()
	binary, err := os.ReadFile(filepath.Join(filepath.Dir(cliConfig), "terraform-provider-notification"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	folder := filepath.Join(dir, filepath.FromSlash(provider.Address), "0.1.0", runtime.GOOS+"_"+runtime.GOARCH)
	config := filepath.Join(dir, "terraform.rc")
	if err = os.MkdirAll(folder, 0o700); err == nil {
		err = os.WriteFile(filepath.Join(folder, "terraform-provider-notification_v0.1.0"), binary, 0o700)
	}
	if err == nil {
		err = os.WriteFile(config, fmt.Appendf(nil, "provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", dir), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return config
}
