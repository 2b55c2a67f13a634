package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"golang.org/x/text/unicode/norm"
)

const (
	// maxDepth and maxValues bound what one answer can make of Terraform's state:
	// every object carries its type along.
	maxDepth  = 100
	maxValues = 1_000_000
)

// studiesFromJSON converts the answer to a lookup into the studies: the elements of an array, or
// of the array member "studies" of an object; any other object is the only study. An empty body
// and null hold none.
func studiesFromJSON(ctx context.Context, body []byte) (tftypes.Value, error) {
	value, err := decodeJSON(body)
	if err != nil {
		return tftypes.Value{}, err
	}
	var studies []any
	switch v := value.(type) {
	case nil:
	case []any:
		studies = v
	case map[string]any:
		member, present := v["studies"]
		list, isList := member.([]any)
		switch {
		case isList:
			studies = list
		case present && member == nil:
		default:
			studies = []any{v}
		}
	default:
		return tftypes.Value{}, fmt.Errorf(
			"its body is a JSON %s where an array or an object was expected", jsonKind(v))
	}
	c := new(converter)
	elements, kinds, err := c.elements(ctx, studies, 0)
	if err != nil {
		return tftypes.Value{}, fmt.Errorf("studies%w", err)
	}
	return listOrTuple(elements, kinds), nil
}

// listOrTuple returns a list where that says the same as a tuple: where the elements are all of
// one type, which null has not. Terraform reads, keeps and writes the type of a tuple element by
// element. No element is converted to make it fit: a null that became a null string would give
// other results in coalesce and in conditional expressions.
func listOrTuple(elements []tftypes.Value, kinds []tftypes.Type) tftypes.Value {
	differs := func(kind tftypes.Type) bool {
		return kind.Is(tftypes.DynamicPseudoType) || !kind.Equal(kinds[0])
	}
	if len(kinds) == 0 || slices.ContainsFunc(kinds, differs) {
		return tftypes.NewValue(tftypes.Tuple{ElementTypes: kinds}, elements)
	}
	return tftypes.NewValue(tftypes.List{ElementType: kinds[0]}, elements)
}

// decodeJSON decodes exactly one value, numbers as their digits; nil for a body
// of white space.
func decodeJSON(body []byte) (any, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, nil
	}
	if !utf8.Valid(body) {
		return nil, errors.New("its body is not valid UTF-8, as JSON must be")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, errors.New("its body is JSON that breaks off")
		}
		return nil, fmt.Errorf("its body is not JSON: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("its body is not JSON: something follows the first value")
	}
	return value, nil
}

func jsonKind(value any) string {
	switch value.(type) {
	case string:
		return "string"
	case bool:
		return "bool"
	default:
		return "number"
	}
}

// converter turns decoded JSON into Terraform values. Its errors start with the
// place of the value, which grows on the way up.
type converter struct {
	values int
}

func (c *converter) value(ctx context.Context, value any, depth int) (tftypes.Value, error) {
	// Each object of a tuple carries the types of all that is below it.
	if c.values += depth; c.values > maxValues {
		return tftypes.Value{}, errors.New(
			": the response is too large for Terraform's state. It " +
				"holds more than 1,000,000 values, each counted once for every level of nesting. " +
				"Narrow the lookup",
		)
	}
	if err := ctx.Err(); err != nil {
		return tftypes.Value{}, fmt.Errorf(": %w", err)
	}
	if depth > maxDepth {
		return tftypes.Value{}, fmt.Errorf(": the answer is nested deeper than %d levels", maxDepth)
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
