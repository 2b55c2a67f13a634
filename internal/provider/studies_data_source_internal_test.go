package provider

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// readStudies reads the data source.
func (s *testServer) readStudies(t *testing.T, deferralAllowed bool) *tfprotov6.ReadDataSourceResponse {
	t.Helper()
	schema := s.schema.DataSourceSchemas["notification_studies"]
	return must(s.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{
		TypeName: "notification_studies",
		Config:   s.value(t, schema, map[string]any{"name": "x"}),
		ClientCapabilities: &tfprotov6.ReadDataSourceClientCapabilities{
			DeferralAllowed: deferralAllowed,
		},
	}))
}

// A failed lookup is an error, and so is a response with studies that Terraform cannot store;
// nothing is stored. Secrets in quotes of the response are masked.
func TestStudies_failure(t *testing.T) {
	t.Parallel()
	const twoTypes = `json:[{"` + testSecret + `":1,"` + testSecret + `":""}]`
	for fault, want := range map[string]string{
		"status:404": "Unable to look up studies: ",
		twoTypes: "studies: Unable to read the studies in the response: The service responded to the " +
			`lookup, but two members have the same name and different types: "***". ... ` +
			"request id ... not even response_json.",
	} {
		s := newBackend(t, faulty("studies", fault)).configure(t, nil)
		resp := s.readStudies(t, false)
		onlySays(t, fault, resp.Diagnostics, want)
		state := members(t, s.schema.DataSourceSchemas["notification_studies"], resp.State)
		if !state["studies"].IsNull() || !state["response_json"].IsNull() {
			t.Errorf("%s: stored %s", fault, state)
		}
	}
}

// While provider settings are unknown, lookups and tokens are deferred if the caller allows it. The
// result of a deferred lookup is unknown. Notifications are planned as usual, even on a server that
// was never configured.
func TestDeferral(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	unknown := b.configure(t, map[string]any{"client_secret": tftypes.UnknownValue})
	unconfigured := newServer(t, New("test"))
	given := arguments(t, anAnnouncement+"}")
	created := newTestServer(t).create(t, given)
	for name, test := range map[string]struct {
		*testServer
		allowed, deferred bool
		says              string
	}{
		"unknown":        {unknown, true, true, ""},
		"not allowed":    {unknown, false, false, "known only after apply: client_secret."},
		"known":          {newTestServer(t), true, false, ""},
		"not configured": {unconfigured, false, false, "known only after apply: allow_insecure_http,"},
	} {
		onlySays(t, name+", a creation", test.plan(t, nil, given).Diagnostics, "")
		onlySays(t, name+", a notification", test.plan(t, created, given).Diagnostics, "")
		lookup := test.readStudies(t, test.allowed)
		onlySays(t, name+", lookup", lookup.Diagnostics, test.says)
		token := test.openToken(t, map[string]any{}, test.allowed)
		onlySays(t, name+", token", token.Diagnostics, test.says)
		if (lookup.Deferred != nil) != test.deferred || (token.Deferred != nil) != test.deferred {
			t.Errorf("%s: deferred: %v, %v", name, lookup.Deferred, token.Deferred)
		}
		if !test.deferred {
			continue
		}
		const unknownConfig = tfprotov6.DeferredReasonProviderConfigUnknown
		state := members(t, unknown.schema.DataSourceSchemas["notification_studies"], lookup.State)
		if lookup.Deferred.Reason != unknownConfig || token.Deferred.Reason != unknownConfig ||
			state["studies"].IsKnown() || state["response_json"].IsKnown() ||
			!state["name"].Equal(tftypes.NewValue(tftypes.String, "x")) {
			t.Errorf("%s: %v, %v, %s", name, lookup.Deferred, token.Deferred, state)
		}
	}
	withKey := arguments(t, anAnnouncement+`,"idempotency_key":"a"}`)
	onlySays(t, "not configured, with a key", unconfigured.plan(t, nil, withKey).Diagnostics, "")
	b.sent(t, 0)
}
