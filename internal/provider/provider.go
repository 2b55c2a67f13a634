// Package provider implements the Terraform side of the notification provider: schemas, plans,
// state and diagnostics. Package client makes all requests to the service.
package provider

import (
	"context"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/notification/terraform-provider-notification/internal/client"
	"github.com/notification/terraform-provider-notification/internal/settings"
)

// Source is the provider's source in a configuration, [HOST/]NAMESPACE/notification. Without a
// host, Terraform and OpenTofu each use their default registry; only a private registry needs a
// host.
const Source = "notification/notification"

var (
	_ provider.ProviderWithActions            = (*notificationProvider)(nil)
	_ provider.ProviderWithEphemeralResources = (*notificationProvider)(nil)
	_ provider.ProviderWithValidateConfig     = (*notificationProvider)(nil)
)

type notificationProvider struct {
	version string
}

// New returns the provider in the given version, configured by its block and the environment.
func New(version string) provider.Provider {
	return &notificationProvider{version: version}
}

func (p *notificationProvider) Metadata(
	_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse,
) {
	resp.TypeName = "notification"
	resp.Version = p.version
}

func (p *notificationProvider) Schema(
	_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse,
) {
	resp.Schema = settings.Schema()
}

// ValidateConfig ignores the environment: it reports only what no variable could correct.
func (p *notificationProvider) ValidateConfig(
	ctx context.Context, req provider.ValidateConfigRequest, resp *provider.ValidateConfigResponse,
) {
	for _, d := range settings.Validate(ctx, req.Config) {
		resp.Diagnostics.Append(settingsError(d, guidesOf(p.version), ""))
	}
}

// Configure reports all problems of the configuration at once. Unknown values are not errors here:
// a plan needs the service only for data sources and ephemeral resources, and check_credentials is
// skipped.
func (p *notificationProvider) Configure(
	ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse,
) {
	config, unknown, diags := settings.Read(ctx, req.Config, os.Getenv)
	g := guidesOf(p.version)
	for _, d := range diags { // Configure runs in an apply too
		resp.Diagnostics.Append(settingsError(d, g, "Nothing was sent with these settings."))
	}
	if resp.Diagnostics.HasError() {
		return
	}
	data := &providerData{
		unknown: unknown, keyHeader: config.IdempotencyKeyHeader, guides: g,
		wantsCheck: config.CheckCredentials,
	}
	if len(unknown) == 0 {
		config.UserAgent = "terraform-provider-notification/" + p.version +
			" terraform/" + req.TerraformVersion
		data.client = client.New(config.Config)
	}
	resp.ResourceData = data
	resp.DataSourceData = data
	resp.EphemeralResourceData = data
	resp.ActionData = data
}

func (p *notificationProvider) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{newNotificationResource}
}

func (p *notificationProvider) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{newStudiesDataSource}
}

func (p *notificationProvider) EphemeralResources(
	context.Context,
) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{newAccessTokenEphemeralResource}
}

func (p *notificationProvider) Actions(context.Context) []func() action.Action {
	return []func() action.Action{newSendAction}
}
