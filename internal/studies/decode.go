package studies

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// maxDepth and maxValues bound what one answer can make of Terraform's state: every object
	// carries its type along.
	maxDepth  = 100
	maxValues = 1_000_000
)

var (
	errTooMany = errors.New("the response is too large for Terraform's state. It contains more than " +
		"1,000,000 values, each counted once for every level of nesting. Narrow the lookup")
	errTooDeep = fmt.Errorf("the response is nested deeper than %d levels", maxDepth)
)

// decodeStudies returns the studies in the answer to a lookup, numbers as their digits, and the
// member that says that there are more. It does not decode studies that are certain to hold more
// than limit values.
func decodeStudies(body []byte, limit int) (studies []any, further string, err error) {
	text := bytes.TrimSpace(body)
	if len(text) == 0 {
		return nil, "", nil
	}
	if !utf8.Valid(body) {
		return nil, "", errors.New("its body is not valid UTF-8, as JSON must be")
	}
	array, beside := body, map[string]json.RawMessage(nil)
	switch text[0] {
	case '[':
	case '{':
		if array, beside, err = takeApart(body); err != nil {
			return nil, "", err
		}
	default:
		return nil, "", decodeScalar(body)
	}
	switch values, depth := weigh(array); {
	case depth > maxDepth+1:
		return nil, "", errTooDeep
	case values > limit:
		return nil, "", errTooMany
	}
	err = decode(array, &studies)
	return studies, furtherPages(beside, len(studies)), err
}

// takeApart returns the studies of an answer that is an object, an array or null, and the members
// of the object where it is more than the only study.
func takeApart(object []byte) (array []byte, members map[string]json.RawMessage, err error) {
	if err := decode(object, &members); err != nil {
		return nil, nil, err
	}
	array = members["studies"]
	if bytes.HasPrefix(array, []byte("[")) || string(array) == "null" {
		return array, members, nil
	}
	return slices.Concat([]byte("["), object, []byte("]")), nil, nil
}

// decodeScalar returns why an answer that is neither an array nor an object holds no studies: nil
// for null.
func decodeScalar(body []byte) error {
	var value any
	if err := decode(body, &value); err != nil || value == nil {
		return err
	}
	kind := strings.TrimPrefix(fmt.Sprintf("%T", value), "json.")
	return fmt.Errorf("its body is a JSON %s where an array or an object was expected",
		strings.ToLower(kind))
}

// weigh returns how many values converter counts in an array, at least, and how deep the array is.
// Decoding it to find that out would take fifty times its memory. It counts the values that a comma
// precedes, or those that hold others, whichever are more.
func weigh(array []byte) (values, deepest int) {
	commas, brackets, depth, quoted := 0, 0, 0, false
	for i := 0; i < len(array); i++ {
		switch char := array[i]; {
		case char == '"':
			quoted = !quoted
		case char == '\\':
			i++
		case quoted:
		case char == '[' || char == '{':
			brackets += depth
			depth++
			deepest = max(deepest, depth)
		case char == ']' || char == '}':
			depth--
		case char == ',':
			commas += depth
		}
	}
	return max(commas, brackets), deepest
}

// decode decodes exactly one value.
func decode(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return errors.New("its body is JSON that breaks off")
		}
		return fmt.Errorf("its body is not JSON: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("its body is not JSON: something follows the first value")
	}
	return nil
}
