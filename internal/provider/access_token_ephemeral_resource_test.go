package provider_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"terraform-provider-notification/internal/emulator"
)

var ephemeralResources = since{
	"ephemeral resources", tfversion.Version1_10_0, tfversion.Version1_11_0,
}

// The provider echo stores the token, which Terraform itself never does.
const echoedToken = `
ephemeral "notification_access_token" "narrowed" {
  scopes = ["notifications.read"]
}

provider "echo" {
  data = ephemeral.notification_access_token.narrowed
}

resource "echo" "token" {}
`

// The token has the scopes that were asked for instead of the provider's. Only tokens are
// requested.
func TestAccAccessToken_narrowed(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{
		Scopes: []string{"notifications.read", "notifications.write"},
	})
	read := knownvalue.SetExact([]knownvalue.Check{knownvalue.StringExact("notifications.read")})
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   needs(ephemeralResources),
		ProtoV6ProviderFactories: withEcho(),
		Steps: []resource.TestStep{{
			Config: b.provider(`scopes = ["notifications.write"]`) + echoedToken,
			ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownValue("echo.token",
				tfjsonpath.New("data"), knownvalue.ObjectExact(map[string]knownvalue.Check{
					"access_token": knownvalue.StringFunc(func(token string) error {
						if len(token) < 20 {
							return errors.New("this is no token of the emulator")
						}
						return nil
					}),
					"token_type":     knownvalue.StringExact("Bearer"),
					"expires_at":     knownvalue.StringFunc(isInAnHour),
					"scopes":         read,
					"granted_scopes": read,
				}))},
			PostApplyFunc: b.received(t, "token"),
		}},
	})
	b.received(t, "token")()
}

func isInAnHour(text string) error {
	at, err := time.Parse("2006-01-02T15:04:05Z", text)
	if wait := time.Until(at); err == nil && (wait < 50*time.Minute || wait > time.Hour) {
		err = fmt.Errorf("%s is not in an hour", at)
	}
	return err
}

// A scope that the authorization server refuses is an error in the plan.
func TestAccAccessToken_refused(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{Scopes: []string{"notifications.write"}})
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   needs(ephemeralResources),
		ProtoV6ProviderFactories: withEcho(),
		Steps: []resource.TestStep{{
			Config: b.provider("") + echoedToken,
			ExpectError: says("Unable to obtain an access token ... invalid_scope ... " +
				"NOTIFICATION_SCOPES"),
		}},
	})
	b.received(t, "token")()
}
