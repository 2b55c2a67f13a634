package settings

import (
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

// Schema returns the schema of the provider block.
func Schema() schema.Schema {
	attributes := map[string]schema.Attribute{}
	for _, s := range new(loader).settings() {
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
	case basetypes.NumberType:
		return schema.NumberAttribute{MarkdownDescription: text, Optional: true, Sensitive: hide}
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

// markdown returns the description with the default and the environment variable.
func (s setting) markdown() string {
	text := s.description
	if s.fallback != "" {
		text += " Defaults to `" + s.fallback + "`."
	}
	switch {
	case s.parse == nil:
		return text
	case s.required != "":
		return text + " Required, here or as `" + variable(s.name) + "`."
	default:
		return text + " Environment variable: `" + variable(s.name) + "`."
	}
}
