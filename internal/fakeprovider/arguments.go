package fakeprovider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// arguments is a resource that stores its arguments. If it has an attribute output, an apply copies
// the input, of any type, there.
type arguments struct {
	name       string
	attributes map[string]schema.Attribute
}

func (a arguments) Metadata(
	_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse,
) {
	resp.TypeName = a.name
}

func (a arguments) Schema(
	_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse,
) {
	resp.Schema = schema.Schema{Attributes: a.attributes}
}

func (a arguments) Create(
	ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse,
) {
	resp.Diagnostics = a.apply(ctx, req.Plan, &resp.State)
}

func (arguments) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (a arguments) Update(
	ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse,
) {
	resp.Diagnostics = a.apply(ctx, req.Plan, &resp.State)
}

func (arguments) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

func (a arguments) apply(
	ctx context.Context, plan tfsdk.Plan, state *tfsdk.State,
) (diags diag.Diagnostics) {
	state.Raw = plan.Raw
	if _, ok := a.attributes["output"]; ok {
		var input types.Dynamic
		diags.Append(plan.GetAttribute(ctx, path.Root("input"), &input)...)
		diags.Append(state.SetAttribute(ctx, path.Root("output"), input)...)
	}
	return diags
}
