// Command standin serves resources and data sources that take the place of others.
//
// For the benchmarks they do nothing, or next to nothing, so that what Terraform, the plugin
// protocol and the framework cost by themselves shows in them: noop_thing has one string, and
// noop_http is what hashicorp/http is to a lookup.
//
// For the tests of the docs, helm_release is its arguments, without a cluster. helm_later, which
// the real provider does not have, releases its input as its output, which is known only after
// apply, on Terraform without terraform_data too.
package main

import (
	"context"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

func main() {
	err := providerserver.Serve(
		context.Background(), func() provider.Provider { return standIn{} },
		providerserver.ServeOpts{Address: "example.com/bench/noop", ProtocolVersion: 6})
	if err != nil {
		log.Fatal(err)
	}
}

type standIn struct{}

func (standIn) Metadata(
	_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse,
) {
	resp.TypeName = "noop"
}

func (standIn) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (standIn) Configure(
	context.Context, provider.ConfigureRequest, *provider.ConfigureResponse,
) {
}

func (standIn) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{func() datasource.DataSource { return httpDataSource{} }}
}

func (standIn) Resources(context.Context) []func() resource.Resource {
	release := arguments{"helm_release", map[string]schema.Attribute{
		"name":    schema.StringAttribute{Required: true},
		"chart":   schema.StringAttribute{Required: true},
		"version": schema.StringAttribute{Optional: true},
		"wait":    schema.BoolAttribute{Optional: true},
		"timeout": schema.Int64Attribute{Optional: true},
	}}
	later := arguments{"helm_later", map[string]schema.Attribute{
		"input":  schema.DynamicAttribute{Optional: true},
		"output": schema.DynamicAttribute{Computed: true},
	}}
	thing := arguments{"noop_thing", map[string]schema.Attribute{
		"value": schema.StringAttribute{Required: true},
	}}
	return []func() resource.Resource{
		func() resource.Resource { return release },
		func() resource.Resource { return laterResource{later} },
		func() resource.Resource { return thing },
	}
}
