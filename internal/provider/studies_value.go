package provider

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"golang.org/x/text/unicode/norm"
)

// Limits of the studies. A value costs Terraform kilobytes, and the more the deeper it is nested.
const (
	maxDepth    = 100
	maxValues   = 250_000
	maxExponent = 4096 // also the maximum length of a number
)

var errTooDeep = fmt.Errorf("the response is nested deeper than %d levels", maxDepth)

// studiesValue converts the body of a response to a lookup into the studies, as jsondecode would,
// except that arrays whose elements are all of one type become lists. An error continues the
// sentence "The service responded to the lookup, but".
func studiesValue(body []byte) (tftypes.Value, error) {
	studies, err := decodeStudies(body)
	if err != nil {
		return tftypes.Value{}, err
	}
	return new(converter).array(studies, 0)
}

// decodeStudies returns the studies in a body: the elements of an array, or of the member "studies"
// of an object; any other object is the only study. An empty body or null has no studies.
func decodeStudies(body []byte) ([]any, error) {
	if !utf8.Valid(body) {
		return nil, errors.New("its body is not valid UTF-8, as JSON must be")
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, nil
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	err := decoder.Decode(&value)
	if _, end := decoder.Token(); err != nil || end != io.EOF {
		err = json.Unmarshal(body, new(json.RawMessage)) // names the place in the whole body
		if err != nil && strings.HasSuffix(err.Error(), "exceeded max depth") {
			return nil, errTooDeep
		}
		return nil, fmt.Errorf("its body is not JSON: %w", err)
	}
	switch v := value.(type) {
	case nil:
		return nil, nil
	case []any:
		return v, nil
	case map[string]any:
		member, found := v["studies"]
		if studies, ok := member.([]any); ok || found && member == nil {
			return studies, nil
		}
		return []any{v}, nil
	}
	return nil, errors.New(
		"its body is a JSON string, number or bool where an array or an object was expected")
}

// converter converts JSON that encoding/json has decoded.
type converter struct {
	// values is their number so far. Large exponents add to it: 1e-4096 takes milliseconds to
	// encode.
	values int
}

// value converts a value that is nested in depth arrays and objects.
func (c *converter) value(value any, depth int) (tftypes.Value, error) {
	c.values++
	switch {
	case depth > maxDepth:
		return tftypes.Value{}, errTooDeep
	case c.values > maxValues:
		return tftypes.Value{}, errors.New( // maxValues
			"the response is too large for Terraform's state: the studies have more than 250,000 values")
	}
	switch v := value.(type) {
	case bool:
		return tftypes.NewValue(tftypes.Bool, v), nil
	case string:
		return tftypes.NewValue(tftypes.String, v), nil
	case json.Number:
		return c.number(string(v))
	case []any:
		return c.array(v, depth)
	case map[string]any:
		return c.object(v, depth)
	}
	return tftypes.NewValue(tftypes.DynamicPseudoType, nil), nil
}

// number parses digits with the precision of Terraform.
func (c *converter) number(digits string) (tftypes.Value, error) {
	_, power, _ := strings.Cut(strings.ToLower(digits), "e")
	exponent, err := strconv.Atoi(cmp.Or(power, "0"))
	if err != nil || max(exponent, -exponent, len(digits)) > maxExponent {
		return tftypes.Value{}, fmt.Errorf(
			"a number has an exponent beyond ±%d, or more than %[1]d digits: %s", maxExponent, digits)
	}
	c.values += exponent * exponent / maxExponent
	parsed, _, err := big.ParseFloat(digits, 10, 512, big.ToNearestEven)
	return tftypes.NewValue(tftypes.Number, parsed), err
}

// array returns a list if all elements are of one type, since Terraform stores the type of a tuple
// element by element. Null has no type, and must not get one in a list: coalesce and conditional
// expressions would give other results.
func (c *converter) array(elements []any, depth int) (tftypes.Value, error) {
	values := make([]tftypes.Value, len(elements))
	types := make([]tftypes.Type, len(elements))
	for i, element := range elements {
		value, err := c.value(element, depth+1)
		if err != nil {
			return tftypes.Value{}, err
		}
		values[i], types[i] = value, value.Type()
	}
	differs := func(kind tftypes.Type) bool { return !kind.Equal(types[0]) }
	if len(elements) == 0 || hasNull(types[0]) || slices.ContainsFunc(types, differs) {
		return tftypes.NewValue(tftypes.Tuple{ElementTypes: types}, values), nil
	}
	return tftypes.NewValue(tftypes.List{ElementType: types[0]}, values), nil
}

// hasNull reports whether a value of this type has a null in it.
func hasNull(kind tftypes.Type) bool {
	switch kind := kind.(type) {
	case tftypes.Object:
		return slices.ContainsFunc(slices.Collect(maps.Values(kind.AttributeTypes)), hasNull)
	case tftypes.Tuple:
		return slices.ContainsFunc(kind.ElementTypes, hasNull)
	}
	return kind.Is(tftypes.DynamicPseudoType)
}

func (c *converter) object(members map[string]any, depth int) (tftypes.Value, error) {
	values := make(map[string]tftypes.Value, len(members))
	types := make(map[string]tftypes.Type, len(members))
	for name, member := range members {
		if !norm.NFC.IsNormalString(name) { // Terraform would normalize it
			return tftypes.Value{}, fmt.Errorf(
				"the name of a member is not in Unicode's normalization form NFC: %q", name)
		}
		value, err := c.value(member, depth+1)
		if err != nil {
			return tftypes.Value{}, err
		}
		values[name], types[name] = value, value.Type()
	}
	return tftypes.NewValue(tftypes.Object{AttributeTypes: types}, values), nil
}
