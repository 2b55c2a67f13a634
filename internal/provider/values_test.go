package provider

import (
	"encoding/json"
	"maps"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// value encodes an object of the schema's type. Attributes that are not given are null. With nil
// attributes the whole object is null.
func (s *testServer) value(
	t testing.TB, schema *tfprotov6.Schema, attributes map[string]any,
) *tfprotov6.DynamicValue {
	t.Helper()
	typ := schema.ValueType()
	object := tftypes.NewValue(typ, nil)
	if attributes != nil {
		object = toValue(t, typ, attributes)
	}
	value := must(tfprotov6.NewDynamicValue(typ, object))
	return &value
}

// members returns the attributes of an object of the schema's type.
func members(
	t *testing.T, schema *tfprotov6.Schema, value *tfprotov6.DynamicValue,
) (members map[string]tftypes.Value) {
	t.Helper()
	if err := must(value.Unmarshal(schema.ValueType())).As(&members); err != nil {
		t.Fatal(err)
	}
	return members
}

// difference returns how two objects of the schema differ; nothing if they are equal.
func difference(t *testing.T, schema *tfprotov6.Schema, want, got *tfprotov6.DynamicValue) string {
	t.Helper()
	return cmp.Diff(members(t, schema, want), members(t, schema, got))
}

// toValue converts values as encoding/json decodes them. The text "?" is an unknown value.
func toValue(t testing.TB, typ tftypes.Type, value any) tftypes.Value {
	t.Helper()
	if value, ok := value.(tftypes.Value); ok {
		return value
	}
	switch value {
	case nil:
		return tftypes.NewValue(typ, nil)
	case "?":
		return tftypes.NewValue(typ, tftypes.UnknownValue)
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
	}
	switch given := value.(type) {
	case []any: // a list, or the scopes, which are a set
		element := tftypes.Type(tftypes.String)
		if list, ok := typ.(tftypes.List); ok {
			element = list.ElementType
		}
		elements := []tftypes.Value{}
		for _, value := range given {
			elements = append(elements, toValue(t, element, value))
		}
		value = elements
	case float64:
		value = big.NewFloat(given)
	}
	return tftypes.NewValue(typ, value)
}

// arguments returns the arguments of a notification in JSON.
func arguments(t *testing.T, text string) map[string]any {
	t.Helper()
	var decoded map[string]any
	if err := json.Unmarshal([]byte(text), &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}
