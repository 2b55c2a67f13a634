package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var _ datasource.DataSourceWithConfigure = (*studiesDataSource)(nil)

func newStudiesDataSource() datasource.DataSource { return &studiesDataSource{} }

type studiesDataSource struct {
	data *providerData
}

func (d *studiesDataSource) Metadata(
	_ context.Context, req datasource.MetadataRequest, resp *datasource.MetadataResponse,
) {
	resp.TypeName = req.ProviderTypeName + "_studies"
}

func (d *studiesDataSource) Schema(
	_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse,
) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Looks up studies by name. The provider assumes nothing about the members " +
			"of a study: you get what the service returns.",
		Attributes: map[string]schema.Attribute{
			"name": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Name to search for. The service decides what matches.",
				Validators:          []validator.String{validText(), nonBlank()},
			},
			"studies": schema.DynamicAttribute{
				Computed: true,
				MarkdownDescription: "The studies that were found: the elements of a JSON array in " +
					"the response, or of its member `studies`; any other JSON object is the only " +
					"element, unless it has nothing but errors, which is an error. Empty if there are " +
					"none, which is not an error. A list if all studies have the same members of the " +
					"same types, otherwise a tuple.",
			},
			"response_json": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "The body of the response as it was received, for `jsondecode`.",
			},
		},
	}
}

func (d *studiesDataSource) Configure(
	_ context.Context, req datasource.ConfigureRequest, _ *datasource.ConfigureResponse,
) {
	d.data = providerDataFrom(req.ProviderData)
}

func (d *studiesDataSource) Read(
	ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse,
) {
	var name types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("name"), &name)...)
	if req.ClientCapabilities.DeferralAllowed && d.data.awaitsSettings() {
		resp.Deferred = &datasource.Deferred{Reason: datasource.DeferredReasonProviderConfigUnknown}
		resp.Diagnostics.Append(
			resp.State.SetAttribute(ctx, path.Root("studies"), types.DynamicUnknown())...)
		resp.Diagnostics.Append(
			resp.State.SetAttribute(ctx, path.Root("response_json"), types.StringUnknown())...)
		return
	}
	service := d.data.usableClient(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	body, id, err := service.LookUpStudies(ctx, name.ValueString())
	if err != nil {
		resp.Diagnostics.Append(failedRequest(titleLookUp, err, ""))
		return
	}
	studies, err := studiesValue(body)
	if err != nil {
		resp.Diagnostics.AddAttributeError(path.Root("studies"), titleReadStudies,
			paragraphs(fmt.Sprintf("The service responded to the lookup, but %s.",
				service.CleanError(err)), indented(id.String()),
				"Terraform stores nothing from a failed lookup, not even response_json. Look up a name "+
					"that matches fewer studies, or ask the service's operators to change the response. "+
					"To apply the rest, remove the data source."))
		return
	}
	// Not by resp.State.Set: that would convert every study to the framework's types and back.
	kind := resp.State.Schema.Type().TerraformType(ctx)
	resp.State.Raw = tftypes.NewValue(kind, map[string]tftypes.Value{
		"name":          tftypes.NewValue(tftypes.String, name.ValueString()),
		"studies":       studies,
		"response_json": tftypes.NewValue(tftypes.String, string(body)),
	})
}
