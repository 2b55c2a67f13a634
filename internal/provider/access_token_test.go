package provider

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-notification/internal/emulator"
)

// openToken opens the ephemeral resource.
func (w *wire) openToken(
	t *testing.T, arguments map[string]any, deferralAllowed bool,
) *tfprotov6.OpenEphemeralResourceResponse {
	t.Helper()
	schema := w.schema.EphemeralResourceSchemas["notification_access_token"]
	return must(w.OpenEphemeralResource(t.Context(), &tfprotov6.OpenEphemeralResourceRequest{
		TypeName: "notification_access_token", Config: w.value(t, schema, arguments),
		ClientCapabilities: &tfprotov6.OpenEphemeralResourceClientCapabilities{
			DeferralAllowed: deferralAllowed,
		},
	}))
}

// open opens the ephemeral resource, and returns its result unless there are errors.
func (w *wire) open(
	t *testing.T, arguments map[string]any,
) (result map[string]tftypes.Value, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	resp := w.openToken(t, arguments, false)
	if len(resp.Diagnostics) == 0 {
		schema := w.schema.EphemeralResourceSchemas["notification_access_token"]
		if err := must(resp.Result.Unmarshal(schema.ValueType())).As(&result); err != nil {
			t.Fatal(err)
		}
	}
	return result, resp.Diagnostics
}

// What the ephemeral resource returns: a token that the service accepts, and what is known of it.
func TestAccessToken(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		scopes   []any
		lifetime time.Duration
		granted  []any
	}{
		"the provider's scopes": {
			nil, time.Hour, []any{"notifications.read", "notifications.write"},
		},
		"narrowed": {
			[]any{"notifications.read"}, time.Hour, []any{"notifications.read"},
		},
		"without an end": {nil, 0, []any{"notifications.read", "notifications.write"}},
	} {
		b := newBackend(t, func(c *emulator.Config) { c.TokenLifetime = test.lifetime })
		given := map[string]any{}
		if test.scopes != nil {
			given["scopes"] = test.scopes
		}
		result, diagnostics := b.wire(t, nil).open(t, given)
		if len(diagnostics) > 0 {
			t.Fatalf("%s: %+v", name, diagnostics)
		}
		text := func(attribute string) (s string) {
			if err := result[attribute].As(&s); err != nil {
				t.Fatal(err)
			}
			return s
		}
		if !regexp.MustCompile(`^\S{20,}$`).MatchString(text("access_token")) ||
			text("token_type") != "Bearer" {
			t.Errorf("%s: %s %s", name, text("token_type"), text("access_token"))
		}
		expires := result["expires_at"]
		if test.lifetime == 0 && !expires.IsNull() {
			t.Errorf("%s: expires at %s", name, expires)
		}
		if test.lifetime > 0 {
			at, err := time.Parse(time.RFC3339, text("expires_at"))
			if left := time.Until(at); err != nil || left > test.lifetime+time.Second ||
				left < test.lifetime-time.Minute || !strings.HasSuffix(text("expires_at"), "Z") {
				t.Errorf("%s: expires at %s", name, text("expires_at"))
			}
		}
		granted := toValue(t, tftypes.Set{ElementType: tftypes.String}, test.granted)
		if !result["granted_scopes"].Equal(granted) ||
			result["scopes"].IsNull() != (test.scopes == nil) {
			t.Errorf("%s: granted %s", name, result["granted_scopes"])
		}
		if ledger := b.Ledger(); ledger.TokenRequests != 1 || len(ledger.Requests) != 1 {
			t.Errorf("%s: requests: %v", name, ledger.Requests)
		}
	}
}

// A token without scopes: neither the request nor the answer named any.
func TestAccessToken_noScopes(t *testing.T) {
	t.Parallel()
	result, diagnostics := newAnswer(t, "").wire(t, nil).open(t, map[string]any{})
	if len(diagnostics) > 0 || !result["granted_scopes"].IsNull() ||
		!result["expires_at"].IsNull() {
		t.Errorf("%+v, %s", diagnostics, result)
	}
}

func TestAccessToken_errors(t *testing.T) {
	t.Parallel()
	w := newBackend(t, func(c *emulator.Config) {
		c.Scopes = []string{"notifications.read"}
	}).wire(t, nil)
	_, diagnostics := w.open(t, map[string]any{"scopes": []any{"admin"}})
	onlySays(t, "refused", diagnostics,
		"Unable to obtain an access token: ... Check scopes (NOTIFICATION_SCOPES).")
	schema := w.schema.EphemeralResourceSchemas["notification_access_token"]
	for _, test := range []struct {
		scopes []any
		want   string
	}{
		{[]any{"a", "b"}, ""}, {[]any{}, "at least 1"}, {[]any{nil}, "Null"},
		// of the set: the path of an element would quote it
		{[]any{"a b", "b"}, "scopes: Invalid scope: scopes must contain scopes only, of " +
			"printable ASCII characters except spaces, quotes and backslashes."},
	} {
		resp := must(w.ValidateEphemeralResourceConfig(t.Context(),
			&tfprotov6.ValidateEphemeralResourceConfigRequest{
				TypeName: "notification_access_token",
				Config:   w.value(t, schema, map[string]any{"scopes": test.scopes}),
			}))
		onlySays(t, fmt.Sprint(test.scopes), resp.Diagnostics, test.want)
	}
}

// The error names the attribute of the provider that is not known yet.
func TestAccessToken_unknownProvider(t *testing.T) {
	t.Parallel()
	w := newBackend(t, nil).wire(t, map[string]any{"client_secret": tftypes.UnknownValue})
	_, diagnostics := w.open(t, map[string]any{})
	onlySays(t, "unknown", diagnostics, "known only after apply: client_secret.")
}
