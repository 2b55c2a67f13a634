package provider

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// move moves a resource of another type, or of another provider, to a notification.
func (s *testServer) move(
	t *testing.T, kind, address, state string, private []byte,
) *tfprotov6.MoveResourceStateResponse {
	t.Helper()
	return must(s.MoveResourceState(t.Context(), &tfprotov6.MoveResourceStateRequest{
		SourceTypeName: kind, SourceProviderAddress: address, TargetTypeName: resourceName,
		SourceState: &tfprotov6.RawState{JSON: []byte(state)}, SourcePrivate: private,
	}))
}

// A move from another resource keeps only the triggers.
func TestMove_keepsTriggersOnly(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	const one = `{"release":"1"}`
	for name, test := range map[string]struct {
		kind, state string
		triggers    string // "" for null
	}{
		"null_resource":       {"null_resource", `{"id":"1","triggers":` + one + `}`, one},
		"null_resource, none": {"null_resource", `{"id":"1","triggers":null}`, `{}`},
		"after terraform_data": {
			resourceName, `{"id":"1","input":null,"triggers_replace":` +
				`{"value":` + one + `,"type":["object",{"release":"string"}]}}`, one,
		},
		"after any other": {resourceName, `{"id":"1","url":"https://a.test"}`, ""},
		"store, replaced": {
			"terraform_data", `{"id":"1","triggers_replace":null,"store":{"replace":true}}`, "",
		},
		"store": {"terraform_data", `{"triggers_replace":null,"store":{"replace":null}}`, `{}`},
		"a number in an object": {
			"terraform_data", `{"triggers_replace":{"value":{"release":1},` +
				`"type":["object",{"release":"number"}]}}`, "",
		},
		// Their arguments are no triggers, whatever their names.
		"terracurl": {"terracurl_request", `{"id":"1","triggers":` + one + `}`, ""},
		"restapi":   {"restapi_object", `{"id":"1","triggers":` + one + `}`, ""},
		"restful":   {"restful_operation", `{"id":"1","triggers":` + one + `}`, ""},
	} {
		// OpenTofu passes short addresses.
		resp := s.move(t, test.kind, "hashicorp/any", test.state, []byte(`{"schema_version":"1"}`))
		mustSucceed(t, resp.Diagnostics)
		want := map[string]any{"as_submitted": false}
		if test.triggers != "" {
			want["triggers"] = arguments(t, test.triggers)
		}
		diff := difference(t, s.schema.ResourceSchemas[resourceName], s.resource(t, want), resp.TargetState)
		if diff != "" || len(resp.TargetPrivate) > 0 {
			t.Errorf("%s: want (-), got (+), private %q:\n%s", name, resp.TargetPrivate, diff)
		}
	}
	s.requested(t)
}

// A notification keeps its state and private state when its provider's address changes. Attributes
// that only a newer version has are dropped; those that this version has added are null.
func TestMove_keepsANotification(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	const kept = `,"notification_id":"n-1","resend_on_change":false,"delivery":"at_least_once",` +
		`"confirmed":true,"as_submitted":true,"submitted_at":"2026-11-22T10:00:00Z"`
	state := strings.Replace(anAnnouncement, `"one"`, `"one","later":1`, 1) + kept + `,"later":{}}`
	private := []byte(`{"recorded":"e30="}`)
	resp := s.move(t, resourceName, "acme/notification", state, private)
	onlySays(t, "moved", resp.Diagnostics, "")
	want := s.resource(t, arguments(t, anAnnouncement+kept+"}"))
	diff := difference(t, s.schema.ResourceSchemas[resourceName], want, resp.TargetState)
	if diff != "" || !bytes.Equal(resp.TargetPrivate, private) {
		t.Errorf("want (-), got (+), private %q:\n%s", resp.TargetPrivate, diff)
	}
}

// Any other source is an error, which names the types that can be moved.
func TestMove_refused(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for kind, want := range map[string]string{
		"aws_sns_topic":             "terraform_data, null_resource, terracurl_request, restapi_object or",
		"notification_notification": "Its state cannot be read",
	} {
		resp := s.move(t, kind, "registry.terraform.io/hashicorp/aws", `{"channels":1}`, nil)
		onlySays(t, kind, resp.Diagnostics, want+" ... Nothing was sent.")
	}
}
