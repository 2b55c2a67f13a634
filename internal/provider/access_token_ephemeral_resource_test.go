package provider

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/hashicorp/terraform-plugin-testing/tfversion"

	"github.com/notification/terraform-provider-notification/internal/emulator"
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
	b := newBackend(t, emulator.Config{})
	configured := b.provider(`scopes = ["notifications.write"]`) + echoedToken
	read := knownvalue.SetExact([]knownvalue.Check{knownvalue.StringExact("notifications.read")})
	resource.Test(t, resource.TestCase{
		TerraformVersionChecks:   []tfversion.TerraformVersionCheck{ephemeralResources},
		ProtoV6ProviderFactories: withEcho,
		Steps: []resource.TestStep{
			{
				Config: configured,
				ConfigStateChecks: []statecheck.StateCheck{statecheck.ExpectKnownValue("echo.token",
					tfjsonpath.New("data"), knownvalue.ObjectExact(map[string]knownvalue.Check{
						"access_token":   knownvalue.StringRegexp(regexp.MustCompile("^emu_")),
						"token_type":     knownvalue.StringExact("Bearer"),
						"expires_at":     knownvalue.StringFunc(isAbout(time.Now().Add(time.Hour))),
						"scopes":         read,
						"granted_scopes": read,
					}))},
			},
		},
	})
	for _, request := range b.Ledger().Requests {
		if request.Target != "token" {
			t.Errorf("the service received %+v", request)
		}
	}
	b.ClearLedger()
}

// openToken opens the ephemeral resource.
func (s *testServer) openToken(
	t *testing.T, arguments map[string]any, deferralAllowed bool,
) *tfprotov6.OpenEphemeralResourceResponse {
	t.Helper()
	schema := s.schema.EphemeralResourceSchemas["notification_access_token"]
	return must(s.OpenEphemeralResource(t.Context(), &tfprotov6.OpenEphemeralResourceRequest{
		TypeName: "notification_access_token", Config: s.value(t, schema, arguments),
		ClientCapabilities: &tfprotov6.OpenEphemeralResourceClientCapabilities{
			DeferralAllowed: deferralAllowed,
		},
	}))
}

// A token without expiry, and without scopes in its request and in its response, has neither. Two
// resources with the provider's scopes share one. A request that the authorization server refuses
// is an error.
func TestOpenAccessToken(t *testing.T) {
	t.Parallel()
	for response, granted := range map[string][]any{
		`{"access_token":"t","token_type":"Bearer"}`:                      nil,
		`{"access_token":"t","token_type":"bearer","scope":"read write"}`: {"read", "write"},
	} {
		b := newBackend(t, emulator.Config{Faults: emulator.Faults{"token": "json:" + response}})
		s := b.configure(t, nil)
		want := map[string]any{"access_token": "t", "token_type": "Bearer"}
		if granted != nil {
			want["granted_scopes"] = granted
		}
		schema := s.schema.EphemeralResourceSchemas["notification_access_token"]
		for _, a := range schema.Block.Attributes {
			if a.Sensitive != (a.Name == "access_token") {
				t.Errorf("%s: sensitive %t", a.Name, a.Sensitive)
			}
		}
		for range 2 {
			resp := s.openToken(t, map[string]any{}, false)
			onlySays(t, response, resp.Diagnostics, "")
			if diff := difference(t, schema, s.value(t, schema, want), resp.Result); diff != "" {
				t.Errorf("%s: want (-), got (+):\n%s", response, diff)
			}
		}
		b.requested(t, "token")
	}
	b := newBackend(t, emulator.Config{Faults: emulator.Faults{"token": "status:400"}})
	resp := b.configure(t, nil).openToken(t, map[string]any{}, false)
	onlySays(t, "refused", resp.Diagnostics, "Unable to obtain an access token: ... invalid_request")
	b.requested(t, "token")
}

func TestInvalidScopes(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	schema := s.schema.EphemeralResourceSchemas["notification_access_token"]
	for _, test := range []struct {
		scopes []any
		want   string
	}{
		{[]any{"a", "b"}, ""}, {[]any{}, "at least 1"}, {[]any{nil}, "Invalid scope"},
		// reported at the set: the path of an element would quote it
		{[]any{"a b", "b"}, "scopes: Invalid scope: scopes must contain scopes only, of " +
			"printable ASCII characters except spaces, quotes and backslashes."},
	} {
		resp := must(s.ValidateEphemeralResourceConfig(t.Context(),
			&tfprotov6.ValidateEphemeralResourceConfigRequest{
				TypeName: "notification_access_token",
				Config:   s.value(t, schema, map[string]any{"scopes": test.scopes}),
			}))
		onlySays(t, fmt.Sprint(test.scopes), resp.Diagnostics, test.want)
	}
}
