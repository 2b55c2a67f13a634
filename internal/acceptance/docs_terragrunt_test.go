//go:build unix

package acceptance

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const terragruntUnit = "terragrunt/staging/terragrunt.hcl"

// `run --all` announces in each environment at its own address, and a lost answer once. This runs
// where Terragrunt is installed.
func terragruntExample(t *testing.T, path string) {
	terragrunt, err := exec.LookPath("terragrunt")
	if err != nil {
		t.Skip("there is no terragrunt")
	}
	staging := newPipeline(t)
	production := newWorkspace(t, nil)
	production.submissionsMeet(t, "reset-after,repeat")
	here, there := staging.getenv("NOTIFICATION_BASE_URL"), production.getenv("NOTIFICATION_BASE_URL")
	root := strings.NewReplacer(
		"https://auth.staging.example.com", here, "https://api.staging.example.com", here,
		"https://auth.example.com", there, "https://api.example.com", there,
		"checkout-staging", "id", "checkout-production", "id").Replace(examples(t)[path])
	staging.put(t, "root.hcl", root)
	staging.put(t, "modules/checkout/main.tf", examples(t)[resourceExample])
	for _, environment := range []string{"staging", "production"} {
		staging.put(t, "environments/"+environment+"/terragrunt.hcl", examples(t)[terragruntUnit])
	}
	for _, name := range []string{"AUTH_URL", "BASE_URL", "CLIENT_ID", "CLIENT_SECRET"} {
		staging.setenv("NOTIFICATION_"+name, "")
	}
	staging.setenv("STAGING_CLIENT_SECRET", testSecret)
	staging.setenv("PRODUCTION_CLIENT_SECRET", testSecret)
	staging.setenv("RELEASE", "2.0.0")
	staging.setenv("TG_TF_PATH", terraformPath)
	cmd := exec.CommandContext(t.Context(), terragrunt, "run", "--all", "--non-interactive", "--",
		"apply")
	cmd.Dir, cmd.Env = filepath.Join(staging.dir, "environments"), append(staging.env,
		"PATH="+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err == nil {
		t.Errorf("production was not answered, and the run succeeded\n%s", out)
	}
	staging.submittedOnce(t, 1)
	production.submittedOnce(t, 1)
}
