package provider

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/big"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-notification/internal/protocol"
)

// wire makes the calls of the plugin protocol that Terraform makes. What only some versions of
// Terraform do can thus be tested with any.
type wire struct {
	protocol.Server

	schema *tfprotov6.GetProviderSchemaResponse
}

// newWire configures a provider for a backend.
func newWire(t testing.TB, b *backend) *wire {
	t.Helper()
	return newWireWith(t, b, nil)
}

// newWireWith adds settings to those that the backend needs.
func newWireWith(t testing.TB, b *backend, settings map[string]any) *wire {
	t.Helper()
	block := map[string]any{
		"auth_url": b.url, "base_url": b.url, "client_id": "id", "client_secret": testSecret,
	}
	maps.Copy(block, settings)
	return newWireOf(t, New("test"), block)
}

// newWireOf configures a provider as a Terraform that supports all that it has.
func newWireOf(t testing.TB, p provider.Provider, block map[string]any) *wire {
	t.Helper()
	server := newServer(p)
	schema, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	mustSucceed(t, err, schema.Diagnostics)
	w := &wire{Server: server, schema: schema}
	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: "1.14.0", Config: w.value(t, schema.Provider, block),
	})
	mustSucceed(t, err, configured.Diagnostics)
	return w
}

func mustSucceed(t testing.TB, err error, diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range diagnostics {
		if d.Severity == tfprotov6.DiagnosticSeverityError {
			t.Fatalf("%s: %s", d.Summary, d.Detail)
		}
	}
}

// value is an object of the schema's type, in which attributes that are not given are null. With
// nil attributes the whole object is null.
func (w *wire) value(
	t testing.TB, schema *tfprotov6.Schema, attributes map[string]any,
) *tfprotov6.DynamicValue {
	t.Helper()
	typ := schema.ValueType()
	object := tftypes.NewValue(typ, nil)
	if attributes != nil {
		object = toValue(t, typ, attributes)
	}
	value, err := tfprotov6.NewDynamicValue(typ, object)
	if err != nil {
		t.Fatal(err)
	}
	return &value
}

// toValue converts values as encoding/json decodes them, and tftypes.UnknownValue.
func toValue(t testing.TB, typ tftypes.Type, value any) tftypes.Value {
	t.Helper()
	if value == nil || value == tftypes.UnknownValue {
		return tftypes.NewValue(typ, value)
	}
	switch typ := typ.(type) {
	case tftypes.Object:
		members := map[string]tftypes.Value{}
		given := maps.Clone(value.(map[string]any))
		for name, memberType := range typ.AttributeTypes {
			members[name] = toValue(t, memberType, given[name])
			delete(given, name)
		}
		if len(given) > 0 {
			t.Fatalf("no such attributes: %v", given)
		}
		return tftypes.NewValue(typ, members)
	case tftypes.Map:
		elements := map[string]tftypes.Value{}
		for name, element := range value.(map[string]any) {
			elements[name] = toValue(t, typ.ElementType, element)
		}
		return tftypes.NewValue(typ, elements)
	case tftypes.List:
		return tftypes.NewValue(typ, toValues(t, typ.ElementType, value.([]any)))
	case tftypes.Set:
		return tftypes.NewValue(typ, toValues(t, typ.ElementType, value.([]any)))
	}
	if n, ok := value.(float64); ok {
		value = big.NewFloat(n)
	}
	return tftypes.NewValue(typ, value)
}

func toValues(t testing.TB, typ tftypes.Type, values []any) []tftypes.Value {
	t.Helper()
	elements := []tftypes.Value{}
	for _, element := range values {
		elements = append(elements, toValue(t, typ, element))
	}
	return elements
}

// plannedNotification is a planned resource and its configuration.
type plannedNotification struct {
	*tfprotov6.PlanResourceChangeResponse

	config *tfprotov6.DynamicValue
}

const resourceName = "notification_notification"

// none is what was applied before a notification is created.
func (w *wire) none(t testing.TB) *tfprotov6.ApplyResourceChangeResponse {
	t.Helper()
	return &tfprotov6.ApplyResourceChangeResponse{
		NewState: w.value(t, w.schema.ResourceSchemas[resourceName], nil),
	}
}

// planAny plans a change from prior to the given arguments, errors included; prior is nil for a
// creation.
func (w *wire) planAny(
	t testing.TB, prior *tfprotov6.ApplyResourceChangeResponse, arguments map[string]any,
) plannedNotification {
	t.Helper()
	schema := w.schema.ResourceSchemas[resourceName]
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
	config := w.value(t, schema, arguments)
	resp, err := w.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: resourceName, PriorState: prior.NewState, PriorPrivate: prior.Private,
		Config: config, ProposedNewState: w.value(t, schema, proposed),
	})
	if err != nil {
		t.Fatal(err)
	}
	return plannedNotification{resp, config}
}

// plan plans what has no errors.
func (w *wire) plan(
	t testing.TB, prior *tfprotov6.ApplyResourceChangeResponse, arguments map[string]any,
) plannedNotification {
	t.Helper()
	p := w.planAny(t, prior, arguments)
	mustSucceed(t, nil, p.Diagnostics)
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
	resp, err := w.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: resourceName, PriorState: prior.NewState, PlannedState: p.PlannedState,
		PlannedPrivate: p.PlannedPrivate, Config: p.config,
	})
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

// apply plans and applies a new resource, whose arguments are in JSON, and returns the answer,
// errors included.
func (w *wire) apply(t *testing.T, text string) *tfprotov6.ApplyResourceChangeResponse {
	t.Helper()
	return w.applyAny(t, nil, w.plan(t, nil, arguments(t, text)))
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
	mustSucceed(t, nil, resp.Diagnostics)
	return resp
}

// delete deletes a notification, and returns the warnings.
func (w *wire) delete(
	t *testing.T, created *tfprotov6.ApplyResourceChangeResponse,
) []*tfprotov6.Diagnostic {
	t.Helper()
	null := w.none(t).NewState
	planned, err := w.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: resourceName, PriorState: created.NewState, PriorPrivate: created.Private,
		ProposedNewState: null, Config: null,
	})
	mustSucceed(t, err, planned.Diagnostics)
	deleted := w.applyAny(t, created, plannedNotification{planned, null})
	mustSucceed(t, nil, deleted.Diagnostics)
	return append(planned.Diagnostics, deleted.Diagnostics...)
}

// isStored reports whether an apply has left a notification in the state.
func (w *wire) isStored(t *testing.T, resp *tfprotov6.ApplyResourceChangeResponse) bool {
	t.Helper()
	return !bytes.Equal(resp.NewState.MsgPack, w.none(t).NewState.MsgPack)
}

// attribute is a string or bool of a resource; nil when it is null.
func (w *wire) attribute(t testing.TB, state *tfprotov6.DynamicValue, name string) any {
	t.Helper()
	value, err := state.Unmarshal(w.schema.ResourceSchemas[resourceName].ValueType())
	if err != nil {
		t.Fatal(err)
	}
	var attributes map[string]tftypes.Value
	if err := value.As(&attributes); err != nil {
		t.Fatal(err)
	}
	switch attribute := attributes[name]; {
	case !attribute.IsKnown():
		return tftypes.UnknownValue
	case attribute.IsNull():
		return nil
	case attribute.Type().Is(tftypes.Bool):
		var b bool
		if err := attribute.As(&b); err != nil {
			t.Fatal(err)
		}
		return b
	default:
		var s string
		if err := attribute.As(&s); err != nil {
			t.Fatal(err)
		}
		return s
	}
}

// arguments are those of a notification, in JSON.
func arguments(t testing.TB, text string) map[string]any {
	t.Helper()
	var decoded map[string]any
	if err := json.Unmarshal([]byte(text), &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}
