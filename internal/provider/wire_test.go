package provider

import (
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

// arguments are those of a notification, in JSON.
func arguments(t testing.TB, text string) map[string]any {
	t.Helper()
	var decoded map[string]any
	if err := json.Unmarshal([]byte(text), &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}
