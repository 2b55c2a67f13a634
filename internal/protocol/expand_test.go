package protocol

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Nested objects that are unknown as a whole pass validation, and their plan is one that Terraform
// accepts. What may be null, and what has no schema, stays as it is.
func TestExpand(t *testing.T) {
	t.Parallel()
	w := wrap(t, "1.11.0")
	schema := w.schema.ResourceSchemas["sample_nest"]
	typ := schema.ValueType().(tftypes.Object)
	const object = "{id? inner{name?} label? name? password- perhaps? secret- size_wo?}"
	for shape, want := range map[string]string{
		"list":     "[" + object + "]",
		"map":      "{key" + object + "}",
		"set":      "[{name?}]",
		"single":   object,
		"optional": "?",
		"block":    "[{list[" + object + "]}]",
		"objects":  "[?]", // their type has no schema
	} {
		values := nulls(typ)
		values["block"] = tftypes.NewValue(typ.AttributeTypes["block"], []tftypes.Value{})
		values["single"] = unknownIn(typ.AttributeTypes["single"])
		values[shape] = unknownIn(typ.AttributeTypes[shape])
		state := planned(t, w, "sample_nest", encoded(t, typ, tftypes.NewValue(typ, values)), true)
		var members map[string]tftypes.Value
		if err := state.As(&members); err != nil {
			t.Fatal(err)
		}
		if got := outline(members[shape]); got != want {
			t.Errorf("%s is planned as\n%s, want\n%s", shape, got, want)
		}
	}
}

func nulls(of tftypes.Object) map[string]tftypes.Value {
	values := map[string]tftypes.Value{}
	for name, typ := range of.AttributeTypes {
		values[name] = tftypes.NewValue(typ, nil)
	}
	return values
}

// planned validates a configuration and returns what is planned from it. Neither may find anything
// to say.
func planned(
	t *testing.T, w *wrapped, name string, config *tfprotov6.DynamicValue, writeOnly bool,
) tftypes.Value {
	t.Helper()
	validated, err := w.ValidateResourceConfig(t.Context(),
		&tfprotov6.ValidateResourceConfigRequest{
			TypeName: name, Config: config,
			ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{
				WriteOnlyAttributesAllowed: writeOnly,
			},
		})
	if err != nil || len(validated.Diagnostics) > 0 {
		t.Errorf("validated: %v, %v", err, validated.Diagnostics)
	}
	typ := w.schema.ResourceSchemas[name].ValueType()
	resp, err := w.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: name, Config: config, ProposedNewState: config,
		PriorState: encoded(t, typ, tftypes.NewValue(typ, nil)),
	})
	if err != nil || len(resp.Diagnostics) > 0 {
		t.Fatalf("planned: %v, %v", err, resp.Diagnostics)
	}
	state, err := resp.PlannedState.Unmarshal(typ)
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// What is unknown beside nested attributes stays so: a block, and the configuration itself.
func TestExpand_others(t *testing.T) {
	t.Parallel()
	schema := wrap(t, "1.11.0").schema.ResourceSchemas["sample_nest"]
	typ := schema.ValueType().(tftypes.Object)
	values := nulls(typ)
	block := typ.AttributeTypes["block"].(tftypes.List)
	values["block"] = tftypes.NewValue(block, []tftypes.Value{
		tftypes.NewValue(block.ElementType, tftypes.UnknownValue),
	})
	for _, value := range []tftypes.Value{
		tftypes.NewValue(typ, values), tftypes.NewValue(typ, tftypes.UnknownValue),
	} {
		expanded, err := expandValue(encoded(t, typ, value), schema)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := expanded.Unmarshal(typ); err != nil || !got.Equal(value) {
			t.Errorf("%s became %s, %v", value, got, err)
		}
	}
}

// unknownIn is a value of the given type that is known but for the objects in it. An object with a
// list is a block.
func unknownIn(typ tftypes.Type) tftypes.Value {
	switch typ := typ.(type) {
	case tftypes.List:
		return tftypes.NewValue(typ, []tftypes.Value{unknownIn(typ.ElementType)})
	case tftypes.Set:
		return tftypes.NewValue(typ, []tftypes.Value{unknownIn(typ.ElementType)})
	case tftypes.Map:
		return tftypes.NewValue(typ, map[string]tftypes.Value{"key": unknownIn(typ.ElementType)})
	case tftypes.Object:
		if list, isBlock := typ.AttributeTypes["list"]; isBlock {
			return tftypes.NewValue(typ, map[string]tftypes.Value{"list": unknownIn(list)})
		}
	}
	return tftypes.NewValue(typ, tftypes.UnknownValue)
}

// outline writes an unknown value as "?", one that is null as "-", and any other text as "+".
func outline(value tftypes.Value) string {
	var members map[string]tftypes.Value
	var elements []tftypes.Value
	var parts []string
	switch {
	case !value.IsKnown():
		return "?"
	case value.IsNull():
		return "-"
	case value.As(&members) == nil: // an object or a map
		for _, name := range slices.Sorted(maps.Keys(members)) {
			parts = append(parts, name+outline(members[name]))
		}
		return "{" + strings.Join(parts, " ") + "}"
	case value.As(&elements) == nil:
		for _, element := range elements {
			parts = append(parts, outline(element))
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	return "+"
}
