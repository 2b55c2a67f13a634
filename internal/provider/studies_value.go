package provider

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/msgpack"
	"golang.org/x/text/unicode/norm"
)

// Beyond these limits, go-cty and Terraform would take minutes or gigabytes.
const (
	maxDepth    = 100
	maxValues   = 1_000_000 // see valueReader
	maxExponent = 4096      // also the maximum length of a number
)

var errTooDeep = fmt.Errorf("the response is nested deeper than %d levels", maxDepth)

// studiesValue converts the body of a response to a lookup into the studies, as jsondecode would,
// except that arrays whose elements are all of one type become lists. An error continues the
// sentence "The service responded to the lookup, but".
func studiesValue(body []byte) (studies tftypes.Value, err error) {
	array, err := studiesArray(body)
	if err != nil {
		return studies, err
	}
	value, err := newValueReader(array).next(0)
	if err != nil {
		return studies, err
	}
	encoded, err := msgpack.Marshal(value, cty.DynamicPseudoType)
	if err != nil {
		return studies, err
	}
	return tfprotov6.DynamicValue{MsgPack: encoded}.Unmarshal(tftypes.DynamicPseudoType)
}

// studiesArray returns the JSON array of studies in a body: all of it, or the member "studies" of
// an object; any other object is the only study. An empty body or null has no studies.
func studiesArray(body []byte) ([]byte, error) {
	if !utf8.Valid(body) {
		return nil, errors.New("its body is not valid UTF-8, as JSON must be")
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return []byte("[]"), nil
	}
	var value json.RawMessage
	if err := json.Unmarshal(body, &value); err != nil {
		if strings.HasSuffix(err.Error(), "exceeded max depth") { // of encoding/json
			return nil, errTooDeep
		}
		return nil, fmt.Errorf("its body is not JSON: %w", err)
	}
	if value[0] == '{' {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(value, &members); err != nil {
			return nil, err
		}
		studies := members["studies"]
		if !bytes.HasPrefix(studies, []byte("[")) && string(studies) != "null" {
			return slices.Concat([]byte("["), value, []byte("]")), nil
		}
		value = studies
	}
	switch value[0] {
	case '[':
		return value, nil
	case 'n':
		return []byte("[]"), nil
	}
	return nil, errors.New(
		"its body is a JSON string, number or bool where an array or an object was expected")
}

// valueReader reads JSON value by value. cty/json, which jsondecode uses, creates a decoder for
// each value and copies it once per level of nesting: 10,000 studies took 290 ms instead of 70.
type valueReader struct {
	tokens *json.Decoder
	// values is the cost so far: one per value and level of nesting, since Terraform copies it as
	// often, plus one per 128 bytes, plus more for large exponents: 1e-4096 takes milliseconds.
	values int
}

func newValueReader(text []byte) *valueReader {
	r := &valueReader{tokens: json.NewDecoder(bytes.NewReader(text))}
	r.tokens.UseNumber()
	return r
}

// next reads a value that is nested in depth arrays and objects.
func (r *valueReader) next(depth int) (value cty.Value, err error) {
	if depth > maxDepth {
		return value, errTooDeep
	}
	start := r.tokens.InputOffset()
	token, err := r.tokens.Token()
	if err != nil {
		return value, err
	}
	switch token := token.(type) {
	case nil:
		value = cty.NullVal(cty.DynamicPseudoType)
	case bool:
		value = cty.BoolVal(token)
	case string:
		value = cty.StringVal(token)
	case json.Number:
		value, err = r.number(string(token))
	case json.Delim:
		if token == '[' {
			value, err = r.array(depth)
		} else {
			value, err = r.object(depth)
		}
	}
	r.values += depth + int(r.tokens.InputOffset()-start)/128
	if err == nil && r.values > maxValues {
		err = errors.New("the response is too large for Terraform's state: more than 1,000,000 " +
			"values, each counted once for every level of nesting, and long ones several times")
	}
	return value, err
}

func (r *valueReader) number(digits string) (value cty.Value, err error) {
	_, power, _ := strings.Cut(strings.ToLower(digits), "e")
	exponent, err := strconv.Atoi(cmp.Or(power, "0"))
	if err != nil || max(exponent, -exponent, len(digits)) > maxExponent {
		return value, fmt.Errorf("a number has an exponent beyond ±%d, or more than %[1]d digits: %s",
			maxExponent, digits)
	}
	r.values += exponent * exponent / maxExponent
	return cty.ParseNumberVal(digits)
}

// array reads the rest of an array: a list if all elements are of one type, since Terraform stores
// the type of a tuple element by element. Null has no type, and must not get one in a list:
// coalesce and conditional expressions would give other results.
func (r *valueReader) array(depth int) (value cty.Value, err error) {
	var elements []cty.Value
	for r.tokens.More() {
		element, err := r.next(depth + 1)
		if err != nil {
			return value, err
		}
		elements = append(elements, element)
	}
	differs := func(element cty.Value) bool { return !element.Type().Equals(elements[0].Type()) }
	if len(elements) == 0 || elements[0].Type().HasDynamicTypes() ||
		slices.ContainsFunc(elements, differs) {
		value = cty.TupleVal(elements)
	} else {
		value = cty.ListVal(elements)
	}
	_, err = r.tokens.Token() // the closing bracket
	return value, err
}

// object reads the rest of an object.
func (r *valueReader) object(depth int) (value cty.Value, err error) {
	members := map[string]cty.Value{}
	for r.tokens.More() {
		token, err := r.tokens.Token()
		if err != nil {
			return value, err
		}
		name, _ := token.(string)
		if !norm.NFC.IsNormalString(name) { // go-cty would normalize it
			return value, fmt.Errorf(
				"the name of a member is not in Unicode's normalization form NFC: %q", name)
		}
		member, err := r.next(depth + 1)
		if err != nil {
			return value, err
		}
		if earlier, twice := members[name]; twice && !earlier.Type().Equals(member.Type()) {
			return value, fmt.Errorf("two members have the same name and different types: %q", name)
		}
		members[name] = member
	}
	_, err = r.tokens.Token() // the closing brace
	return cty.ObjectVal(members), err
}
