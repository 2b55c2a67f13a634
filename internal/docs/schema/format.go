package main

import (
	"encoding/json"
	"errors"
	"strings"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

func newBlock(from *tfprotov6.SchemaBlock) (*tfjson.SchemaBlock, error) {
	if len(from.BlockTypes) > 0 {
		return nil, errors.New("nested blocks are not supported; the provider has none")
	}
	attributes, err := newAttributes(from.Attributes)
	return &tfjson.SchemaBlock{
		Attributes:      attributes,
		Description:     from.Description,
		DescriptionKind: kindOf(from.DescriptionKind),
		Deprecated:      from.Deprecated,
	}, err
}

func newAttributes(
	from []*tfprotov6.SchemaAttribute,
) (attributes map[string]*tfjson.SchemaAttribute, err error) {
	attributes = make(map[string]*tfjson.SchemaAttribute, len(from))
	for _, a := range from {
		to := &tfjson.SchemaAttribute{
			Description:     a.Description,
			DescriptionKind: kindOf(a.DescriptionKind),
			Deprecated:      a.Deprecated,
			Required:        a.Required,
			Optional:        a.Optional,
			Computed:        a.Computed,
			Sensitive:       a.Sensitive,
			WriteOnly:       a.WriteOnly,
		}
		if nested := a.NestedType; nested != nil {
			mode := tfjson.SchemaNestingMode(strings.ToLower(nested.Nesting.String()))
			to.AttributeNestedType = &tfjson.SchemaNestedAttributeType{NestingMode: mode}
			to.AttributeNestedType.Attributes, err = newAttributes(nested.Attributes)
		} else {
			var text []byte
			text, err = a.Type.MarshalJSON() //nolint:staticcheck // the two packages share nothing else
			err = errors.Join(err, json.Unmarshal(text, &to.AttributeType))
		}
		if err != nil {
			return nil, err
		}
		attributes[a.Name] = to
	}
	return attributes, nil
}

// kindOf returns the kind of a description as Terraform names it.
func kindOf(kind tfprotov6.StringKind) tfjson.SchemaDescriptionKind {
	return tfjson.SchemaDescriptionKind(strings.ToLower(kind.String()))
}
