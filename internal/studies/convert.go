package studies

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"golang.org/x/text/unicode/norm"
)

// converter turns decoded JSON into Terraform values. Its errors start with the place of the value,
// which grows on the way up.
type converter struct {
	values, limit int
}

func (c *converter) value(ctx context.Context, value any, depth int) (tftypes.Value, error) {
	// Each object of a tuple carries the types of all that is below it.
	if c.values += depth; c.values > c.limit {
		return tftypes.Value{}, fmt.Errorf(": %w", errTooMany)
	}
	if err := ctx.Err(); err != nil {
		return tftypes.Value{}, fmt.Errorf(": %w", err)
	}
	if depth > maxDepth {
		return tftypes.Value{}, fmt.Errorf(": %w", errTooDeep)
	}
	switch v := value.(type) {
	case nil:
		return tftypes.NewValue(tftypes.DynamicPseudoType, nil), nil
	case bool:
		return tftypes.NewValue(tftypes.Bool, v), nil
	case string:
		return tftypes.NewValue(tftypes.String, v), nil
	case json.Number:
		number, err := exactNumber(v.String())
		return tftypes.NewValue(tftypes.Number, number), err
	case []any:
		elements, kinds, err := c.elements(ctx, v, depth)
		return tftypes.NewValue(tftypes.Tuple{ElementTypes: kinds}, elements), err
	case map[string]any:
		return c.object(ctx, v, depth)
	default:
		return tftypes.Value{}, fmt.Errorf(": encoding/json returned a %T", v)
	}
}

// elements returns the values of an array and their types.
func (c *converter) elements(
	ctx context.Context, array []any, depth int,
) ([]tftypes.Value, []tftypes.Type, error) {
	values := make([]tftypes.Value, len(array))
	kinds := make([]tftypes.Type, len(array))
	for i, element := range array {
		value, err := c.value(ctx, element, depth+1)
		if err != nil {
			return nil, nil, fmt.Errorf("[%d]%w", i, err)
		}
		values[i], kinds[i] = value, value.Type()
	}
	return values, kinds, nil
}

func (c *converter) object(
	ctx context.Context, members map[string]any, depth int,
) (tftypes.Value, error) {
	values := make(map[string]tftypes.Value, len(members))
	kinds := make(map[string]tftypes.Type, len(members))
	for name, member := range members {
		normal := norm.NFC.String(name)
		if _, taken := values[normal]; taken {
			return tftypes.Value{}, fmt.Errorf(
				": two members have the name %q once it is normalised to NFC, as Terraform does",
				normal,
			)
		}
		value, err := c.value(ctx, member, depth+1)
		if err != nil {
			return tftypes.Value{}, fmt.Errorf("[%q]%w", normal, err)
		}
		values[normal], kinds[normal] = value, value.Type()
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: kinds}, values), nil
}
