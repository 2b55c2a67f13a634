package provider

import (
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-notification/internal/emulator"
)

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

// open opens the ephemeral resource, and returns its result unless there are errors.
func (s *testServer) open(
	t *testing.T, arguments map[string]any,
) (result map[string]tftypes.Value, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	resp := s.openToken(t, arguments, false)
	if len(resp.Diagnostics) == 0 {
		schema := s.schema.EphemeralResourceSchemas["notification_access_token"]
		if err := must(resp.Result.Unmarshal(schema.ValueType())).As(&result); err != nil {
			t.Fatal(err)
		}
	}
	return result, resp.Diagnostics
}

// The ephemeral resource returns an access token, its expiry and its scopes.
func TestAccessToken(t *testing.T) {
	t.Parallel()
	both, read := []any{"notifications.read", "notifications.write"}, []any{"notifications.read"}
	for name, test := range map[string]struct {
		scopes   any
		lifetime time.Duration
		granted  []any
	}{
		"the provider's scopes": {nil, time.Hour, both},
		"narrowed":              {read, time.Hour, read},
		"without expiry":        {nil, 0, both},
	} {
		b := newBackend(t, func(c *emulator.Config) { c.TokenLifetime = test.lifetime })
		result, diagnostics := b.configure(t, nil).open(t, map[string]any{"scopes": test.scopes})
		onlySays(t, name, diagnostics, "")
		text := func(attribute string) (s string) {
			if err := result[attribute].As(&s); err != nil {
				t.Fatal(err)
			}
			return s
		}
		if len(text("access_token")) < 20 || text("token_type") != "Bearer" {
			t.Errorf("%s: %s %s", name, text("token_type"), text("access_token"))
		}
		if test.lifetime == 0 {
			if expires := result["expires_at"]; !expires.IsNull() {
				t.Errorf("%s: expires at %s", name, expires)
			}
		} else if at, err := time.Parse("2006-01-02T15:04:05Z", text("expires_at")); err != nil ||
			(time.Until(at)-test.lifetime).Abs() > time.Minute {
			t.Errorf("%s: expires at %s", name, text("expires_at"))
		}
		set := tftypes.Set{ElementType: tftypes.String}
		if !result["granted_scopes"].Equal(toValue(t, set, test.granted)) ||
			!result["scopes"].Equal(toValue(t, set, test.scopes)) {
			t.Errorf("%s: granted %s", name, result["granted_scopes"])
		}
		b.tokens(t, 1)
	}
	// Neither the request nor the response named any scopes, and the response has no expiry.
	const bare = `json:{"access_token":"t","token_type":"Bearer"}`
	result, diagnostics := newBackend(t, faulty("token", bare)).configure(t, nil).open(t, map[string]any{})
	onlySays(t, "without scopes", diagnostics, "")
	if !result["granted_scopes"].IsNull() || !result["expires_at"].IsNull() {
		t.Errorf("without scopes: %s", result)
	}
}

func TestAccessToken_errors(t *testing.T) {
	t.Parallel()
	s := newBackend(t, func(c *emulator.Config) {
		c.Scopes = []string{"notifications.read"}
	}).configure(t, nil)
	_, diagnostics := s.open(t, map[string]any{"scopes": []any{"admin"}})
	onlySays(t, "refused", diagnostics,
		"Unable to obtain an access token: ... Check scopes (NOTIFICATION_SCOPES).")
	schema := s.schema.EphemeralResourceSchemas["notification_access_token"]
	for _, test := range []struct {
		scopes []any
		want   string
	}{
		{[]any{"a", "b"}, ""}, {[]any{}, "at least 1"}, {[]any{nil}, "Null"},
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
