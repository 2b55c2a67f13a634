package settings

import (
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

// Schema returns the schema of the provider block.
func Schema() schema.Schema {
	attributes := map[string]schema.Attribute{}
	for _, s := range table {
		attributes[s.name] = s.attribute()
	}
	return schema.Schema{
		MarkdownDescription: "Submits notifications to a notification service that is protected " +
			"by OAuth 2.0 client credentials, and looks up studies there. Within a plan or an " +
			"apply, everything that uses the same provider configuration shares one access token " +
			"and one set of connections.",
		Attributes: attributes,
	}
}

func (s setting) attribute() schema.Attribute {
	text, hide := s.markdown(), s.sensitive
	switch kind := s.kind.(type) {
	case basetypes.BoolType:
		return schema.BoolAttribute{MarkdownDescription: text, Optional: true, Sensitive: hide}
	case basetypes.Int64Type:
		return schema.Int64Attribute{MarkdownDescription: text, Optional: true, Sensitive: hide}
	case types.SetType:
		return schema.SetAttribute{
			MarkdownDescription: text, Optional: true, Sensitive: hide, ElementType: kind.ElemType,
		}
	case types.MapType:
		return schema.MapAttribute{
			MarkdownDescription: text, Optional: true, Sensitive: hide, ElementType: kind.ElemType,
		}
	default:
		return schema.StringAttribute{MarkdownDescription: text, Optional: true, Sensitive: hide}
	}
}

// markdown returns the description with the default. The docs list the environment variables in a
// separate table.
func (s setting) markdown() string {
	switch {
	case s.fallback != "":
		return s.description + " Defaults to `" + s.fallback + "`."
	case s.placeholder != "":
		return s.description + " Required, here or as `" + s.variable() + "`."
	default:
		return s.description
	}
}
