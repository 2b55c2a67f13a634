package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-notification/internal/studies"
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
		MarkdownDescription: "Looks studies up by name. Nothing is assumed about the members of a " +
			"study: they come as the service returns them.",
		Attributes: map[string]schema.Attribute{
			"name": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Name to look for. The service decides what matches.",
				Validators:          textValidators(),
			},
			"studies": schema.DynamicAttribute{
				Computed: true,
				MarkdownDescription: "The studies that were found; empty when there are none, which is no " +
					"error. The elements of a JSON array in the answer, or of its member `studies`; any " +
					"other JSON object is the only element. Numbers keep every digit, up to 154. " +
					"Where all studies have the same members of the same types, this is a list, which " +
					"costs Terraform far less; otherwise, and when there are none, it is a tuple. A member " +
					"that is `null` in some studies only is not of the same type in all. Two expressions " +
					"tell a list from a tuple: `concat` converts the members of lists to common types, " +
					"which `flatten` does not, and `==` never finds a list equal to a value in `[…]`. " +
					"Where the service answers in pages, these are the studies of the first one. " +
					"A warning says so if the answer has a member beside `studies` that usually " +
					"means more: `next`, `next_page_token`, `nextPageToken`, `next_cursor`, " +
					"`links.next` or `_links.next` that is not empty, or a `total` or " +
					"`total_count` that is larger.",
			},
			"response_json": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "The answer as it was received, for `jsondecode`.",
			},
		},
	}
}

func (d *studiesDataSource) Configure(
	_ context.Context, req datasource.ConfigureRequest, resp *datasource.ConfigureResponse,
) {
	d.data = providerDataFrom(req.ProviderData, &resp.Diagnostics)
}

func (d *studiesDataSource) Read(
	ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse,
) {
	var name types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("name"), &name)...)
	service := d.data.usableClient(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	body, id, err := service.Studies(ctx, name.ValueString())
	if err != nil {
		resp.Diagnostics.Append(failedRequest("Unable to look up studies", err, ""))
		return
	}
	found, err := studies.FromJSON(ctx, body)
	if err == nil {
		found, err = studies.Encode(found)
	}
	if err != nil {
		resp.Diagnostics.AddAttributeError(
			path.Root("studies"),
			"Unable to read the studies in the answer",
			fmt.Sprintf("The service answered the lookup, but %s. %s", service.CleanError(err),
				requestIDs(id)),
		)
		return
	}
	if member := studies.FurtherPages(body); member != "" {
		resp.Diagnostics.AddAttributeWarning(
			path.Root("studies"),
			"Only the first page of studies was read",
			fmt.Sprintf("The member %q of the answer says that the service has more studies than "+
				"this answer holds. The provider cannot ask for the others, since the service's "+
				"page does not show how. If they matter, look up a longer name, or several. %s",
				member, requestIDs(id)),
		)
	}
	// Main has the studies decoded on their way to Terraform.
	kind := resp.State.Schema.Type().TerraformType(ctx)
	resp.State.Raw = tftypes.NewValue(kind, map[string]tftypes.Value{
		"name":          tftypes.NewValue(tftypes.String, name.ValueString()),
		"studies":       found,
		"response_json": tftypes.NewValue(tftypes.String, string(body)),
	})
}
