package protocol

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/list"
	listschema "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// named has a name, which is its identity. It moves from any resource, as "moved".
type named struct{ resource.Resource }

func (named) Metadata(
	_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse,
) {
	resp.TypeName = "sample_named"
}

func (named) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"name": schema.StringAttribute{Required: true},
	}}
}

func (named) IdentitySchema(
	_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse,
) {
	resp.IdentitySchema = identityschema.Schema{
		Version: 1,
		Attributes: map[string]identityschema.Attribute{
			"name": identityschema.StringAttribute{RequiredForImport: true},
		},
	}
}

func (named) UpgradeIdentity(context.Context) map[int64]resource.IdentityUpgrader {
	return map[int64]resource.IdentityUpgrader{0: {IdentityUpgrader: func(
		ctx context.Context, _ resource.UpgradeIdentityRequest,
		resp *resource.UpgradeIdentityResponse,
	) {
		resp.Identity.Raw = tftypes.NewValue(
			resp.Identity.Schema.Type().TerraformType(ctx), nil)
		resp.Diagnostics = resp.Identity.SetAttribute(ctx, path.Root("name"), "upgraded")
	}}}
}

func (named) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	resource.ImportStatePassthroughWithIdentity(
		ctx, path.Root("name"), path.Root("name"), req, resp)
}

func (named) MoveState(context.Context) []resource.StateMover {
	return []resource.StateMover{{StateMover: func(
		ctx context.Context, _ resource.MoveStateRequest, resp *resource.MoveStateResponse,
	) {
		resp.Diagnostics = resp.TargetState.SetAttribute(ctx, path.Root("name"), "moved")
		resp.Diagnostics.Append(
			resp.TargetIdentity.SetAttribute(ctx, path.Root("name"), "moved")...)
	}}}
}

// listing finds one resource, while its context lasts.
type listing struct{}

func (listing) Metadata(
	_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse,
) {
	resp.TypeName = "sample_named"
}

func (listing) ListResourceConfigSchema(
	_ context.Context, _ list.ListResourceSchemaRequest, resp *list.ListResourceSchemaResponse,
) {
	resp.Schema = listschema.Schema{}
}

func (listing) List(ctx context.Context, req list.ListRequest, stream *list.ListResultsStream) {
	stream.Results = func(push func(list.ListResult) bool) {
		result := req.NewListResult(ctx)
		result.DisplayName = "listed"
		result.Diagnostics = result.Identity.SetAttribute(ctx, path.Root("name"), "listed")
		if ctx.Err() == nil {
			push(result)
		}
	}
}
