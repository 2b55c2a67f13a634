package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

var (
	_ action.ActionWithConfigure  = (*sendAction)(nil)
	_ action.ActionWithModifyPlan = (*sendAction)(nil)
)

func newSendAction() action.Action { return &sendAction{} }

// sendAction submits a notification each time it is invoked, with the same code as the resource,
// and stores nothing.
type sendAction struct {
	data *providerData
}

func (a *sendAction) Metadata(
	_ context.Context, req action.MetadataRequest, resp *action.MetadataResponse,
) {
	resp.TypeName = req.ProviderTypeName + "_send"
}

func (a *sendAction) Schema(
	_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse,
) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "Submits a notification each time it is invoked: by a resource's " +
			"`action_trigger`, or by `terraform apply -invoke`. An invocation is limited to 5 " +
			"minutes, retries included. Nothing is stored in the state. Requires Terraform 1.14 " +
			"or later; OpenTofu has no actions yet.",
		Attributes: map[string]schema.Attribute{
			// No fields_wo: the framework rejects write-only attributes in actions. Also, Terraform
			// 1.16 drops ephemeral values from an action that is invoked with -invoke, so the
			// notification would be submitted without them.
			"channels": channelsAttribute(channelsDescription, channelAttributes()),
			"priority": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: priorityDescription,
				Validators:          []validator.String{stringvalidator.OneOf(priorities...)},
			},
			"idempotency_key": schema.StringAttribute{
				Optional:            true,
				MarkdownDescription: keyDescription + "each invocation has a random key.",
				Validators:          []validator.String{validKey()},
			},
		},
	}
}

func (a *sendAction) Configure(
	_ context.Context, req action.ConfigureRequest, _ *action.ConfigureResponse,
) {
	a.data = providerDataFrom(req.ProviderData)
}

// ModifyPlan warns about incomplete channels, and checks the credentials. There is nothing to plan.
func (a *sendAction) ModifyPlan(
	ctx context.Context, req action.ModifyPlanRequest, resp *action.ModifyPlanResponse,
) {
	var config submissionModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	a.data.checkKey(config.IdempotencyKey, &resp.Diagnostics)
	resp.Diagnostics.Append(incompleteChannels(ctx, req.Config)...)
	a.data.checkCredentials(ctx, &resp.Diagnostics)
}

func (a *sendAction) Invoke(
	ctx context.Context, req action.InvokeRequest, resp *action.InvokeResponse,
) {
	var config submissionModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if resp.Diagnostics.HasError() {
		return
	}
	request, diags := config.request(ctx, config.Channels)
	resp.Diagnostics.Append(diags...)
	service := a.data.usableClient(&resp.Diagnostics)
	a.data.checkKey(config.IdempotencyKey, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}

	// Terraform prints progress without redaction, so it names neither recipients nor content.
	progress := func(format string, args ...any) {
		if ctx.Err() == nil { // once cancelled, Terraform no longer listens
			resp.SendProgress(action.InvokeProgressEvent{Message: fmt.Sprintf(format, args...)})
		}
	}
	channels := "1 channel"
	if n := len(request.Channels); n > 1 {
		channels = fmt.Sprintf("%d channels", n)
	}
	progress("Submitting a notification with priority %s through %s", request.Priority, channels)
	by := submitter{
		isAction: true, ownKey: !config.IdempotencyKey.IsNull(), guides: a.data.guides,
	}
	receipt, err := service.SubmitNotification(ctx, request, config.IdempotencyKey.ValueString())
	if err != nil {
		resp.Diagnostics.Append(failedSubmission(requestError(err), by))
		return
	}
	resp.Diagnostics.Append(receiptWarning(receipt, by))
	progress("%s", receiptProgress(receipt)) // Terraform drops the warnings of a triggered action
}
