package provider

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// wire makes the calls of the plugin protocol that Terraform makes. What only some versions of
// Terraform do can thus be tested with any.
type wire struct {
	tfprotov6.ProviderServer
	tfprotov6.ActionServer

	schema *tfprotov6.GetProviderSchemaResponse
}

// newWire configures a provider for a backend, as a Terraform that supports write-only attributes.
func newWire(t testing.TB, b *backend) *wire {
	t.Helper()
	return newWireOf(t, b, "1.11.0")
}

func newWireOf(t testing.TB, b *backend, terraformVersion string) *wire {
	t.Helper()
	return newWireWith(t, b, terraformVersion, nil)
}

// newWireWith adds settings to those that the backend needs.
func newWireWith(
	t testing.TB, b *backend, terraformVersion string, settings map[string]any,
) *wire {
	t.Helper()
	server := newServer(New("test"))
	actions, ok := server.(tfprotov6.ActionServer)
	if !ok {
		t.Fatal("the framework serves no actions")
	}
	schema, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	mustSucceed(t, err, schema.Diagnostics)
	w := &wire{ProviderServer: server, ActionServer: actions, schema: schema}
	block := map[string]any{
		"auth_url": b.url, "base_url": b.url, "client_id": "id", "client_secret": testSecret,
	}
	maps.Copy(block, settings)
	configured, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: terraformVersion,
		Config:           w.value(t, schema.Provider, block),
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
		elements := []tftypes.Value{}
		for _, element := range value.([]any) {
			elements = append(elements, toValue(t, typ.ElementType, element))
		}
		return tftypes.NewValue(typ, elements)
	case tftypes.Set:
		elements := []tftypes.Value{}
		for _, element := range value.([]any) {
			elements = append(elements, toValue(t, typ.ElementType, element))
		}
		return tftypes.NewValue(typ, elements)
	}
	if n, ok := value.(float64); ok {
		value = big.NewFloat(n)
	}
	return tftypes.NewValue(typ, value)
}

// notification is a planned resource and, after apply, the applied one.
type plannedNotification struct {
	*tfprotov6.PlanResourceChangeResponse

	config *tfprotov6.DynamicValue
}

const resourceName = "notification_notification"

// plan plans a change from prior to the given arguments; prior is nil for a creation.
func (w *wire) plan(
	t *testing.T, prior *tfprotov6.ApplyResourceChangeResponse, arguments map[string]any,
) plannedNotification {
	t.Helper()
	schema := w.schema.ResourceSchemas[resourceName]
	before, private := w.value(t, schema, nil), []byte(nil)
	proposed := maps.Clone(arguments)
	if prior != nil {
		before, private = prior.NewState, prior.Private
		for _, name := range []string{
			"notification_id", "submitted_at", "confirmed", "as_submitted",
		} {
			proposed[name] = w.attribute(t, prior.NewState, name)
		}
	}
	config := w.value(t, schema, arguments)
	resp, err := w.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: resourceName, PriorState: before, PriorPrivate: private, Config: config,
		ProposedNewState: w.value(t, schema, proposed),
	})
	mustSucceed(t, err, resp.Diagnostics)
	return plannedNotification{resp, config}
}

// create plans and applies a new resource.
func (w *wire) create(
	t *testing.T, arguments map[string]any,
) *tfprotov6.ApplyResourceChangeResponse {
	t.Helper()
	p := w.plan(t, nil, arguments)
	resp, err := w.ApplyResourceChange(t.Context(), &tfprotov6.ApplyResourceChangeRequest{
		TypeName: resourceName, PriorState: w.value(t, w.schema.ResourceSchemas[resourceName], nil),
		PlannedState: p.PlannedState, PlannedPrivate: p.PlannedPrivate, Config: p.config,
	})
	mustSucceed(t, err, resp.Diagnostics)
	return resp
}

// attribute is a string or bool of a resource; nil when it is null.
func (w *wire) attribute(t *testing.T, state *tfprotov6.DynamicValue, name string) any {
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
func arguments(t *testing.T, text string) map[string]any {
	t.Helper()
	var decoded map[string]any
	if err := json.Unmarshal([]byte(text), &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}

const (
	aChannel       = `{"type":"slack","recipient":["C1"],"subject":"one"}`
	anAnnouncement = `{"priority":"HIGH","channels":[` + aChannel + `]`
)

// The plan warns exactly when a change of channels or priority is not sent.
func TestNotSentWarning(t *testing.T) {
	t.Parallel()
	const triggers = `,"triggers":{"a":"1"}`
	b := newBackend(t, nil)
	w := newWire(t, b)
	created := w.create(t, arguments(t, anAnnouncement+`,"triggers":{"a":"1"}}`))
	b.ClearLedger()
	for name, test := range map[string]struct {
		arguments   string
		names       []string // arguments that the warning names; none: no warning
		asSubmitted any
		replaced    string
	}{
		"nothing": {anAnnouncement + `,"triggers":{"a":"1"}}`, nil, true, ""},
		"channels": {
			strings.Replace(anAnnouncement, "one", "two", 1) + triggers + `}`,
			[]string{"channels changed"}, false, "",
		},
		"one more channel": {
			`{"priority":"HIGH","channels":[` + aChannel + `,` + aChannel + `]` + triggers + `}`,
			[]string{"channels changed"}, false, "",
		},
		"priority": {
			`{"priority":"BATCH","channels":[` + aChannel + `]` + triggers + `}`,
			[]string{"priority changed"}, false, "",
		},
		"both": {
			strings.NewReplacer("HIGH", "BATCH", "one", "two").Replace(anAnnouncement) + triggers + `}`,
			[]string{"channels changed and priority changed"}, false, "",
		},
		"triggers": {anAnnouncement + `,"triggers":{"a":"2"}}`, nil, true, "triggers"},
		"triggers and more": {
			strings.NewReplacer("HIGH", "BATCH", "one", "two").Replace(anAnnouncement) +
				`,"triggers":{"a":"2"}}`,
			nil, false, "triggers",
		},
		"resend_on_change": {
			`{"priority":"BATCH","channels":[` + aChannel + `]` + triggers +
				`,"resend_on_change":true}`,
			nil, false, "priority",
		},
		"other arguments": {
			anAnnouncement + triggers + `,"resend_on_change":true,"timeouts":{"create":"1m"}}`,
			nil, true, "",
		},
		"resend and no change": {
			anAnnouncement + `,"triggers":{"a":"1"},"resend_on_change":true}`, nil, true, "",
		},
	} {
		p := w.plan(t, created, arguments(t, test.arguments))
		if got := w.attribute(t, p.PlannedState, "as_submitted"); got != test.asSubmitted {
			t.Errorf("%s: as_submitted %v", name, got)
		}
		var replaced []string
		for _, path := range p.RequiresReplace {
			replaced = append(replaced, path.String())
		}
		if got := strings.Join(replaced, " "); !strings.Contains(got, test.replaced) ||
			(test.replaced == "") != (got == "") {
			t.Errorf("%s: replaced for %q, want %q", name, got, test.replaced)
		}
		if len(test.names) == 0 {
			if len(p.Diagnostics) > 0 {
				t.Errorf("%s: %s", name, p.Diagnostics[0].Detail)
			}
			continue
		}
		if len(p.Diagnostics) != 1 {
			t.Errorf("%s: %d diagnostics", name, len(p.Diagnostics))
			continue
		}
		d := p.Diagnostics[0]
		want := slices.Concat(test.names, []string{
			"Unless Terraform replaces", "triggers", "resend_on_change = true", "-replace=",
			w.attribute(t, created.NewState, "notification_id").(string),
		})
		for _, word := range want {
			if d.Summary != "Changes to a notification are not sent by themselves" ||
				d.Severity != tfprotov6.DiagnosticSeverityWarning ||
				!strings.Contains(d.Detail, word) {
				t.Errorf("%s: does not say %q: %s: %s", name, word, d.Summary, d.Detail)
			}
		}
	}
	b.sent(t, 0)()
}

// An unknown value may be a change: as_submitted is unknown too, and the warning says "may change".
// If the value turns out unchanged, there is no warning.
func TestUnknownChange(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	w := newWire(t, b)
	created := w.create(t, arguments(t, anAnnouncement+`}`))
	changed := arguments(t, anAnnouncement+`}`)
	changed["channels"].([]any)[0].(map[string]any)["subject"] = tftypes.UnknownValue
	p := w.plan(t, created, changed)
	if got := w.attribute(t, p.PlannedState, "as_submitted"); got != tftypes.UnknownValue {
		t.Errorf("as_submitted %v", got)
	}
	if len(p.Diagnostics) != 1 ||
		!strings.HasPrefix(p.Diagnostics[0].Detail, "channels may change (") ||
		len(p.RequiresReplace) != 0 {
		t.Errorf("%+v, replace for %v", p.Diagnostics, p.RequiresReplace)
	}
	if p = w.plan(t, created, arguments(t, anAnnouncement+`}`)); len(p.Diagnostics) != 0 {
		t.Errorf("%+v", p.Diagnostics)
	}

	// Whether to submit is unknown. An error would prevent -replace too, which submits anyway.
	changed["priority"] = "BATCH"
	changed["resend_on_change"] = tftypes.UnknownValue
	p = w.plan(t, created, changed)
	if len(p.Diagnostics) != 1 ||
		p.Diagnostics[0].Severity != tfprotov6.DiagnosticSeverityWarning ||
		p.Diagnostics[0].Summary != "resend_on_change will be known only after apply" ||
		!strings.Contains(p.Diagnostics[0].Detail,
			"and priority changed, and resend_on_change decides") || len(p.RequiresReplace) != 0 {
		t.Errorf("%+v, replace for %v", p.Diagnostics, p.RequiresReplace)
	}
	// Where triggers replace the resource, resend_on_change does not matter.
	changed["triggers"] = map[string]any{"a": "1"}
	p = w.plan(t, created, changed)
	if len(p.RequiresReplace) != 1 || len(p.Diagnostics) != 0 {
		t.Errorf("%+v, replace for %v", p.Diagnostics, p.RequiresReplace)
	}
	b.sent(t, 1)()
}

// A channel that is unknown as a whole passes validation. Its plan is one that Terraform accepts:
// the write-only attribute is null, or unknown where write-only attributes are not supported.
func TestUnknownChannel(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	for version, want := range map[string]string{
		"1.0.11": "unknown", "1.10.5": "unknown", "": "unknown",
		"1.11.0": "expanded", "1.11.0-beta1": "expanded", "1.16.0-rc2": "expanded",
		"2.0.0": "expanded",
	} {
		w := newWireOf(t, b, version)
		schema := w.schema.ResourceSchemas[resourceName]
		unknown := map[string]any{"priority": "HIGH", "channels": []any{tftypes.UnknownValue}}
		validated, err := w.ValidateResourceConfig(t.Context(),
			&tfprotov6.ValidateResourceConfigRequest{
				TypeName: resourceName, Config: w.value(t, schema, unknown),
			})
		if err != nil || len(validated.Diagnostics) > 0 {
			t.Errorf("%q: %v, %+v", version, err, validated.Diagnostics)
		}
		planned := w.plan(t, nil, unknown)
		if len(planned.Diagnostics) > 0 {
			t.Errorf("%q: %+v", version, planned.Diagnostics)
		}
		value, err := planned.PlannedState.Unmarshal(schema.ValueType())
		if err != nil {
			t.Fatal(err)
		}
		channel, _, err := tftypes.WalkAttributePath(value,
			tftypes.NewAttributePath().WithAttributeName("channels").WithElementKeyInt(0))
		if err != nil {
			t.Fatal(err)
		}
		var members map[string]tftypes.Value
		switch got := channel.(tftypes.Value); {
		case want == "unknown":
			if got.IsKnown() {
				t.Errorf("%q: planned as %s", version, got)
			}
			continue
		case !got.IsKnown() || got.As(&members) != nil:
			t.Errorf("%q: planned as %s", version, got)
		}
		for name, member := range members {
			if member.IsKnown() != (name == "fields_wo") || member.IsKnown() && !member.IsNull() {
				t.Errorf("%q: %s is planned as %s", version, name, member)
			}
		}
	}
	b.sent(t, 0)()
}

// Terraform before 1.11 ignores write-only, and before 1.8 other parts of the schema: what remains
// must be a valid schema.
func TestSchemaLoadsInOldTerraform(t *testing.T) {
	t.Parallel()
	server := newServer(New("test"))
	resp, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	mustSucceed(t, err, resp.Diagnostics)
	schemas := map[string]*tfprotov6.Schema{"provider": resp.Provider}
	maps.Copy(schemas, resp.ResourceSchemas)
	maps.Copy(schemas, resp.DataSourceSchemas)
	for name, schema := range schemas {
		if len(schema.Block.BlockTypes) > 0 {
			t.Errorf("%s has blocks; attributes work everywhere since protocol 6", name)
		}
		checkAttributes(t, name, schema.Block.Attributes, false)
	}
	if len(resp.Functions) > 0 || len(resp.ListResourceSchemas) > 0 {
		t.Error("something new is on offer: which Terraform loads it?")
	}
}

// checkAttributes applies the rules by which Terraform 1.0 checks a schema
// (configschema.Block.InternalValidate).
func checkAttributes(
	t *testing.T, in string, attributes []*tfprotov6.SchemaAttribute, nested bool,
) {
	t.Helper()
	for _, a := range attributes {
		name := in + "." + a.Name
		if strings.Trim(a.Name, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" || a.Name[0] < 'a' {
			t.Errorf("%s is no name for an attribute", name)
		}
		if !a.Required && !a.Optional && !a.Computed || a.Required && (a.Optional || a.Computed) {
			t.Errorf("%s is required %t, optional %t, computed %t", name, a.Required, a.Optional,
				a.Computed)
		}
		if (a.Type == nil) == (a.NestedType == nil) {
			t.Errorf("%s has neither or both of a type and a nested type", name)
		}
		if a.Type != nil && a.Type.Is(tftypes.DynamicPseudoType) && nested {
			t.Errorf("%s is dynamic inside a collection", name)
		}
		if a.NestedType != nil {
			if a.Computed {
				t.Errorf("%s is nested and computed, which Terraform 1.0 plans wrongly", name)
			}
			checkAttributes(t, name, a.NestedType.Attributes, true)
		}
		if a.WriteOnly != strings.HasSuffix(a.Name, "_wo") {
			t.Errorf("%s is write-only: %t", name, a.WriteOnly)
		}
		if a.WriteOnly && (a.Required || a.Computed) {
			t.Errorf("%s is write-only and has to be given, which Terraform before 1.11 cannot",
				name)
		}
	}
}
