package protocol

import (
	"errors"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// expanded replaces a list element that is unknown as a whole, such as that of [var.object] during
// validation: its members are unknown, except write-only ones, which must be null in a plan. The
// framework treats the attributes of such an element as null, although some are required, and
// leaves write-only ones unknown
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

// collapsed does the opposite in a plan. To Terraform before 1.11, write-only attributes are
// ordinary ones, which must stay unknown. If the list had the element before, that Terraform
// expands it, and the framework then makes them null.
func collapsed(typ tftypes.Type, _ []*tfprotov6.SchemaAttribute) tftypes.Value {
	return tftypes.NewValue(typ, tftypes.UnknownValue)
}

// replaceUnknown returns value, which is config or a state that is planned from it, with
// replacements for the list elements that are unknown as a whole in config, in the nested
// attributes at the top level of a schema. The framework reports a missing schema and values of
// another type.
func replaceUnknown(
	schema *tfprotov6.Schema, config, value *tfprotov6.DynamicValue,
	replacement func(typ tftypes.Type, attributes []*tfprotov6.SchemaAttribute) tftypes.Value,
) *tfprotov6.DynamicValue {
	if schema == nil || value == nil || !mayHoldUnknown(config) {
		return value
	}
	typ := schema.ValueType()
	given, configErr := config.Unmarshal(typ)
	object, err := value.Unmarshal(typ)
	var configured, attributes map[string]tftypes.Value
	err = errors.Join(configErr, err, given.As(&configured), object.As(&attributes))
	if err != nil || len(attributes) == 0 {
		return value
	}
	for _, attribute := range schema.Block.Attributes {
		if nested := attribute.NestedType; nested != nil &&
			nested.Nesting == tfprotov6.SchemaObjectNestingModeList {
			var from, to []tftypes.Value // remain empty for null and unknown lists
			list := attributes[attribute.Name]
			_, _ = configured[attribute.Name].As(&from), list.As(&to)
			for i := range min(len(from), len(to)) {
				if !from[i].IsKnown() {
					to[i] = replacement(to[i].Type(), nested.Attributes)
				}
			}
			if len(to) > 0 {
				attributes[attribute.Name] = tftypes.NewValue(list.Type(), to)
			}
		}
	}
	replaced, _ := tfprotov6.NewDynamicValue(typ, tftypes.NewValue(typ, attributes)) // never fails
	return &replaced
}

// mayHoldUnknown reports whether config may contain unknown values, which are MessagePack extension
// types; text can contain the same bytes. It saves most calls from decoding their values twice: 30
// µs for each value, six times a notification, or 5 % of the provider's CPU time.
func mayHoldUnknown(config *tfprotov6.DynamicValue) bool {
	return config != nil && slices.ContainsFunc(config.MsgPack, func(b byte) bool {
		return b >= 0xc7 && b <= 0xc9 || b >= 0xd4 && b <= 0xd8
	})
}
