package provider

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
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

// A token without expiry, and without scopes in its request and in its response, has neither. Two
// resources with the provider's scopes share one.
func TestAccessToken(t *testing.T) {
	t.Parallel()
	for response, granted := range map[string][]any{
		`{"access_token":"t","token_type":"Bearer"}`:                      nil,
		`{"access_token":"t","token_type":"bearer","scope":"read write"}`: {"read", "write"},
	} {
		b := newBackend(t, faulty("token", "json:"+response))
		s := b.configure(t, nil)
		want := map[string]any{"access_token": "t", "token_type": "Bearer"}
		if granted != nil {
			want["granted_scopes"] = granted
		}
		schema := s.schema.EphemeralResourceSchemas["notification_access_token"]
		for range 2 {
			resp := s.openToken(t, map[string]any{}, false)
			onlySays(t, response, resp.Diagnostics, "")
			if expected := s.value(t, schema, want); !bytes.Equal(resp.Result.MsgPack, expected.MsgPack) {
				t.Errorf("%s: %q, want %q", response, resp.Result.MsgPack, expected.MsgPack)
			}
		}
		b.tokens(t, 1)
	}
}

func TestAccessToken_invalidScopes(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
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
