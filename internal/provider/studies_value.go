package provider

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
	"github.com/zclconf/go-cty/cty/msgpack"
)

// studiesValue converts the body of a response to a lookup into the studies, as jsondecode would,
// except that arrays whose elements are all of one type become lists. An error continues the
// sentence "The service answered the lookup, but".
func studiesValue(body []byte) (studies tftypes.Value, err error) {
	array, err := studiesArray(body)
	if err != nil {
		return studies, err
	}
	kind, err := jsonType(array)
	if err != nil {
		return studies, err
	}
	value, err := ctyjson.Unmarshal(array, kind)
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
	decoder := json.NewDecoder(bytes.NewReader(body))
	var value json.RawMessage
	switch err := decoder.Decode(&value); {
	case errors.Is(err, io.EOF):
		return []byte("[]"), nil
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errors.New("its body is JSON that breaks off")
	case err != nil:
		return nil, fmt.Errorf("its body is not JSON: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("its body is not JSON: something follows the first value")
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
