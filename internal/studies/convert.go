package studies

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"golang.org/x/text/unicode/norm"
)

const (
	// maxDepth and maxValues bound what one answer can make of Terraform's state: every object
	// carries its type along.
	maxDepth  = 100
	maxValues = 1_000_000
)

var (
	errTooMany = errors.New("the response is too large for Terraform's state. It holds more than " +
		"1,000,000 values, each counted once for every level of nesting. Narrow the lookup")
	errTooDeep = fmt.Errorf("the answer is nested deeper than %d levels", maxDepth)
)

// checkSize refuses a body, which is JSON, that is certain to be refused for its size or depth. It
// weighs values as converter does, without decoding them, which would take fifty times the memory of
// body: those that a comma precedes, and those that hold others.
func checkSize(body []byte) error {
	commas, brackets, depth, quoted := 0, 0, 0, false
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) {
		depth = -1 // studies may be its member
	}
	for i := 0; i < len(body); i++ {
		switch char := body[i]; {
		case char == '"':
			quoted = !quoted
		case char == '\\':
			i++
		case quoted:
		case char == '[' || char == '{':
			brackets += max(depth, 0)
			depth++
		case char == ']' || char == '}':
			depth--
		case char == ',':
			commas += max(depth, 0)
		}
		switch {
		case max(commas, brackets) > maxValues:
			return errTooMany
		case depth > maxDepth+1:
			return errTooDeep
		}
	}
	return nil
}

// converter turns decoded JSON into Terraform values. Its errors start with the place of the value,
// which grows on the way up.
type converter struct {
	values int
}

func (c *converter) value(ctx context.Context, value any, depth int) (tftypes.Value, error) {
	// Each object of a tuple carries the types of all that is below it.
	if c.values += depth; c.values > maxValues {
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
