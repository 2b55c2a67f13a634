package provider

import (
	"fmt"
	"path"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/echoprovider"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"terraform-provider-notification/internal/emulator"
)

// echoed is a configuration with the ephemeral resource, and with another provider that stores what
// it returns, so that tests can check it.
func (b *backend) echoed(arguments string) string {
	echo := fmt.Sprintf("required_providers {\n    echo = { source = %q }",
		path.Dir(testSource)+"/echo")
	return strings.Replace(b.config(`
ephemeral "notification_access_token" "t" {
  `+arguments+`
}
provider "echo" {
  data = ephemeral.notification_access_token.t
}
resource "echo" "t" {}
`), "required_providers {", echo, 1)
}

func withEcho() map[string]func() (tfprotov6.ProviderServer, error) {
	factories := providerFactories()
	factories["echo"] = echoprovider.NewProviderServer()
	return factories
}

var ephemeralVersions = []tfversion.TerraformVersionCheck{
	tfversion.SkipBelow(tfversion.Version1_10_0),
}

func TestAccAccessToken(t *testing.T) {
	t.Parallel()
	at := func(name string) tfjsonpath.Path { return tfjsonpath.New("data").AtMapKey(name) }
	inAnHour := knownvalue.StringFunc(func(text string) error {
		expires, err := time.Parse("2006-01-02T15:04:05Z", text)
		if err == nil &&
			(time.Until(expires) > time.Hour+time.Second || time.Until(expires) < 59*time.Minute) {
			err = fmt.Errorf("expires at %s", text)
		}
		return err
	})
	for name, test := range map[string]struct {
		arguments string
		lifetime  time.Duration
		scopes    knownvalue.Check
		given     knownvalue.Check
		expires   knownvalue.Check
	}{
		"the provider's scopes": {
			"", time.Hour,
			knownvalue.SetExact([]knownvalue.Check{
				knownvalue.StringExact("notifications.read"),
				knownvalue.StringExact("notifications.write"),
			}),
			knownvalue.Null(), inAnHour,
		},
		"narrowed": {
			`scopes = ["notifications.read"]`, time.Hour,
			knownvalue.SetExact([]knownvalue.Check{knownvalue.StringExact("notifications.read")}),
			knownvalue.SetExact([]knownvalue.Check{knownvalue.StringExact("notifications.read")}),
			inAnHour,
		},
		"without an end": {"", 0, knownvalue.SetSizeExact(2), knownvalue.Null(), knownvalue.Null()},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBackend(t, func(c *emulator.Config) { c.TokenLifetime = test.lifetime })
			resource.Test(t, resource.TestCase{
				TerraformVersionChecks:   ephemeralVersions,
				ProtoV6ProviderFactories: withEcho(),
				Steps: []resource.TestStep{{
					Config: b.echoed(test.arguments),
					ConfigStateChecks: []statecheck.StateCheck{
						statecheck.ExpectKnownValue("echo.t", at("access_token"),
							knownvalue.StringRegexp(regexp.MustCompile(`^\S{20,}$`))),
						statecheck.ExpectKnownValue("echo.t", at("token_type"),
							knownvalue.StringExact("Bearer")),
						statecheck.ExpectKnownValue("echo.t", at("granted_scopes"), test.scopes),
						statecheck.ExpectKnownValue("echo.t", at("scopes"), test.given),
						statecheck.ExpectKnownValue("echo.t", at("expires_at"), test.expires),
					},
				}},
			})
			ledger := b.Ledger()
			if ledger.SubmissionRequests+ledger.StudyRequests+ledger.OtherRequests != 0 {
				t.Errorf("requests: %v", ledger.Requests)
			}
		})
	}
}

func TestAccAccessToken_errors(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ arguments, want string }{
		"not granted": {`scopes = ["admin"]`, "Unable to obtain an access token ... invalid_scope ... does not grant the requested scopes"},
		"no scopes":   {`scopes = []`, "at least 1"},
		"not a scope": {`scopes = ["a b"]`, "must be a scope"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBackend(t, func(c *emulator.Config) {
				c.Scopes = []string{"notifications.read"}
			})
			resource.Test(t, resource.TestCase{
				TerraformVersionChecks:   ephemeralVersions,
				ProtoV6ProviderFactories: withEcho(),
				Steps: []resource.TestStep{
					{Config: b.echoed(test.arguments), ExpectError: says(test.want)},
				},
			})
		})
	}
}

// The error names the attribute of the provider that is not known yet.
func TestAccessToken_unknownProvider(t *testing.T) {
	t.Parallel()
	w := newWire(t, newBackend(t, nil))
	config := w.value(t, w.schema.Provider, map[string]any{
		"auth_url": "https://a", "base_url": "https://b", "client_id": "id", "client_secret": tftypes.UnknownValue,
	})
	configured, err := w.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		Config: config,
	})
	mustSucceed(t, err, configured.Diagnostics)
	resp, err := w.OpenEphemeralResource(t.Context(), &tfprotov6.OpenEphemeralResourceRequest{
		TypeName: "notification_access_token",
		Config: w.value(t, w.schema.EphemeralResourceSchemas["notification_access_token"],
			map[string]any{}),
	})
	if err != nil || len(resp.Diagnostics) != 1 ||
		!says("known only after apply: client_secret.").MatchString(resp.Diagnostics[0].Detail) {
		t.Errorf("%v, %+v", err, resp.Diagnostics)
	}
}
