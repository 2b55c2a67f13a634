// Package noop is a provider that does nothing: one resource with one string
// attribute. What Terraform, the plugin protocol and the plugin framework cost by
// themselves shows in it, and a real provider can only add to that.
package noop

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

// Address is under a domain that is reserved for examples.
const Address = "example.com/bench/noop"

// New returns the provider.
func New() provider.Provider { return noopProvider{} }

type noopProvider struct{}

func (noopProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "noop"
}

func (noopProvider) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (noopProvider) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {
}

func (noopProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return noopResource{} }}
}

func (noopProvider) DataSources(context.Context) []func() datasource.DataSource { return nil }

type noopResource struct{}

func (noopResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_thing"
}

func (noopResource) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{"value": schema.StringAttribute{Required: true}}}
}

func (noopResource) Create(_ context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = req.Plan.Raw
}

func (noopResource) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (noopResource) Update(_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.State.Raw = req.Plan.Raw
}

func (noopResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {}
