// Command standin replaces the provider hashicorp/helm in tests of the docs, so that they need
// neither a registry nor a cluster. It has what the docs use: a helm_release that only stores its
// arguments. It also has helm_later, which the real provider lacks: its output is known only after
// apply, also on versions of Terraform without terraform_data.
package main

import (
	"context"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func main() {
	newProvider := func() provider.Provider { return helmProvider{} }
	err := providerserver.Serve(context.Background(), newProvider, providerserver.ServeOpts{
		Address:         "registry.terraform.io/hashicorp/helm",
		ProtocolVersion: 6,
	})
	if err != nil {
		log.Fatal(err)
	}
}

type helmProvider struct{}

func (helmProvider) Metadata(
	_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse,
) {
	resp.TypeName = "helm"
}

func (helmProvider) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (helmProvider) Configure(
	context.Context, provider.ConfigureRequest, *provider.ConfigureResponse,
) {
}

func (helmProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (helmProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		func() resource.Resource { return helmRelease{} },
		func() resource.Resource { return helmLater{} },
	}
}

type helmRelease struct{}

func (helmRelease) Metadata(
	_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse,
) {
	resp.TypeName = "helm_release"
}

func (helmRelease) Schema(
	_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse,
) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"name":    schema.StringAttribute{Required: true},
		"chart":   schema.StringAttribute{Required: true},
		"version": schema.StringAttribute{Optional: true},
		"wait":    schema.BoolAttribute{Optional: true},
		"timeout": schema.Int64Attribute{Optional: true},
	}}
}

func (helmRelease) Create(
	_ context.Context, req resource.CreateRequest, resp *resource.CreateResponse,
) {
	resp.State.Raw = req.Plan.Raw
}

func (helmRelease) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (helmRelease) Update(
	_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse,
) {
	resp.State.Raw = req.Plan.Raw
}

func (helmRelease) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}

// helmLater copies its input, of any type, to its output.
type helmLater struct{ helmRelease }

func (helmLater) Metadata(
	_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse,
) {
	resp.TypeName = "helm_later"
}

func (helmLater) Schema(
	_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse,
) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"input":  schema.DynamicAttribute{Optional: true},
		"output": schema.DynamicAttribute{Computed: true},
	}}
}

func (helmLater) Create(
	ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse,
) {
	release(ctx, req.Plan, &resp.State, &resp.Diagnostics)
}

func (helmLater) Update(
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
