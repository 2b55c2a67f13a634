package provider

import (
	"context"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// allKnown reports whether a value and everything in it is known.
func allKnown(ctx context.Context, value attr.Value) bool {
	known, err := value.ToTerraformValue(ctx)
	return err == nil && known.IsFullyKnown()
}

// expandUnknown returns value, of the given type, with each list element that is an unknown
// object as an object of unknown attributes, which says the same. Write-only attributes in it
// are null, as they have to be in a plan; whether they are set shows when the object is known.
func expandUnknown(value *tfprotov6.DynamicValue, typ tftypes.Type) (*tfprotov6.DynamicValue, error) {
	decoded, err := value.Unmarshal(typ)
	if err != nil {
		return nil, err
	}
	expanded, err := tftypes.Transform(decoded, expandElement)
	if err != nil {
		return nil, err
	}
	encoded, err := tfprotov6.NewDynamicValue(typ, expanded)
	return &encoded, err
}

// mayHoldUnknown is false for MessagePack without an extension type, which is what unknown
// values are. The bytes it looks for stand in other places too, so true means little.
func mayHoldUnknown(msgpack []byte) bool {
	return slices.ContainsFunc(msgpack, func(b byte) bool {
		return b >= 0xc7 && b <= 0xc9 || b >= 0xd4 && b <= 0xd8
	})
}

func expandElement(at *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
	object, isObject := value.Type().(tftypes.Object)
	_, isElement := at.LastStep().(tftypes.ElementKeyInt)
	if !isObject || !isElement || value.IsKnown() {
		return value, nil
	}
	attributes := make(map[string]tftypes.Value, len(object.AttributeTypes))
	for name, typ := range object.AttributeTypes {
		attributes[name] = tftypes.NewValue(typ, tftypes.UnknownValue)
		if strings.HasSuffix(name, writeOnlySuffix) {
			attributes[name] = tftypes.NewValue(typ, nil)
		}
	}
	return tftypes.NewValue(object, attributes), nil
}

// writeOnlySuffix ends the name of each write-only attribute, by convention.
const writeOnlySuffix = "_wo"
