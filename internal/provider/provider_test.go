package provider

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	tfaddr "github.com/hashicorp/terraform-registry-address"

	"terraform-provider-notification/internal/emulator"
	"terraform-provider-notification/internal/emulator/emulatortest"
	"terraform-provider-notification/internal/protocol"
)

// testSource is Source with the host under which resource.Test offers the provider: Terraform's
// registry, for OpenTofu too.
var testSource = tfaddr.MustParseProviderSource(Source).String()

func TestMain(m *testing.M) {
	parts := strings.Split(testSource, "/")
	_ = os.Setenv(resource.EnvTfAccProviderHost, parts[0])      // fails for invalid names only
	_ = os.Setenv(resource.EnvTfAccProviderNamespace, parts[1]) // as above
	_ = os.Setenv("TF_CLI_CONFIG_FILE", os.DevNull)             // overrides must not affect tests
	os.Exit(m.Run())
}

// newServer assembles the provider as main does.
func newServer(p provider.Provider) protocol.Server {
	return must(protocol.Wrap(providerserver.NewProtocol6(p)()))
}

func providerFactories() map[string]func() (tfprotov6.ProviderServer, error) {
	return map[string]func() (tfprotov6.ProviderServer, error){
		"notification": func() (tfprotov6.ProviderServer, error) {
			return newServer(New("test")), nil
		},
	}
}

// backend is an emulator on a loopback port.
type backend struct {
	*emulator.Emulator

	url string
}

const testSecret = "canary-client-secret"

// newBackend starts an emulator with the default settings, modified by change.
func newBackend(t testing.TB, change func(*emulator.Config)) *backend {
	t.Helper()
	config := emulator.Config{ClientID: "id", ClientSecret: testSecret, TokenLifetime: time.Hour}
	if change != nil {
		change(&config)
	}
	e, url := emulatortest.Serve(t, config)
	return &backend{Emulator: e, url: url}
}

// faulty makes the emulator inject a sequence of faults into requests to target.
func faulty(target, sequence string) func(*emulator.Config) {
	return func(c *emulator.Config) { c.Faults = emulator.Faults{target: sequence} }
}

// config returns body after a provider block for the backend.
func (b *backend) config(body string) string {
	return fmt.Sprintf(`
terraform {
  required_providers {
    notification = { source = %q }
  }
}

provider "notification" {
  auth_url      = %q
  base_url      = %q
  client_id     = "id"
  client_secret = %q
}
`, testSource, b.url, b.url, testSecret) + body
}

// says returns a pattern that matches text, however Terraform wraps it; ... matches anything.
func says(text string) *regexp.Regexp {
	parts := strings.Split(text, "...")
	for i, part := range parts {
		words := strings.Fields(part)
		for j, word := range words {
			words[j] = regexp.QuoteMeta(word)
		}
		parts[i] = strings.Join(words, `\s+`)
	}
	return regexp.MustCompile("(?s)" + strings.Join(parts, ".*"))
}

// sent checks that want notifications were accepted since the last check, each by one request. If
// want is 0, there must have been no request at all.
func (b *backend) sent(t *testing.T, want int) {
	t.Helper()
	ledger := b.Ledger()
	if len(ledger.Submissions) != want || ledger.SubmissionRequests != want ||
		ledger.OtherRequests != 0 || want == 0 && len(ledger.Requests) != 0 {
		t.Errorf("%d notifications by %d of %d requests, want %d", len(ledger.Submissions),
			ledger.SubmissionRequests, len(ledger.Requests), want)
	}
	b.ClearLedger()
}

const (
	deployed   = "notification_notification.deployed"
	importedID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
)

// notification returns a resource with channels and the given arguments.
func notification(subject, more string) string {
	return `
resource "notification_notification" "deployed" {
  priority = "HIGH"
  channels = [{
    type      = "slack"
    recipient = ["C024BE91L"]
    subject   = "` + subject + `"
  }]
` + more + `
}
`
}

// step applies a configuration, whose plan must have the action want. Creating and replacing submit
// once, anything else makes no request.
func (b *backend) step(
	t *testing.T, config string, want plancheck.ResourceActionType, checks ...statecheck.StateCheck,
) resource.TestStep {
	t.Helper()
	sends := 0
	if want == plancheck.ResourceActionCreate || want == plancheck.ResourceActionReplace {
		sends = 1
	}
	return resource.TestStep{
		Config: b.config(config),
		ConfigPlanChecks: resource.ConfigPlanChecks{
			PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(deployed, want)},
		},
		ConfigStateChecks: append(checks, after(func() { b.sent(t, sends) })),
	}
}

// after is called when a step has been applied.
type after func()

func (f after) CheckState(
	context.Context, statecheck.CheckStateRequest, *statecheck.CheckStateResponse,
) {
	f()
}

// has checks an attribute of the notification in the state.
func has(attribute string, want knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(deployed, tfjsonpath.New(attribute), want)
}

func isRecent(text string) error {
	at, err := time.Parse("2006-01-02T15:04:05Z", text)
	if age := time.Since(at); err == nil && (age < 0 || age > time.Hour) {
		err = fmt.Errorf("%s is not recent", at)
	}
	return err
}
