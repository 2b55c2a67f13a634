package main

import (
	"errors"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// document is the output of `terraform providers schema -json`
// (https://developer.hashicorp.com/terraform/cli/commands/providers/schema). Maps are encoded in
// the order of their keys, so equal schemas give equal text.
type document struct {
	FormatVersion string                      `json:"format_version"`
	Providers     map[string]*providerSchemas `json:"provider_schemas"`
}

type providerSchemas struct {
	Provider           *schema                  `json:"provider"`
	Resources          map[string]*schema       `json:"resource_schemas,omitempty"`
	DataSources        map[string]*schema       `json:"data_source_schemas,omitempty"`
	EphemeralResources map[string]*schema       `json:"ephemeral_resource_schemas,omitempty"`
	Actions            map[string]*actionSchema `json:"action_schemas,omitempty"`
}

type schema struct {
	Version int64  `json:"version"`
	Block   *block `json:"block"`
}

// actionSchema has no version: nothing of an action is stored.
type actionSchema struct {
	Block *block `json:"block"`
}

type block struct {
	Attributes      map[string]*attribute `json:"attributes,omitempty"`
	Description     string                `json:"description,omitempty"`
	DescriptionKind string                `json:"description_kind,omitempty"`
	Deprecated      bool                  `json:"deprecated,omitempty"`
}

type attribute struct {
	Type            tftypes.Type `json:"type,omitempty"`
	NestedType      *nestedType  `json:"nested_type,omitempty"`
	Description     string       `json:"description,omitempty"`
	DescriptionKind string       `json:"description_kind,omitempty"`
	Deprecated      bool         `json:"deprecated,omitempty"`
	Required        bool         `json:"required,omitempty"`
	Optional        bool         `json:"optional,omitempty"`
	Computed        bool         `json:"computed,omitempty"`
	Sensitive       bool         `json:"sensitive,omitempty"`
	WriteOnly       bool         `json:"write_only,omitempty"`
}

type nestedType struct {
	Attributes  map[string]*attribute `json:"attributes"`
	NestingMode string                `json:"nesting_mode"`
}

func newBlock(from *tfprotov6.SchemaBlock) (*block, error) {
	if len(from.BlockTypes) > 0 {
		return nil, errors.New("nested blocks are not supported; the provider has none")
	}
	return &block{
		Attributes:      newAttributes(from.Attributes),
		Description:     from.Description,
		DescriptionKind: kindOf(from.Description, from.DescriptionKind),
		Deprecated:      from.Deprecated,
	}, nil
}

func newAttributes(from []*tfprotov6.SchemaAttribute) map[string]*attribute {
	attributes := make(map[string]*attribute, len(from))
	for _, a := range from {
		to := &attribute{
			Type:            a.Type,
			Description:     a.Description,
			DescriptionKind: kindOf(a.Description, a.DescriptionKind),
			Deprecated:      a.Deprecated,
			Required:        a.Required,
			Optional:        a.Optional,
			Computed:        a.Computed,
			Sensitive:       a.Sensitive,
			WriteOnly:       a.WriteOnly,
		}
		if a.NestedType != nil {
			to.Type = nil
			to.NestedType = &nestedType{
				Attributes:  newAttributes(a.NestedType.Attributes),
				NestingMode: strings.ToLower(a.NestedType.Nesting.String()),
			}
		}
		attributes[a.Name] = to
	}
	return attributes
}

// kindOf is the kind of a description, as Terraform names it; empty without a description.
func kindOf(description string, kind tfprotov6.StringKind) string {
	if description == "" {
		return "plain"
	}
	return strings.ToLower(kind.String())
}
