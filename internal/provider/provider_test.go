package provider

import (
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
	"github.com/hashicorp/terraform-plugin-testing/tfversion"
	tfaddr "github.com/hashicorp/terraform-registry-address"

	"terraform-provider-notification/internal/emulator"
	"terraform-provider-notification/internal/emulator/emulatortest"
	"terraform-provider-notification/internal/protocol"
	"terraform-provider-notification/internal/studies"
)

// testSource names a host, since that is how resource.Test offers the provider: to OpenTofu, too,
// under the host of Terraform's registry.
var testSource = tfaddr.MustParseProviderSource(Source).String()

func TestMain(m *testing.M) {
	parts := strings.Split(testSource, "/")
	_ = os.Setenv(resource.EnvTfAccProviderHost, parts[0])      // fails for invalid names only
	_ = os.Setenv(resource.EnvTfAccProviderNamespace, parts[1]) // as above
	_ = os.Setenv("TF_CLI_CONFIG_FILE", os.DevNull)             // overrides must not affect tests
	os.Exit(m.Run())
}

// newServer assembles the provider as main does.
func newServer(p provider.Provider) tfprotov6.ProviderServer {
	server := protocol.DecodeDataSources(providerserver.NewProtocol6(p)().(protocol.Server),
		map[string]protocol.Decode{"notification_studies": studies.Decode})
	return protocol.Release(protocol.RevalidateActions(protocol.ExpandUnknown(server)))
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

// config is body with a provider block for the backend.
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

// says matches text, however Terraform wraps it; ... matches anything.
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

// sent checks how many notifications were accepted, and how many requests were made, since the last
// check.
func (b *backend) sent(t *testing.T, want int) func() {
	t.Helper()
	return func() {
		t.Helper()
		ledger := b.Ledger()
		if len(ledger.Submissions) != want || ledger.SubmissionRequests != want ||
			ledger.OtherRequests != 0 {
			t.Errorf("%d notifications by %d requests, want %d; %d other requests",
				len(ledger.Submissions), ledger.SubmissionRequests, want, ledger.OtherRequests)
		}
		if want == 0 && len(ledger.Requests) != 0 {
			t.Errorf("requests where none was wanted: %v", ledger.Requests)
		}
		b.ClearLedger()
	}
}

// A plan succeeds although a secret is created in the same run. Only a data source that is read
// during the plan fails; the error names the unknown setting.
func TestAccProvider_unknownSecret(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	config := fmt.Sprintf(`
terraform {
  required_providers {
    notification = { source = %q }
  }
}

resource "terraform_data" "secret" {
  input = %q
}

provider "notification" {
  auth_url      = %q
  base_url      = %q
  client_id     = "id"
  client_secret = terraform_data.secret.output
}
`, testSource, testSecret, b.url, b.url)
	terraformData := []tfversion.TerraformVersionCheck{tfversion.SkipBelow(tfversion.Version1_4_0)}
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   terraformData,
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{
			{
				Config: config + lookUp("ATLAS"), PlanOnly: true,
				ExpectError: says("known only after apply: client_secret."),
			},
			{PreConfig: b.sent(t, 0), Config: config + notification("one", "")},
			{PreConfig: b.sent(t, 1), Config: config + notification("one", "") + lookUp("ATLAS")},
		},
	})
}

// Without any settings, one plan names all that are missing.
func TestAccProvider_nothingSet(t *testing.T) {
	for _, name := range []string{"auth_url", "base_url", "client_id", "client_secret"} {
		t.Setenv("NOTIFICATION_"+strings.ToUpper(name), "")
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providerFactories(),
		Steps: []resource.TestStep{{
			Config: fmt.Sprintf("terraform {\n required_providers {\n"+
				" notification = { source = %q }\n}\n}\n", testSource) + notification("one", ""),
			ExpectError: says("Missing provider settings ... " +
				"Set auth_url, base_url, client_id, client_secret in ... " +
				"export NOTIFICATION_AUTH_URL= ... export NOTIFICATION_BASE_URL= ... " +
				"export NOTIFICATION_CLIENT_ID= ... export NOTIFICATION_CLIENT_SECRET="),
		}},
	})
}
