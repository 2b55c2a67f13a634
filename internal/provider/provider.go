// Package provider is the Terraform side of the notification provider: schemas, plans, state and
// diagnostics. Package client makes all requests to the service.
package provider

import (
	"context"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"terraform-provider-notification/internal/client"
)

// Address is the provider's source address. It names the host, so that OpenTofu finds the same
// provider.
const Address = "registry.terraform.io/notification/notification"

var (
	_ provider.ProviderWithActions            = (*notificationProvider)(nil)
	_ provider.ProviderWithEphemeralResources = (*notificationProvider)(nil)
	_ provider.ProviderWithValidateConfig     = (*notificationProvider)(nil)
)

type notificationProvider struct {
	version string
	getenv  func(string) string
}

func newProvider(version string) provider.Provider {
	return &notificationProvider{version: version, getenv: os.Getenv}
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
	resp.Schema = schema.Schema{
		MarkdownDescription: "Submits notifications to a notification service that is protected " +
			"by OAuth 2.0 client credentials, and looks up studies in it. Within a plan or an " +
			"apply, everything that uses the same provider configuration shares one access token " +
			"and one set of connections.",
		Attributes: map[string]schema.Attribute{
			"auth_url": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Address of the authorization server: an absolute " +
					"`https://` URL, or `http://` to this machine, without query, fragment or " +
					"user information. Access tokens are requested from " +
					"`{auth_url}/oauth2/token`; a value that already ends in `/oauth2/token` " +
					"means the same. " + requiredOrVariable("auth_url"),
			},
			"base_url": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Root of the service's API: an absolute `https://` URL, or " +
					"`http://` to this machine, without query, fragment or user information. A " +
					"path prefix is kept. " +
					requiredOrVariable("base_url"),
			},
			"client_id": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Identifier of the OAuth 2.0 client. " +
					requiredOrVariable("client_id"),
			},
			"client_secret": schema.StringAttribute{
				Optional:  true,
				Sensitive: true,
				MarkdownDescription: "Secret of the OAuth 2.0 client. It is sent to the " +
					"authorization server only. " + requiredOrVariable("client_secret"),
			},
			"scopes": schema.SetAttribute{
				Optional:    true,
				ElementType: types.StringType,
				MarkdownDescription: "Scopes to request with the access token. If unset, no " +
					"`scope` is sent and the authorization server decides. Can also be set with " +
					"the environment variable `" + variable("scopes") + "`, separated by spaces.",
			},
			"system": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "The `<system>` segment in the paths of the service, as in " +
					"`{base_url}/<system>/studies/v1`. If unset, the paths have no such segment. " +
					orVariable("system"),
			},
			"notifications_path": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Path to which notifications are submitted, relative to " +
					"`base_url` and used as given: `system` is not added. If unset, " +
					"notifications are submitted to `{base_url}[/<system>]/notifications/v1`. " +
					orVariable("notifications_path"),
			},
			"studies_path": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Path at which studies are looked up, relative to " +
					"`base_url` and used as given: `system` is not added. If unset, studies are " +
					"looked up at `{base_url}[/<system>]/studies/v1`. " +
					orVariable("studies_path"),
			},
			"headers": schema.MapAttribute{
				Optional:    true,
				Sensitive:   true,
				ElementType: types.StringType,
				MarkdownDescription: "Headers to add to API requests, for example the key of a " +
					"gateway. They are not sent with token requests. Headers that the provider " +
					"or HTTP itself sets, such as `Authorization` and `Content-Type`, are " +
					"rejected. So is `Idempotency-Key`, because Go's HTTP client could then " +
					"retry a submission by itself. There is no environment variable for this " +
					"setting.",
			},
			"request_id_header": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Name of a header, such as `X-Request-ID`, in which to send " +
					"the id of each request, for gateways that log one. Errors quote the same " +
					"id. The header `traceparent` (W3C Trace Context) always carries it. Headers " +
					"that `headers` cannot set are rejected. " + orVariable("request_id_header"),
			},
			"request_timeout": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Time limit of one attempt at a request: a duration such as " +
					"`30s` or `1m30s`. Waiting for one of the 32 connections does not count. A " +
					"submission that is not answered in time may have been accepted and is not " +
					"retried, so do not set less than the service may need. Defaults to `30s`. " +
					orVariable("request_timeout"),
			},
			"max_retries": schema.Int64Attribute{
				Optional: true,
				MarkdownDescription: "How many times a request is retried, from 0 to 10. A " +
					"submission is retried only if the service did not accept it, never if that " +
					"is unknown. Defaults to 4. " + orVariable("max_retries"),
			},
			"ca_cert_pem": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Certificates, in PEM, of certificate authorities to trust " +
					"in addition to those of the system, for API and token requests. " +
					orVariable("ca_cert_pem"),
			},
			"client_cert_pem": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Client certificate for mutual TLS, in PEM, for API and " +
					"token requests. Requires `client_key_pem`. " + orVariable("client_cert_pem"),
			},
			"client_key_pem": schema.StringAttribute{
				Optional:  true,
				Sensitive: true,
				MarkdownDescription: "Private key of `client_cert_pem`, in PEM. " +
					orVariable("client_key_pem"),
			},
			"allow_insecure_http": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Whether `auth_url` and `base_url` may be plain `http://` " +
					"addresses of other machines. The client secret and the access token are " +
					"then sent unencrypted. Defaults to `false`. " +
					orVariable("allow_insecure_http"),
			},
		},
	}
}

// orVariable is the sentence of a description that names the environment variable.
func orVariable(attribute string) string {
	return "Can also be set with the environment variable `" + variable(attribute) + "`."
}

// requiredOrVariable is orVariable for a setting that is required in one of the two places.
func requiredOrVariable(attribute string) string {
	return "Required, either here or as the environment variable `" + variable(attribute) + "`."
}

// ValidateConfig reports invalid values in the provider block, so that `terraform validate` finds
// them without the environment and without credentials. A plan stops after an error here, before it
// calls Configure. What Configure would have reported is therefore added as warnings.
func (p *notificationProvider) ValidateConfig(
	ctx context.Context, req provider.ValidateConfigRequest, resp *provider.ValidateConfigResponse,
) {
	var model providerModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	resp.Diagnostics.Append(model.literalErrors(ctx)...)
	if !resp.Diagnostics.HasError() {
		return
	}
	_, _, diags := model.clientConfig(ctx, p.getenv)
	for _, d := range diags {
		if at, ok := d.(diag.DiagnosticWithPath); ok && !resp.Diagnostics.Contains(d) {
			resp.Diagnostics.AddAttributeWarning(at.Path(), d.Summary(), d.Detail())
		}
	}
}

// Configure reports all problems of the configuration at once. An unknown value is no problem here:
// a plan needs the service only for data sources and ephemeral resources.
func (p *notificationProvider) Configure(
	ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse,
) {
	var model providerModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if resp.Diagnostics.HasError() {
		return
	}
	config, unknown, diags := model.clientConfig(ctx, p.getenv)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}

	if traceParent := p.getenv("TRACEPARENT"); traceParent != "" {
		var err error
		if config.Trace, err = client.ParseTrace(traceParent); err != nil {
			tflog.Debug(ctx, "Ignored the environment variable TRACEPARENT, which "+err.Error())
		}
	}
	service := &service{unknown: unknown}
	if len(unknown) == 0 {
		config.UserAgent = "terraform-provider-notification/" + p.version +
			" terraform/" + req.TerraformVersion
		service.client = client.New(config)
	}
	resp.ResourceData = service
	resp.DataSourceData = service
	resp.EphemeralResourceData = service
	resp.ActionData = service
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
