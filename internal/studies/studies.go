// Package studies turns the JSON of a lookup into Terraform values, every digit of its numbers
// included. The service's page does not show the answer, so nothing is assumed about a study.
package studies

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// FromJSON converts the answer to a lookup into the studies, a list or a tuple: the elements of an
// array, or of the array member "studies" of an object; any other object is the only study. An
// empty body and null hold none. An error continues the sentence "The service answered the lookup,
// but".
func FromJSON(ctx context.Context, body []byte) (tftypes.Value, error) {
	value, err := decodeJSON(body)
	if err != nil {
		return tftypes.Value{}, err
	}
	var studies []any
	switch v := value.(type) {
	case string, bool, json.Number:
		kind := strings.TrimPrefix(fmt.Sprintf("%T", v), "json.")
		return tftypes.Value{}, fmt.Errorf(
			"its body is a JSON %s where an array or an object was expected", strings.ToLower(kind))
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

// decodeJSON decodes exactly one value, numbers as their digits; nil for a body of white space.
func decodeJSON(body []byte) (any, error) {
	if len(bytes.TrimSpace(body)) == 0 {
		return nil, nil
	}
	if !utf8.Valid(body) {
		return nil, errors.New("its body is not valid UTF-8, as JSON must be")
	}
	if err := checkSize(body); err != nil {
		return nil, err
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
