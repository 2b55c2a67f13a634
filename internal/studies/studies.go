// Package studies turns the JSON of a lookup into Terraform values, every digit of its numbers
// included. The service's page does not show the answer, so nothing is assumed about a study.
package studies

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// FromJSON converts the answer to a lookup into the studies, a list or a tuple: the elements of an
// array, or of the array member "studies" of an object; any other object is the only study. An
// empty body and null hold none. Further is the member that says that there are more studies than
// these; empty if none does. An error continues the sentence "The service answered the lookup,
// but".
func FromJSON(
	ctx context.Context, body []byte,
) (studies tftypes.Value, further string, err error) {
	return fromJSON(ctx, body, maxValues)
}

func fromJSON(
	ctx context.Context, body []byte, limit int,
) (studies tftypes.Value, further string, err error) {
	found, further, err := decodeStudies(body, limit)
	if err != nil {
		return tftypes.Value{}, "", err
	}
	c := &converter{limit: limit}
	elements, kinds, err := c.elements(ctx, found, 0)
	if err != nil {
		return tftypes.Value{}, "", fmt.Errorf("studies%w", err)
	}
	return listOrTuple(elements, kinds), further, nil
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
