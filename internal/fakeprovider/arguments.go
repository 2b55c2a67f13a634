package main

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// arguments is a resource that is its arguments and nothing else.
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

func (arguments) Create(
	_ context.Context, req resource.CreateRequest, resp *resource.CreateResponse,
) {
	resp.State.Raw = req.Plan.Raw
}

func (arguments) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (arguments) Update(
	_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse,
) {
	resp.State.Raw = req.Plan.Raw
}

func (arguments) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// laterResource releases its input as its output, both of any type.
type laterResource struct{ arguments }

func (laterResource) Create(
	ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse,
) {
	release(ctx, req.Plan, &resp.State, &resp.Diagnostics)
}

func (laterResource) Update(
	ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse,
) {
	release(ctx, req.Plan, &resp.State, &resp.Diagnostics)
}

func release(ctx context.Context, plan tfsdk.Plan, state *tfsdk.State, diags *diag.Diagnostics) {
	var input types.Dynamic
	diags.Append(plan.GetAttribute(ctx, path.Root("input"), &input)...)
	state.Raw = plan.Raw
	diags.Append(state.SetAttribute(ctx, path.Root("output"), input)...)
}
