package protocol

import (
	"errors"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// expanded replaces a list element that is unknown as a whole, such as that of [var.object] during
// validation: its members are unknown, except write-only ones. Those are null, since a validation
// for Terraform before 1.11 rejects any other value. The framework treats the attributes of such an
// element as null, although some are required
// (https://github.com/hashicorp/terraform-plugin-framework/issues/186).
func expanded(typ tftypes.Type, attributes []*tfprotov6.SchemaAttribute) tftypes.Value {
	members := make(map[string]tftypes.Value, len(attributes))
	for _, a := range attributes {
		var member any = tftypes.UnknownValue
		if a.WriteOnly {
			member = nil
		}
		members[a.Name] = tftypes.NewValue(a.ValueType(), member)
	}
	return tftypes.NewValue(typ, members)
}

// collapsed replaces such an element of a plan by one that is unknown as a whole.
func collapsed(typ tftypes.Type, _ []*tfprotov6.SchemaAttribute) tftypes.Value {
	return tftypes.NewValue(typ, tftypes.UnknownValue)
}

// replaceUnknown returns value, which is config or a state that is planned from it, with
// replacements for the list elements that are unknown as a whole in config, in the nested
// attributes at the top level of a schema. Neither is null if a part of config is unknown. The
// framework reports a missing schema and values of another type.
func replaceUnknown(
	schema *tfprotov6.Schema, config, value *tfprotov6.DynamicValue,
	replacement func(typ tftypes.Type, attributes []*tfprotov6.SchemaAttribute) tftypes.Value,
) *tfprotov6.DynamicValue {
	if schema == nil || config == nil || value == nil {
		return value
	}
	typ := schema.ValueType()
	given, err := config.Unmarshal(typ)
	if err != nil || given.IsFullyKnown() {
		return value
	}
	object, err := value.Unmarshal(typ)
	var configured, attributes map[string]tftypes.Value
	err = errors.Join(err, given.As(&configured), object.As(&attributes))
	if err != nil {
		return value
	}
	for _, attribute := range schema.Block.Attributes {
		nested, name := attribute.NestedType, attribute.Name
		if nested != nil && nested.Nesting == tfprotov6.SchemaObjectNestingModeList {
			attributes[name] = replaceElements(configured[name], attributes[name],
				func(typ tftypes.Type) tftypes.Value { return replacement(typ, nested.Attributes) })
		}
	}
	replaced, _ := tfprotov6.NewDynamicValue(typ, tftypes.NewValue(typ, attributes)) // never fails
	return &replaced
}

// replaceElements returns list, with replacements for the elements that are unknown in config, the
// same list in the configuration.
func replaceElements(
	config, list tftypes.Value, replacement func(typ tftypes.Type) tftypes.Value,
) tftypes.Value {
	var configured, elements []tftypes.Value
	if config.As(&configured) != nil || list.As(&elements) != nil || len(elements) == 0 {
		return list // null, unknown or empty
	}
	for i := range min(len(configured), len(elements)) {
		if !configured[i].IsKnown() {
			elements[i] = replacement(elements[i].Type())
		}
	}
	return tftypes.NewValue(list.Type(), elements)
}
