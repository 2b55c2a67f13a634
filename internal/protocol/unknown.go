package protocol

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// expander expands objects that are unknown as a whole in a list, such as that of [var.object]
// during validation. The framework treats their attributes as null, although some are required, and
// leaves write-only attributes in them unknown, which Terraform does not allow in a plan
// (https://github.com/hashicorp/terraform-plugin-framework/issues/186).
type expander struct {
	getSchema func(
		context.Context, *tfprotov6.GetProviderSchemaRequest,
	) (*tfprotov6.GetProviderSchemaResponse, error)

	once   sync.Once
	schema *tfprotov6.GetProviderSchemaResponse // read when it is first needed
	err    error
}

// expand expands values of the resource or action called name: a configuration, and what is planned
// from it. No resource and action may share a name.
func (e *expander) expand(
	ctx context.Context, name string, values ...**tfprotov6.DynamicValue,
) error {
	if !mayHoldUnknown(*values[0]) {
		return nil
	}
	e.once.Do(func() {
		e.schema, e.err = e.getSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	})
	if e.err != nil {
		return e.err
	}
	schema := e.schema.ResourceSchemas[name]
	if action := e.schema.ActionSchemas[name]; action != nil {
		schema = action.Schema
	}
	for _, value := range values {
		expanded, err := expandValue(*value, schema.ValueType())
		if err != nil {
			return err
		}
		*value = expanded
	}
	return nil
}

// mayHoldUnknown saves most calls from decoding their values twice. Unknown values are MessagePack
// extension types: without one, nothing is unknown. True proves nothing, since text can contain the
// same bytes.
func mayHoldUnknown(config *tfprotov6.DynamicValue) bool {
	return config != nil && slices.ContainsFunc(config.MsgPack, func(b byte) bool {
		return b >= 0xc7 && b <= 0xc9 || b >= 0xd4 && b <= 0xd8
	})
}

// expandValue returns value, which has type typ, with each unknown object in a list replaced by an
// object of unknown attributes, which is equivalent. Its write-only attributes are null, as a plan
// requires; whether they are set is known once the object is.
func expandValue(
	value *tfprotov6.DynamicValue, typ tftypes.Type,
) (*tfprotov6.DynamicValue, error) {
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

// writeOnlySuffix is the suffix of the name of each write-only attribute, by convention.
const writeOnlySuffix = "_wo"
