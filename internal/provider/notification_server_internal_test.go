package provider

import (
	"maps"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

const resourceName = "notification_notification"

// resource encodes the configuration or state of a notification; null for nil attributes.
func (s *testServer) resource(t testing.TB, attributes map[string]any) *tfprotov6.DynamicValue {
	t.Helper()
	return s.value(t, s.schema.ResourceSchemas[resourceName], attributes)
}

// validate returns the diagnostics of the resource's validation by a Terraform that supports
// write-only attributes.
func (s *testServer) validate(t *testing.T, given map[string]any) []*tfprotov6.Diagnostic {
	t.Helper()
	return must(s.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: resourceName, Config: s.resource(t, given),
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{
			WriteOnlyAttributesAllowed: true,
		},
	})).Diagnostics
}

// plannedNotification is the plan of a resource, with the state and configuration that it is from.
type plannedNotification struct {
	*tfprotov6.PlanResourceChangeResponse

	prior, config *tfprotov6.DynamicValue
}

// plan plans a change from a state, which is nil for a creation, to the given arguments.
func (s *testServer) plan(
	t testing.TB, prior *tfprotov6.DynamicValue, arguments map[string]any,
) plannedNotification {
	t.Helper()
	proposed := maps.Clone(arguments)
	if prior == nil {
		prior = s.resource(t, nil)
	} else {
		members := members(t, s.schema.ResourceSchemas[resourceName], prior)
		for _, name := range []string{
			"notification_id", "submitted_at", "confirmed", "as_submitted",
		} {
			proposed[name] = members[name]
		}
	}
	config := s.resource(t, arguments)
	resp := must(s.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: resourceName, PriorState: prior, Config: config,
		ProposedNewState: s.resource(t, proposed),
	}))
	return plannedNotification{resp, prior, config}
}

func (s *testServer) apply(
	t testing.TB, p plannedNotification,
) *tfprotov6.ApplyResourceChangeResponse {
	t.Helper()
	return must(s.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: resourceName, PriorState: p.prior, PlannedState: p.PlannedState,
		PlannedPrivate: p.PlannedPrivate, Config: p.config,
	}))
}

// create plans and applies a creation, and returns the new state.
func (s *testServer) create(t *testing.T, arguments map[string]any) *tfprotov6.DynamicValue {
	t.Helper()
	p := s.plan(t, nil, arguments)
	mustSucceed(t, p.Diagnostics)
	resp := s.apply(t, p)
	mustSucceed(t, resp.Diagnostics)
	return resp.NewState
}

// has fails the test unless state has the strings and bools of want.
func (s *testServer) has(t *testing.T, what string, state *tfprotov6.DynamicValue, want map[string]any) {
	t.Helper()
	members := members(t, s.schema.ResourceSchemas[resourceName], state)
	for name, value := range want {
		if got := members[name]; !got.Equal(tftypes.NewValue(got.Type(), value)) {
			t.Errorf("%s: %s is %v, want %v", what, name, got, value)
		}
	}
}
