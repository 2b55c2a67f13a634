package provider_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"

	"terraform-provider-notification/internal/emulator"
)

// Settings that are missing, in the provider block and in the environment, are one error.
func TestAccProvider_missingSettings(t *testing.T) {
	b := newBackend(t, emulator.Config{})
	for _, name := range []string{"AUTH_URL", "BASE_URL", "CLIENT_ID", "CLIENT_SECRET"} {
		t.Setenv("NOTIFICATION_"+name, "")
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers(),
		Steps: []resource.TestStep{{
			Config: fmt.Sprintf(`
provider "notification" {
  auth_url = %q
}
`, b.url) + notification,
			ExpectError: says("Missing provider settings ... base_url, client_id and client_secret ... " +
				"NOTIFICATION_BASE_URL= ... NOTIFICATION_CLIENT_ID= ... NOTIFICATION_CLIENT_SECRET="),
		}},
	})
}

// Settings come from the environment, but the provider block wins. No block is needed.
func TestAccProvider_environment(t *testing.T) {
	b := newBackend(t, emulator.Config{Systems: []string{"trials"}})
	for name, value := range map[string]string{
		"AUTH_URL": b.url, "BASE_URL": b.url, "CLIENT_ID": "id", "CLIENT_SECRET": testSecret,
		"SYSTEM": "another",
	} {
		t.Setenv("NOTIFICATION_"+name, value)
	}
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers(),
		Steps: []resource.TestStep{b.step(t, `
provider "notification" {
  system = "trials"
}
`+notification, nil, created, 1)},
	})
}

// While a secret is known only after apply, a lookup is an error that names the setting, and a
// notification is not: it is sent once the secret is known.
func TestAccProvider_secretKnownAfterApply(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	configured := b.provider("client_secret = echo.secret.data") + `
provider "echo" {
  data = "` + testSecret + `"
}

resource "echo" "secret" {}
`
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: withEcho(),
		Steps: []resource.TestStep{
			{
				Config:      configured + lookup,
				ExpectError: says("known only after apply: client_secret."),
			},
			b.step(t, configured+notification, nil, created, 1),
			{
				Config: configured + notification + lookup,
				ConfigStateChecks: []statecheck.StateCheck{
					found("studies", knownvalue.TupleSizeExact(1)),
				},
				PostApplyFunc: b.received(t, "studies", "token"),
			},
		},
	})
}

// With check_credentials, wrong credentials fail the plan of a notification, by one token request.
// Nothing is sent, and a plan that sends nothing requests no token.
func TestAccProvider_checkCredentials(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	resource.Test(t, resource.TestCase{
		ProtoV6ProviderFactories: providers(),
		Steps: []resource.TestStep{
			{
				Config: b.provider(`client_secret = "wrong"
  check_credentials = true`) + notification,
				ExpectError: says("Unable to obtain an access token ... Nothing was sent: ... invalid_client"),
			},
			{
				PreConfig:     b.received(t, "token"),
				Config:        b.provider("check_credentials = true"),
				PostApplyFunc: b.submitted(t, 0),
			},
		},
	})
}
