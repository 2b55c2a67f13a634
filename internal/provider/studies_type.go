package provider

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"golang.org/x/text/unicode/norm"
)

// What exceeds these would take go-cty and Terraform minutes or gigabytes.
const (
	maxDepth    = 100
	maxValues   = 1_000_000 // see typeReader
	maxExponent = 4096      // and characters of a number
)

// jsonType returns the type of valid JSON, whose values have not been converted yet. It is that of
// jsondecode, except that an array whose elements are all of one type is a list: Terraform keeps
// the type of a tuple element by element. Null has no type, and must not get one by being in a
// list: coalesce and conditional expressions would give other results.
func jsonType(text []byte) (cty.Type, error) {
	r := newTypeReader(text)
	kind := r.next(0)
	return kind, r.err
}

func newTypeReader(text []byte) *typeReader {
	r := &typeReader{tokens: json.NewDecoder(bytes.NewReader(text))}
	r.tokens.UseNumber()
	return r
}

// typeReader reads the type of the next value. Once it has met an error, it returns any type.
type typeReader struct {
	tokens *json.Decoder
	path   [maxDepth + 1]any // the indices and names above the value
	err    error

	// values counts each value once for every level of nesting, since go-cty copies it as often, and
	// more often if that takes long: for every 128 bytes, and for large exponents.
	values int
}

func (r *typeReader) next(depth int) cty.Type {
	if depth > maxDepth {
		r.refuse(depth, fmt.Sprintf("the response is nested deeper than %d levels", maxDepth))
		return cty.NilType
	}
	kind, began := cty.DynamicPseudoType, r.tokens.InputOffset()
	switch token := r.token().(type) {
	case bool:
		kind = cty.Bool
	case string:
		kind = cty.String
	case json.Number:
		kind = cty.Number
		_, digits, _ := strings.Cut(strings.ToLower(string(token)), "e")
		exponent, err := strconv.Atoi(cmp.Or(digits, "0"))
		if err != nil || max(exponent, -exponent, len(token)) > maxExponent {
			r.refuse(depth, fmt.Sprintf(
				"a number has an exponent beyond ±%d, or more than %[1]d digits", maxExponent))
		}
		r.values += exponent * exponent / maxExponent
	case json.Delim:
		if token == '[' {
			kind = r.array(depth)
		} else {
			kind = r.object(depth)
		}
	}
	r.values += depth + int(r.tokens.InputOffset()-began)/128
	if r.values > maxValues {
		r.refuse(depth, "the response is too large for Terraform's state: more than 1,000,000 values, "+
			"each counted once for every level of nesting, and long ones several times")
	}
	return kind
}

func (r *typeReader) array(depth int) cty.Type {
	var elements []cty.Type
	for r.err == nil && r.tokens.More() {
		r.path[depth] = len(elements)
		elements = append(elements, r.next(depth+1))
	}
	r.token() // the bracket
	differs := func(element cty.Type) bool { return !element.Equals(elements[0]) }
	if r.err != nil || len(elements) == 0 || elements[0].HasDynamicTypes() ||
		slices.ContainsFunc(elements, differs) {
		return cty.Tuple(elements)
	}
	return cty.List(elements[0])
}

func (r *typeReader) object(depth int) cty.Type {
	members := map[string]cty.Type{}
	for r.err == nil && r.tokens.More() {
		name, _ := r.token().(string)
		r.path[depth] = name
		if !norm.NFC.IsNormalString(name) {
			r.refuse(depth+1, "the name of a member is not in Unicode's normalization form NFC")
			return cty.NilType // go-cty would panic at the same name in two forms
		}
		member := r.next(depth + 1)
		if earlier, twice := members[name]; twice && !earlier.Equals(member) {
			r.refuse(depth+1, "two members have the same name and different types")
		}
		members[name] = member
	}
	r.token() // the brace
	return cty.Object(members)
}

func (r *typeReader) token() json.Token {
	token, err := r.tokens.Token()
	r.err = cmp.Or(r.err, err)
	return token
}

func (r *typeReader) refuse(depth int, what string) {
	if r.err != nil {
		return
	}
	var place strings.Builder
	for _, step := range r.path[:depth] {
		fmt.Fprintf(&place, "[%#v]", step)
	}
	r.err = fmt.Errorf("%s, at studies%s", what, &place) // the place may be long, and is cut then
}
