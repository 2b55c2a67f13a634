package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

var _ ephemeral.EphemeralResourceWithConfigure = (*accessTokenEphemeralResource)(nil)

func newAccessTokenEphemeralResource() ephemeral.EphemeralResource {
	return &accessTokenEphemeralResource{}
}

// accessTokenEphemeralResource offers an access token for other requests to the same platform.
// Opening it has no side effect but a token request.
type accessTokenEphemeralResource struct {
	data *providerData
}

type accessTokenModel struct {
	Scopes        types.Set    `tfsdk:"scopes"`
	AccessToken   types.String `tfsdk:"access_token"`
	TokenType     types.String `tfsdk:"token_type"`
	ExpiresAt     types.String `tfsdk:"expires_at"`
	GrantedScopes types.Set    `tfsdk:"granted_scopes"`
}

func (e *accessTokenEphemeralResource) Metadata(
	_ context.Context, req ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse,
) {
	resp.TypeName = req.ProviderTypeName + "_access_token"
}

func (e *accessTokenEphemeralResource) Schema(
	_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse,
) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "An access token for other requests to the same platform, kept out " +
			"of plan and state. Terraform obtains it during plan and apply, and allows it only " +
			"where nothing is stored. Requires Terraform 1.10, OpenTofu 1.11, or later, and the " +
			"provider's required settings.",
		Attributes: map[string]schema.Attribute{
			"scopes": schema.SetAttribute{
				Optional:    true,
				ElementType: types.StringType,
				MarkdownDescription: "Scopes to request instead of the provider's `scopes`. The " +
					"authorization server decides which of them it grants.",
				Validators: []validator.Set{setvalidator.SizeAtLeast(1), scopesOnly()},
			},
			"access_token": schema.StringAttribute{
				Computed:  true,
				Sensitive: true,
				MarkdownDescription: "The token, to be sent as `Authorization: Bearer …`. The " +
					"provider uses one token for the same scopes until it is about to expire. It " +
					"cannot renew a token that it has handed out: see `expires_at`.",
			},
			"token_type": schema.StringAttribute{
				Computed:            true,
				MarkdownDescription: "Always `Bearer`.",
			},
			"expires_at": schema.StringAttribute{
				Computed: true,
				MarkdownDescription: "When the token expires, in UTC (RFC 3339). Null if the " +
					"authorization server did not say.",
			},
			"granted_scopes": schema.SetAttribute{
				Computed:    true,
				ElementType: types.StringType,
				MarkdownDescription: "Scopes granted to the token. Null if neither the request " +
					"nor the authorization server named any, or if it named them in another form " +
					"than words or an array of them.",
			},
		},
	}
}

func (e *accessTokenEphemeralResource) Configure(
	_ context.Context, req ephemeral.ConfigureRequest, _ *ephemeral.ConfigureResponse,
) {
	e.data = providerDataFrom(req.ProviderData)
}

func (e *accessTokenEphemeralResource) Open(
	ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse,
) {
	var model accessTokenModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &model)...)
	if req.ClientCapabilities.DeferralAllowed && e.data.awaitsSettings() {
		resp.Deferred = &ephemeral.Deferred{Reason: ephemeral.DeferredReasonProviderConfigUnknown}
		return
	}
	var scopes []string
	resp.Diagnostics.Append(model.Scopes.ElementsAs(ctx, &scopes, false)...)
	service := e.data.usableClient(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}

	token, err := service.ObtainAccessToken(ctx, scopes)
	if err != nil {
		resp.Diagnostics.Append(failedRequest(titleToken, err, ""))
		return
	}
	model.AccessToken = types.StringValue(token.Value)
	model.TokenType = types.StringValue("Bearer")
	if !token.Expires.IsZero() {
		model.ExpiresAt = types.StringValue(timestamp(token.Expires))
	}
	granted, diags := types.SetValueFrom(ctx, types.StringType, token.Scopes) // null for nil
	resp.Diagnostics.Append(diags...)
	model.GrantedScopes = granted
	resp.Diagnostics.Append(resp.Result.Set(ctx, model)...)
}
