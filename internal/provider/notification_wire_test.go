package provider

import (
	"maps"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// plannedNotification is a planned resource and its configuration.
type plannedNotification struct {
	*tfprotov6.PlanResourceChangeResponse

	config *tfprotov6.DynamicValue
}

const resourceName = "notification_notification"

// none is what was applied before a notification is created.
func (w *wire) none(t testing.TB) *tfprotov6.ApplyResourceChangeResponse {
	t.Helper()
	return &tfprotov6.ApplyResourceChangeResponse{NewState: w.resource(t, nil)}
}

// resource is the configuration or state of a notification; null with nil attributes.
func (w *wire) resource(t testing.TB, attributes map[string]any) *tfprotov6.DynamicValue {
	t.Helper()
	return w.value(t, w.schema.ResourceSchemas[resourceName], attributes)
}

// validate are the diagnostics of the resource's validation, by a Terraform that knows write-only
// attributes.
func (w *wire) validate(t *testing.T, given map[string]any) []*tfprotov6.Diagnostic {
	t.Helper()
	return must(w.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: resourceName, Config: w.resource(t, given),
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{
			WriteOnlyAttributesAllowed: true,
		},
	})).Diagnostics
}

// planAny plans a change from prior to the given arguments, errors included; prior is nil for a
// creation.
func (w *wire) planAny(
	t testing.TB, prior *tfprotov6.ApplyResourceChangeResponse, arguments map[string]any,
) plannedNotification {
	t.Helper()
	proposed := maps.Clone(arguments)
	if prior == nil {
		prior = w.none(t)
	} else {
		for _, name := range []string{
			"notification_id", "submitted_at", "confirmed", "as_submitted",
		} {
			proposed[name] = w.attribute(t, prior.NewState, name)
		}
	}
	config := w.resource(t, arguments)
	resp := must(w.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: resourceName, PriorState: prior.NewState, PriorPrivate: prior.Private,
		Config: config, ProposedNewState: w.resource(t, proposed),
	}))
	return plannedNotification{resp, config}
}

// plan plans what has no errors.
func (w *wire) plan(
	t testing.TB, prior *tfprotov6.ApplyResourceChangeResponse, arguments map[string]any,
) plannedNotification {
	t.Helper()
	p := w.planAny(t, prior, arguments)
	mustSucceed(t, p.Diagnostics)
	return p
}

// applyAny applies what was planned from prior, errors included.
func (w *wire) applyAny(
	t testing.TB, prior *tfprotov6.ApplyResourceChangeResponse, p plannedNotification,
) *tfprotov6.ApplyResourceChangeResponse {
	t.Helper()
	if prior == nil {
		prior = w.none(t)
	}
	return must(w.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: resourceName, PriorState: prior.NewState, PlannedState: p.PlannedState,
		PlannedPrivate: p.PlannedPrivate, Config: p.config,
	}))
}

// create plans and applies a new resource.
func (w *wire) create(
	t *testing.T, arguments map[string]any,
) *tfprotov6.ApplyResourceChangeResponse {
	t.Helper()
	return w.update(t, nil, arguments)
}

// update plans and applies a change.
func (w *wire) update(
	t *testing.T, prior *tfprotov6.ApplyResourceChangeResponse, arguments map[string]any,
) *tfprotov6.ApplyResourceChangeResponse {
	t.Helper()
	resp := w.applyAny(t, prior, w.plan(t, prior, arguments))
	mustSucceed(t, resp.Diagnostics)
	return resp
}

// attribute is a string or bool of a resource; nil when it is null.
func (w *wire) attribute(t testing.TB, state *tfprotov6.DynamicValue, name string) any {
	t.Helper()
	value := must(state.Unmarshal(w.schema.ResourceSchemas[resourceName].ValueType()))
	var attributes map[string]tftypes.Value
	var text string
	if err := value.As(&attributes); err != nil {
		t.Fatal(err)
	}
	switch attribute := attributes[name]; {
	case !attribute.IsKnown():
		return tftypes.UnknownValue
	case attribute.IsNull():
		return nil
	case attribute.Type().Is(tftypes.Bool):
		return attribute.Equal(tftypes.NewValue(tftypes.Bool, true))
	default:
		if err := attribute.As(&text); err != nil {
			t.Fatal(err)
		}
		return text
	}
}

// has fails the test unless a state has these strings and bools.
func (w *wire) has(t *testing.T, what string, state *tfprotov6.DynamicValue, want map[string]any) {
	t.Helper()
	for name, value := range want {
		if got := w.attribute(t, state, name); got != value {
			t.Errorf("%s: %s is %v, want %v", what, name, got, value)
		}
	}
}
