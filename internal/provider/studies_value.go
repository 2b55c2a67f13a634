package provider

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
	"golang.org/x/text/unicode/norm"
)

// What exceeds these would take go-cty and Terraform minutes or gigabytes.
const (
	maxDepth    = 100
	maxValues   = 1_000_000 // see checkLimits
	maxExponent = 4096      // and characters of a number
)

// studiesValue converts the body of a response to a lookup into the studies, as jsondecode would,
// except that arrays whose elements are all of one type become lists. An error continues the
// sentence "The service answered the lookup, but".
func studiesValue(body []byte) (studies tftypes.Value, err error) {
	array, err := studiesArray(body)
	if err != nil {
		return studies, err
	}
	if err := checkLimits(array); err != nil {
		return studies, err
	}
	kind, err := ctyjson.ImpliedType(array)
	if err != nil {
		return studies, fmt.Errorf("two members have the same name and different types: %w", err)
	}
	value, err := ctyjson.Unmarshal(array, withLists(kind))
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
// an object; any other object is the only study. An empty body and null hold none.
func studiesArray(body []byte) ([]byte, error) {
	if !utf8.Valid(body) {
		return nil, errors.New("its body is not valid UTF-8, as JSON must be")
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return []byte("[]"), nil
	}
	var value json.RawMessage
	if err := json.Unmarshal(body, &value); err != nil {
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

// checkLimits refuses JSON that go-cty cannot convert, or not in reasonable time. Each value counts
// once for every level of nesting, since go-cty copies it as often, and again for every 128 bytes
// and for large exponents: a number like 1e-4096 takes milliseconds.
func checkLimits(array []byte) error {
	tokens := json.NewDecoder(bytes.NewReader(array))
	tokens.UseNumber()
	depth, values, counted := 0, 0, int64(0)
	for {
		token, err := tokens.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		end, exponent := tokens.InputOffset(), 0
		switch token := token.(type) {
		case string:
			if !bytes.HasPrefix(bytes.TrimLeft(array[end:], " \t\r\n"), []byte(":")) {
				break // not a name
			}
			if !norm.NFC.IsNormalString(token) { // go-cty would not find it in its own types
				return fmt.Errorf(
					"the name of a member is not in Unicode's normalization form NFC: %q", token)
			}
			continue
		case json.Number:
			_, digits, _ := strings.Cut(strings.ToLower(string(token)), "e")
			exponent, err = strconv.Atoi(cmp.Or(digits, "0"))
			if err != nil || max(exponent, -exponent, len(token)) > maxExponent {
				return fmt.Errorf("a number has an exponent beyond ±%d, or more than %[1]d digits: %s",
					maxExponent, token)
			}
		case json.Delim:
			if token == '[' || token == '{' {
				depth++
				continue // it counts where it ends
			}
			depth--
		}
		if depth > maxDepth {
			return fmt.Errorf("the response is nested deeper than %d levels", maxDepth)
		}
		values += depth * (1 + int(end-counted)/128 + exponent*exponent/maxExponent)
		counted = end
		if values > maxValues {
			return errors.New("the response is too large for Terraform's state: more than 1,000,000 " +
				"values, each counted once for every level of nesting, and long ones several times")
		}
	}
}

// withLists returns the type with lists in place of tuples whose elements are all of one type, at
// every depth: Terraform keeps the type of a tuple element by element. Null has no type, and must
// not get one by being in a list: coalesce and conditional expressions would give other results.
func withLists(kind cty.Type) cty.Type {
	switch {
	case kind.IsObjectType():
		members := map[string]cty.Type{}
		for name, member := range kind.AttributeTypes() {
			members[name] = withLists(member)
		}
		return cty.Object(members)
	case kind.IsTupleType():
		var elements []cty.Type
		for _, element := range kind.TupleElementTypes() {
			elements = append(elements, withLists(element))
		}
		differs := func(element cty.Type) bool { return !element.Equals(elements[0]) }
		if len(elements) == 0 || elements[0].HasDynamicTypes() ||
			slices.ContainsFunc(elements, differs) {
			return cty.Tuple(elements)
		}
		return cty.List(elements[0])
	}
	return kind
}
