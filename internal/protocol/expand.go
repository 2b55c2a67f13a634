package protocol

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// expandValue returns a value of the schema in which each nested object that is unknown as a whole
// is replaced by one of unknown attributes, which is equivalent.
func expandValue(
	value *tfprotov6.DynamicValue, schema *tfprotov6.Schema,
) (*tfprotov6.DynamicValue, error) {
	typ := schema.ValueType()
	decoded, err := value.Unmarshal(typ)
	if err != nil {
		return nil, err
	}
	expanded, err := tftypes.Transform(decoded, func(
		path *tftypes.AttributePath, value tftypes.Value,
	) (tftypes.Value, error) {
		if value.IsKnown() || !value.Type().Is(tftypes.Object{}) {
			return value, nil
		}
		if attributes := nestedAt(path, schema.Block); attributes != nil {
			return unknownObject(attributes), nil
		}
		return value, nil
	})
	if err != nil {
		return nil, err
	}
	encoded, err := tfprotov6.NewDynamicValue(typ, expanded)
	return &encoded, err
}

// nestedAt returns the attributes of the nested object at path, or nil where there is none that can
// be expanded.
func nestedAt(
	path *tftypes.AttributePath, block *tfprotov6.SchemaBlock,
) []*tfprotov6.SchemaAttribute {
	var at *tfprotov6.SchemaAttribute
	attributes, blocks := block.Attributes, block.BlockTypes
	for _, step := range path.Steps() {
		name, ok := step.(tftypes.AttributeName)
		if !ok {
			continue // an element has the attributes of its list, set or map
		}
		i := slices.IndexFunc(blocks, func(b *tfprotov6.SchemaNestedBlock) bool {
			return b.TypeName == string(name)
		})
		if i >= 0 {
			at, attributes, blocks = nil, blocks[i].Block.Attributes, blocks[i].Block.BlockTypes
			continue
		}
		i = slices.IndexFunc(attributes, func(a *tfprotov6.SchemaAttribute) bool {
			return a.Name == string(name)
		})
		if at = attributes[i]; at.NestedType == nil {
			return nil // its type has no schema
		}
		attributes, blocks = at.NestedType.Attributes, nil
	}
	if at == nil || isSingle(at) && !at.Required {
		return nil // it may turn out to be null, and then must not be planned as anything else
	}
	return attributes
}

func isSingle(a *tfprotov6.SchemaAttribute) bool {
	return a.NestedType != nil && a.NestedType.Nesting == tfprotov6.SchemaObjectNestingModeSingle
}

// unknownObject is an object whose attributes are unknown but for those that have to be null:
// computed ones in a configuration, and write-only ones in a plan. Whether these are set is known
// once the object is. The framework makes a required one null itself.
func unknownObject(attributes []*tfprotov6.SchemaAttribute) tftypes.Value {
	types := make(map[string]tftypes.Type, len(attributes))
	values := make(map[string]tftypes.Value, len(attributes))
	for _, a := range attributes {
		types[a.Name] = a.ValueType()
		switch {
		case !a.Required && (a.WriteOnly || !a.Optional):
			values[a.Name] = tftypes.NewValue(types[a.Name], nil)
		case isSingle(a) && a.Required:
			values[a.Name] = unknownObject(a.NestedType.Attributes)
		default:
			values[a.Name] = tftypes.NewValue(types[a.Name], tftypes.UnknownValue)
		}
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: types}, values)
}
