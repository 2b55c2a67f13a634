package protocol

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// thing has a list of items, each with a name and a write-only value. It warns of what it creates.
type thing struct{ resource.Resource }

func (thing) Metadata(
	_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse,
) {
	resp.TypeName = "sample_thing"
}

func (thing) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	item := map[string]schema.Attribute{
		"name":     schema.StringAttribute{Required: true},
		"value_wo": schema.StringAttribute{Optional: true, WriteOnly: true},
	}
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"items": schema.ListNestedAttribute{
			Optional: true, NestedObject: schema.NestedAttributeObject{Attributes: item},
		},
	}}
}

func (thing) Create(_ context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = req.Plan.Raw
	resp.Diagnostics.AddWarning("created", req.Config.Raw.String())
}

func (thing) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

// nest has nested objects in every place in which a schema can have them, and one object that the
// schema does not describe.
type nest struct{ resource.Resource }

func (nest) Metadata(
	_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse,
) {
	resp.TypeName = "sample_nest"
}

func (nest) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	plain := map[string]schema.Attribute{"name": schema.StringAttribute{Required: true}}
	every := map[string]schema.Attribute{
		"name":     schema.StringAttribute{Required: true},
		"size_wo":  schema.StringAttribute{Optional: true}, // not write-only, whatever its name
		"id":       schema.StringAttribute{Computed: true},
		"label":    schema.StringAttribute{Optional: true, Computed: true},
		"secret":   schema.StringAttribute{Optional: true, WriteOnly: true},
		"password": schema.StringAttribute{Required: true, WriteOnly: true},
		"inner":    schema.SingleNestedAttribute{Required: true, Attributes: plain},
		"perhaps":  schema.SingleNestedAttribute{Optional: true, Attributes: plain},
	}
	resp.Schema = schema.Schema{
		Attributes: map[string]schema.Attribute{
			"list": schema.ListNestedAttribute{
				Optional: true, NestedObject: schema.NestedAttributeObject{Attributes: every},
			},
			"map": schema.MapNestedAttribute{
				Optional: true, NestedObject: schema.NestedAttributeObject{Attributes: every},
			},
			"set": schema.SetNestedAttribute{
				Optional: true, NestedObject: schema.NestedAttributeObject{Attributes: plain},
			},
			"single":   schema.SingleNestedAttribute{Required: true, Attributes: every},
			"optional": schema.SingleNestedAttribute{Optional: true, Attributes: every},
			"objects": schema.ListAttribute{Optional: true, ElementType: types.ObjectType{
				AttrTypes: map[string]attr.Type{"name": types.StringType},
			}},
		},
		Blocks: map[string]schema.Block{
			"block": schema.ListNestedBlock{NestedObject: schema.NestedBlockObject{
				Attributes: map[string]schema.Attribute{
					"list": schema.ListNestedAttribute{
						Optional: true, NestedObject: schema.NestedAttributeObject{Attributes: every},
					},
				},
			}},
		},
	}
}
