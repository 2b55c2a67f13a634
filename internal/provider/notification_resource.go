package provider

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/notification/terraform-provider-notification/internal/client"
)

var (
	_ resource.ResourceWithConfigure  = (*notificationResource)(nil)
	_ resource.ResourceWithModifyPlan = (*notificationResource)(nil)
)

func newNotificationResource() resource.Resource { return &notificationResource{} }

// notificationResource makes requests in Create only. A notification that was submitted cannot be
// read back, changed or withdrawn.
type notificationResource struct {
	data *providerData
}

func (r *notificationResource) Metadata(
	_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse,
) {
	resp.TypeName = req.ProviderTypeName + "_notification"
}

func (r *notificationResource) Schema(
	ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse,
) {
	resp.Schema = notificationSchema(ctx)
}

func (r *notificationResource) Configure(
	_ context.Context, req resource.ConfigureRequest, _ *resource.ConfigureResponse,
) {
	r.data = providerDataFrom(req.ProviderData)
}

func (r *notificationResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	switch {
	case req.Plan.Raw.IsNull(): // destroy
	case req.State.Raw.IsNull():
		r.planCreation(ctx, req, resp)
	default:
		r.planChange(ctx, req, resp)
	}
}

// planCreation plans each replacement too: Terraform plans it a second time, as a creation.
func (r *notificationResource) planCreation(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	var key types.String
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("idempotency_key"), &key)...)
	r.data.checkKey(key, &resp.Diagnostics)
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("as_submitted"), true)...)
	resp.Diagnostics.Append(incompleteChannels(ctx, req.Config)...)
	r.data.checkCredentials(ctx, &resp.Diagnostics)
}

// planChange requests a replacement, which submits, where decide says so; the schema never does. It
// warns about changes that are not sent.
func (r *notificationResource) planChange(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	var plan, state notificationModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &state)...)
	r.data.checkKey(plan.IdempotencyKey, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	d := plan.decide(ctx, state)
	resp.Diagnostics.Append(
		resp.Plan.SetAttribute(ctx, path.Root("as_submitted"), d.asSubmitted)...)
	for _, change := range d.replaceFor {
		resp.RequiresReplace.Append(path.Root(change.argument))
	}
	resp.Diagnostics.Append(d.diagnostics(state, r.data.guides)...)
	if len(d.replaceFor) > 0 || plan.channelsChanged(state) {
		// The plan of the creation that follows a replacement warns too, but Terraform drops that.
		resp.Diagnostics.Append(incompleteChannels(ctx, req.Config)...)
	}
}

// Create submits the notification. The new state comes from the plan, not from the configuration,
// which holds write-only values.
func (r *notificationResource) Create(
	ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse,
) {
	var plan notificationModel
	resp.Diagnostics.Append(req.Plan.Get(ctx, &plan)...)
	var configured types.List
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("channels"), &configured)...)
	if resp.Diagnostics.HasError() {
		return
	}
	limit, diags := plan.Timeouts.Create(ctx, client.DefaultTimeout)
	resp.Diagnostics.Append(diags...)
	request, diags := plan.request(ctx, configured)
	resp.Diagnostics.Append(diags...)
	service := r.data.usableClient(&resp.Diagnostics)
	r.data.checkKey(plan.IdempotencyKey, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}

	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	by := submitter{
		atMostOnce: plan.Delivery.ValueString() == atMostOnce,
		ownKey:     !plan.IdempotencyKey.IsNull(), guides: r.data.guides,
	}
	receipt, err := service.SubmitNotification(ctx, request, plan.IdempotencyKey.ValueString())
	if err != nil {
		failed := requestError(err)
		resp.Diagnostics.Append(failedSubmission(failed, by))
		if !by.stores(failed) {
			return
		}
		plan.record(client.NotificationID{}, failed.Time)
	} else {
		plan.record(receipt.NotificationID, receipt.Time)
		resp.Diagnostics.Append(receiptWarning(receipt, by))
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, &plan)...)
}

// stores reports whether a notification is stored although the service may not have accepted it.
func (by submitter) stores(failed *client.Error) bool {
	return by.atMostOnce && failed.Ambiguous && !failed.OnlySignIn
}

// Read keeps the state: the service offers no lookup of a notification.
func (r *notificationResource) Read(
	context.Context, resource.ReadRequest, *resource.ReadResponse,
) {
}

// Update records the plan, in which everything is known: Terraform plans again before it applies.
// ModifyPlan has warned about changes that are not sent.
func (r *notificationResource) Update(
	_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse,
) {
	resp.State.Raw = req.Plan.Raw
}

// Delete makes no request; the framework removes the notification from the state.
func (r *notificationResource) Delete(
	context.Context, resource.DeleteRequest, *resource.DeleteResponse,
) {
}
