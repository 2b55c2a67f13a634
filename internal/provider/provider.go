// Package provider is the Terraform side of the notification provider: schemas,
// plans, state and diagnostics. All talk with the service is package client's.
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

// Address is the provider's source address, with the host, so that OpenTofu
// finds the same provider.
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

func (p *notificationProvider) Metadata(_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse) {
	resp.TypeName = "notification"
	resp.Version = p.version
}

func (p *notificationProvider) Schema(_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Sends notifications through a notification service that is protected by OAuth 2.0 client credentials, " +
			"and looks studies up there. One access token and one set of connections serve a whole run.",
		Attributes: map[string]schema.Attribute{
			"auth_url": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Address of the authorization server: an absolute `https://` URL, or `http://` to this machine, without query, fragment or user information. " +
					"Access tokens are requested from `{auth_url}/oauth2/token`; a value that already ends so means the same. " + requiredOrVariable("auth_url"),
			},
			"base_url": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Root of the service's API: an absolute `https://` URL, or `http://` to this machine, without query, fragment or user information. " +
					"A path prefix is kept. " + requiredOrVariable("base_url"),
			},
			"client_id": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Identifier of the OAuth 2.0 client. " + requiredOrVariable("client_id"),
			},
			"client_secret": schema.StringAttribute{
				Optional:            true,
				Sensitive:           true,
				MarkdownDescription: "Secret of the OAuth 2.0 client. It is sent to the authorization server only. " + requiredOrVariable("client_secret"),
			},
			"scopes": schema.SetAttribute{
				Optional:    true,
				ElementType: types.StringType,
				MarkdownDescription: "Scopes to request with the access token. Unset, no `scope` is sent and the authorization server decides. " +
					"May be set with the environment variable `" + variable("scopes") + "`, separated by spaces.",
			},
			"system": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "The `<system>` segment in the service's paths, `{base_url}/<system>/studies/v1`. Unset, the paths have none. " +
					orVariable("system"),
			},
			"notifications_path": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Where notifications are submitted, relative to `base_url` and taken verbatim (`system` is not added). " +
					"Unset, `{base_url}[/<system>]/notifications/v1`. " + orVariable("notifications_path"),
			},
			"studies_path": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Where studies are looked up, relative to `base_url` and taken verbatim (`system` is not added). " +
					"Unset, `{base_url}[/<system>]/studies/v1`. " + orVariable("studies_path"),
			},
			"headers": schema.MapAttribute{
				Optional:    true,
				Sensitive:   true,
				ElementType: types.StringType,
				MarkdownDescription: "Headers to add to API requests, for example the key of a gateway. They are not sent with token requests. " +
					"Headers that the provider or the protocol needs for itself, such as `Authorization` and `Idempotency-Key`, are refused. There is no environment variable for them.",
			},
			"request_id_header": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Name of a header, such as `X-Request-ID`, that carries the id of each " +
					"request, for gateways that log one. Errors quote the same id. The header `traceparent` " +
					"(W3C Trace Context) carries it in any case. Headers that `headers` cannot set are " +
					"refused. " + orVariable("request_id_header"),
			},
			"request_timeout": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "How long one attempt of a request may take, a duration such as `30s` or `1m30s`. " +
					"Waiting for one of the 32 connections does not count. A submission that takes longer may have " +
					"been submitted, and is not retried: do not make this shorter than the service may need. " +
					"Defaults to `30s`. " + orVariable("request_timeout"),
			},
			"max_retries": schema.Int64Attribute{
				Optional: true,
				MarkdownDescription: "How many times a request is repeated, 0 to 10, after an attempt that did nothing. A submission whose outcome is unknown is never repeated. " +
					"Defaults to 4. " + orVariable("max_retries"),
			},
			"ca_cert_pem": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Certificates, in PEM, of authorities to trust besides those of the system, for API and token requests. " + orVariable("ca_cert_pem"),
			},
			"client_cert_pem": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: "Client certificate for mutual TLS, in PEM, for API and token requests. Needs `client_key_pem`. " + orVariable("client_cert_pem"),
			},
			"client_key_pem": schema.StringAttribute{
				Optional:            true,
				Sensitive:           true,
				MarkdownDescription: "Private key of `client_cert_pem`, in PEM. " + orVariable("client_key_pem"),
			},
			"allow_insecure_http": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Whether `auth_url` and `base_url` may be plain `http://` on other hosts than this machine. The client secret and the access token are " +
					"then sent in the clear. Defaults to `false`. " + orVariable("allow_insecure_http"),
			},
		},
	}
}

// orVariable is how each description names the environment variable.
func orVariable(attribute string) string {
	return "May be set with the environment variable `" + variable(attribute) + "`."
}

// requiredOrVariable is orVariable for what has to be set in one of the two places.
func requiredOrVariable(attribute string) string {
	return "Required, here or as the environment variable `" + variable(attribute) + "`."
}

// ValidateConfig reports what is wrong with the values in the provider block, for validate, which
// needs neither the environment nor credentials. Plan stops after an error here, so that what
// Configure would report besides comes along, as warnings.
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

// Configure reports every problem of the configuration in one go. Values that are
// not known yet are no problem here: a plan needs the service only for data.
func (p *notificationProvider) Configure(ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse) {
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

	if err := client.CheckTraceParent(config.TraceParent); config.TraceParent != "" && err != nil {
		tflog.Debug(ctx, "Ignored the environment variable TRACEPARENT, which "+err.Error())
	}
	service := &service{unknown: unknown}
	if len(unknown) == 0 {
		config.UserAgent = "terraform-provider-notification/" + p.version + " terraform/" + req.TerraformVersion
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

func (p *notificationProvider) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{newAccessTokenEphemeralResource}
}

func (p *notificationProvider) Actions(context.Context) []func() action.Action {
	return []func() action.Action{newSendAction}
}
