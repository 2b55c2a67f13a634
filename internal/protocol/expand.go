package protocol

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// expand gives list elements that are unknown as a whole, such as the element of [var.object]
// during validation, unknown attributes. values are a configuration and the state that is planned
// from it. The framework treats the attributes of such an element as null, although some are
// required, and leaves write-only attributes in it unknown, which Terraform does not allow in a
// plan (https://github.com/hashicorp/terraform-plugin-framework/issues/186). A missing schema is
// reported by the framework.
func expand(schema *tfprotov6.Schema, values ...**tfprotov6.DynamicValue) error {
	if schema == nil || !mayHoldUnknown(*values[0]) {
		return nil
	}
	for _, value := range values {
		expanded, err := expandValue(*value, schema)
		if err != nil {
			return err
		}
		*value = expanded
	}
	return nil
}

// mayHoldUnknown reports whether config may contain unknown values, which are MessagePack extension
// types; text can contain the same bytes. It saves most calls from decoding their values twice: 30
// µs for each value, six times a notification, or 5 % of the provider's CPU time.
func mayHoldUnknown(config *tfprotov6.DynamicValue) bool {
	return config != nil && slices.ContainsFunc(config.MsgPack, func(b byte) bool {
		return b >= 0xc7 && b <= 0xc9 || b >= 0xd4 && b <= 0xd8
	})
}

// expandValue expands the elements of the list-nested attributes at the top level of a schema.
func expandValue(
	value *tfprotov6.DynamicValue, schema *tfprotov6.Schema,
) (*tfprotov6.DynamicValue, error) {
	typ := schema.ValueType()
	object, err := value.Unmarshal(typ)
	if err != nil || object.IsNull() || !object.IsKnown() {
		return value, err
	}
	var attributes map[string]tftypes.Value
	_ = object.As(&attributes) // never fails for an object
	for _, attribute := range schema.Block.Attributes {
		nested, list := attribute.NestedType, attributes[attribute.Name]
		if nested == nil || nested.Nesting != tfprotov6.SchemaObjectNestingModeList ||
			list.IsNull() || !list.IsKnown() {
			continue
		}
		var elements []tftypes.Value
		_ = list.As(&elements) // as above
		for i, element := range elements {
			if !element.IsKnown() {
				elements[i] = unknownMembers(element.Type(), nested.Attributes)
			}
		}
		attributes[attribute.Name] = tftypes.NewValue(list.Type(), elements)
	}
	expanded, err := tfprotov6.NewDynamicValue(typ, tftypes.NewValue(typ, attributes))
	return &expanded, err
}

// unknownMembers returns an object whose members are unknown, except write-only ones, which must be
// null in a plan.
func unknownMembers(typ tftypes.Type, attributes []*tfprotov6.SchemaAttribute) tftypes.Value {
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
