package provider

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/echoprovider"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	tfaddr "github.com/hashicorp/terraform-registry-address"

	"github.com/notification/terraform-provider-notification/internal/emulator/emulatortest"
)

// After the checks of a step, terraform-plugin-testing plans twice more, and fails if something
// would change. At the end it destroys. The next step's checks count the requests of these plans;
// the cleanup of newBackend, those after the last step and of the destroy.

const (
	withKeys = `idempotency_key_header = "` + keyHeader + `"` // a provider setting
	deployed = "notification_notification.deployed"

	created  = plancheck.ResourceActionCreate
	updated  = plancheck.ResourceActionUpdate
	replaced = plancheck.ResourceActionReplace
	noChange = plancheck.ResourceActionNoop
)

// TestMain makes terraform-plugin-testing offer the provider under its own source, with the host of
// Terraform's registry, for OpenTofu too: to show a state, OpenTofu 1.6 would replace that host by
// its own, and not find the provider.
func TestMain(m *testing.M) {
	emulatortest.ClearEnvironment()
	time.Local = time.FixedZone("away", 3600) // so that local times differ from those in UTC
	source := tfaddr.MustParseProviderSource(Source)
	_ = os.Setenv(resource.EnvTfAccProviderHost, source.Hostname.String()) // fails for invalid names
	_ = os.Setenv(resource.EnvTfAccProviderNamespace, source.Namespace)    // as above
	_ = os.Setenv("TF_CLI_CONFIG_FILE", os.DevNull)                        // has no overrides
	_ = os.Setenv("OPENTOFU_STATEFILE_PROVIDER_ADDRESS_TRANSLATION", "0")
	os.Exit(m.Run())
}

// notification is the resource deployed, with variables for what tests change.
const notification = `
variable "priority" {
  default = "HIGH"
}

variable "triggers" {
  type    = map(string)
  default = null
}

variable "resend_on_change" {
  default = null
}

resource "notification_notification" "deployed" {
  priority         = var.priority
  channels         = [{ type = "slack", recipient = ["C024BE91L"], subject = "one" }]
  triggers         = var.triggers
  resend_on_change = var.resend_on_change
}
`

// release returns the triggers of a release.
func release(version string) config.Variables {
	return config.Variables{"triggers": config.MapVariable(
		map[string]config.Variable{"release": config.StringVariable(version)})}
}

// provider returns a provider block for the backend, with more settings. One of them may be the
// client secret.
func (b *backend) provider(more string) string {
	if !strings.Contains(more, "client_secret") {
		more += fmt.Sprintf("\n  client_secret = %q", testSecret)
	}
	return fmt.Sprintf(`
provider "notification" {
  auth_url  = %q
  base_url  = %[1]q
  client_id = "id"
  %s
}
`, b.url, more)
}

type factories = map[string]func() (tfprotov6.ProviderServer, error)

var providers = factories{"notification": assemble}

// withEcho adds the provider echo. The data of its resource is what the provider block has, and is
// known only after apply.
var withEcho = factories{"notification": assemble, "echo": echoprovider.NewProviderServer()}

// since is the oldest Terraform and the oldest OpenTofu that have a feature. Nil: none has it.
type since struct {
	feature             string
	terraform, openTofu *version.Version
}

// CheckTerraformVersion skips the test if the program under test lacks the feature. CI sets
// TF_ACC_NO_SKIP with the newest Terraform, which makes that an error.
func (s since) CheckTerraformVersion(
	_ context.Context, req tfversion.CheckTerraformVersionRequest,
	resp *tfversion.CheckTerraformVersionResponse,
) {
	name, err := program()
	oldest := s.terraform
	if name == "OpenTofu" {
		oldest = s.openTofu
	}
	if err != nil {
		resp.Error = err
		return
	}
	if oldest != nil && req.TerraformVersion.Core().GreaterThanOrEqual(oldest) {
		return
	}
	resp.Skip = fmt.Sprintf("%s %s does not have %s", name, req.TerraformVersion, s.feature)
	if os.Getenv("TF_ACC_NO_SKIP") != "" {
		resp.Error = fmt.Errorf("skipped with TF_ACC_NO_SKIP: %s", resp.Skip)
	}
}

// program returns Terraform or OpenTofu: which of them terraform-plugin-testing runs.
var program = sync.OnceValues(func() (string, error) {
	path := os.Getenv("TF_ACC_TERRAFORM_PATH")
	if path == "" {
		path = "terraform"
	}
	output, err := exec.Command(path, "version").Output()
	name, _, _ := strings.Cut(string(output), " ")
	return name, err
})

// step applies a configuration, whose plan must have the action for the notification deployed, and
// which must make so many submissions.
func (b *backend) step(
	configuration string, variables config.Variables,
	action plancheck.ResourceActionType, submissions int, checks ...statecheck.StateCheck,
) resource.TestStep {
	return resource.TestStep{
		Config:          configuration,
		ConfigVariables: variables,
		ConfigPlanChecks: resource.ConfigPlanChecks{
			PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(deployed, action)},
		},
		ConfigStateChecks: append(checks, b.submitted(submissions)),
	}
}

// attribute checks an attribute of the notification deployed in the state.
func attribute(name string, want knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(deployed, tfjsonpath.New(name), want)
}

// isAbout returns a check that a text is a time in UTC, less than three minutes from want.
func isAbout(want time.Time) func(text string) error {
	return func(text string) error {
		at, err := time.Parse("2006-01-02T15:04:05Z", text)
		if err == nil && at.Sub(want).Abs() > 3*time.Minute {
			err = fmt.Errorf("got %s, want about %s", at, want)
		}
		return err
	}
}
