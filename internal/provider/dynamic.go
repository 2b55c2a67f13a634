package provider

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/text/unicode/norm"
)

const (
	// maxDepth and maxValues bound what one answer can make of Terraform's state:
	// every object carries its type along.
	maxDepth  = 100
	maxValues = 1_000_000

	// Terraform's numbers have a mantissa of 512 bits.
	numberPrecision = 512
	maxDigits       = 154
	maxExponent     = 4096
)

// studiesFromJSON converts the answer to a look-up into a tuple of studies:
// the elements of an array, or of the array member "studies" of an object; any
// other object is the only study. An empty body and null hold none.
func studiesFromJSON(ctx context.Context, body []byte) (types.Tuple, error) {
	value, err := decodeJSON(body)
	if err != nil {
		return types.Tuple{}, err
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
		return types.Tuple{}, fmt.Errorf("its body is a JSON %s where an array or an object was expected", jsonKind(v))
	}
	c := new(converter)
	tuple, err := c.tuple(ctx, studies, 0)
	if err != nil {
		return types.Tuple{}, fmt.Errorf("studies%w", err)
	}
	return tuple, nil
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

func (c *converter) value(ctx context.Context, value any, depth int) (attr.Value, error) {
	// Each object carries the types of all that is below it.
	if c.values += depth; c.values > maxValues {
		return nil, errors.New(": the response is too large for Terraform's state. It holds more than " +
			"1,000,000 values, each counted once for every level of nesting. Narrow the lookup")
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf(": %w", err)
	}
	if depth > maxDepth {
		return nil, fmt.Errorf(": the answer is nested deeper than %d levels", maxDepth)
	}
	switch v := value.(type) {
	case nil:
		return types.DynamicNull(), nil
	case bool:
		return types.BoolValue(v), nil
	case string:
		return types.StringValue(v), nil
	case json.Number:
		number, err := exactNumber(v.String())
		if err != nil {
			return nil, err
		}
		return types.NumberValue(number), nil
	case []any:
		return c.tuple(ctx, v, depth)
	case map[string]any:
		return c.object(ctx, v, depth)
	default:
		return nil, fmt.Errorf(": encoding/json returned a %T", v)
	}
}

func (c *converter) tuple(ctx context.Context, elements []any, depth int) (types.Tuple, error) {
	values := make([]attr.Value, len(elements))
	kinds := make([]attr.Type, len(elements))
	for i, element := range elements {
		value, err := c.value(ctx, element, depth+1)
		if err != nil {
			return types.Tuple{}, fmt.Errorf("[%d]%w", i, err)
		}
		values[i], kinds[i] = value, value.Type(ctx)
	}
	tuple, diags := types.TupleValue(kinds, values)
	if diags.HasError() {
		return types.Tuple{}, fmt.Errorf(": %s", diags.Errors()[0].Detail())
	}
	return tuple, nil
}

func (c *converter) object(ctx context.Context, members map[string]any, depth int) (types.Object, error) {
	values := make(map[string]attr.Value, len(members))
	kinds := make(map[string]attr.Type, len(members))
	for name, member := range members {
		normal := norm.NFC.String(name)
		if _, taken := values[normal]; taken {
			return types.Object{}, fmt.Errorf(": two members have the name %q once it is normalised to NFC, as Terraform does", normal)
		}
		value, err := c.value(ctx, member, depth+1)
		if err != nil {
			return types.Object{}, fmt.Errorf("[%q]%w", normal, err)
		}
		values[normal], kinds[normal] = value, value.Type(ctx)
	}
	object, diags := types.ObjectValue(kinds, values)
	if diags.HasError() {
		return types.Object{}, fmt.Errorf(": %s", diags.Errors()[0].Detail())
	}
	return object, nil
}

// exactNumber is the number that text, a JSON number, spells, with every digit.
func exactNumber(text string) (*big.Float, error) {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(text), "e")
	if exponent != "" {
		if n, err := strconv.Atoi(exponent); err != nil || n > maxExponent || n < -maxExponent {
			return nil, inexact("a number with the exponent " + shorten(exponent))
		}
	}
	if len(mantissa) > maxExponent+maxDigits {
		return nil, inexact(fmt.Sprintf("a number that is written with %d characters", len(mantissa)))
	}
	digits := significantDigits(mantissa)
	if len(digits) > maxDigits {
		return nil, inexact(fmt.Sprintf("a number with %d significant digits", len(digits)))
	}
	number, _, err := big.ParseFloat(text, 10, numberPrecision, big.ToNearestEven)
	if err != nil {
		return nil, inexact("a number that cannot be read, " + shorten(text))
	}
	// 512 bits hold any 153 digits, and some numbers of 154.
	if len(digits) == maxDigits {
		kept, _, _ := strings.Cut(number.Text('e', -1), "e")
		if significantDigits(kept) != digits {
			return nil, inexact(fmt.Sprintf("a number whose %d significant digits do not fit", len(digits)))
		}
	}
	return number, nil
}

// significantDigits are those of a decimal number without the zeros around them.
func significantDigits(mantissa string) string {
	return strings.Trim(strings.Replace(strings.TrimPrefix(mantissa, "-"), ".", "", 1), "0")
}

// inexact is an error, although Terraform then keeps nothing of the lookup, not even
// response_json, which has every digit: studies that are null with a warning could be taken for
// none found.
func inexact(what string) error {
	return fmt.Errorf(": %s, more than a Terraform number holds (%d digits, exponents to ±%d). "+
		"response_json cannot be read either, since Terraform keeps nothing of a lookup that failed, and "+
		"jsondecode would round the number. The service would have to return it as a JSON string",
		what, maxDigits, maxExponent)
}

func shorten(text string) string {
	if len(text) > 20 {
		return text[:20] + "…"
	}
	return text
}
