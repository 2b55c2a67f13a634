package provider

import (
	"context"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-notification/internal/client"
)

var (
	_ resource.ResourceWithConfigure   = (*notificationResource)(nil)
	_ resource.ResourceWithModifyPlan  = (*notificationResource)(nil)
	_ resource.ResourceWithImportState = (*notificationResource)(nil)
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
	_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse,
) {
	resp.Schema = notificationSchema()
}

func (r *notificationResource) Configure(
	_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse,
) {
	r.data = providerDataFrom(req.ProviderData, &resp.Diagnostics)
}

// ModifyPlan asks for a replacement, which submits, where decide says so; the schema never does. It
// warns about changes that are not sent. Terraform plans every replacement a second time, as a
// creation, so that the credentials are checked there, whatever it is for.
func (r *notificationResource) ModifyPlan(
	ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse,
) {
	if req.Plan.Raw.IsNull() {
		return // destroy
	}
	var key types.String
	resp.Diagnostics.Append(req.Plan.GetAttribute(ctx, path.Root("idempotency_key"), &key)...)
	r.data.checkKey(key, &resp.Diagnostics)
	asSubmitted := path.Root("as_submitted")
	if req.State.Raw.IsNull() {
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, asSubmitted, true)...)
		resp.Diagnostics.Append(incompleteChannels(ctx, req.Config)...)
		if r.data != nil && key.ValueString() != "" {
			resp.Diagnostics.Append(r.data.keys.plan(keyDigest(key.ValueString()), true)...)
		}
		r.data.checkCredentials(ctx, &resp.Diagnostics)
		return
	}

	var planned, stored types.Object
	resp.Diagnostics.Append(req.Plan.Get(ctx, &planned)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &stored)...)
	plan := notificationModelFrom(planned, &resp.Diagnostics)
	state := notificationModelFrom(stored, &resp.Diagnostics)
	submitted, diags := req.Private.GetKey(ctx, submissionKey)
	resp.Diagnostics.Append(diags...)
	sentKey, diags := req.Private.GetKey(ctx, idempotencyKeyKey)
	resp.Diagnostics.Append(diags...)
	if resp.Diagnostics.HasError() {
		return
	}
	d, diags := plan.decide(ctx, state, submitted, sentKey)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, asSubmitted, d.asSubmitted)...)
	if plan.ID.IsUnknown() { // in a plan that changes something: an older state has none
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, path.Root("id"), state.NotificationID)...)
	}
	for _, argument := range d.replaceFor {
		resp.RequiresReplace.Append(path.Root(argument))
	}
	if r.data != nil {
		resp.Diagnostics.Append(r.data.keys.plan(d.keyInPlan(plan, state, sentKey))...)
	}
	if d.unannounced {
		resp.Diagnostics.Append(unannouncedWarning(state.Triggers))
	}
	if len(d.replaceFor) > 0 || !state.Channels.IsNull() && !plan.Channels.Equal(state.Channels) {
		// Terraform plans a replacement a second time, as a creation, but drops the warnings of
		// that.
		resp.Diagnostics.Append(incompleteChannels(ctx, req.Config)...)
	}
	switch {
	case d.keyUsed && len(d.replaceFor) > 0:
		resp.Diagnostics.Append(usedKeyError(d.replaceFor, state.Confirmed))
	case len(d.unsent) == 0:
	case d.undecided:
		resp.Diagnostics.Append(undecidedWarning(d.unsent, d.keyUsed))
	default:
		resp.Diagnostics.Append(notSentWarning(d.unsent, state, d.keyUsed))
	}
}

// Create submits the notification. The new state comes from the plan, not from the configuration,
// which holds write-only values.
func (r *notificationResource) Create(
	ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse,
) {
	var planned types.Object
	var configured types.List
	resp.Diagnostics.Append(req.Plan.Get(ctx, &planned)...)
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("channels"), &configured)...)
	plan := notificationModelFrom(planned, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	limit, diags := plan.Timeouts.Create(ctx, client.DefaultTimeout)
	resp.Diagnostics.Append(diags...)
	request, diags := notificationRequest(plan.Priority, plan.Channels, configured)
	resp.Diagnostics.Append(diags...)
	service := r.data.usableClient(&resp.Diagnostics)
	r.data.checkKey(plan.IdempotencyKey, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}

	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	key := plan.IdempotencyKey.ValueString()
	receipt, err := service.SubmitNotification(ctx, request, key)
	failed := requestError(err)
	switch {
	case err == nil:
		if receipt.NotificationID == "" {
			resp.Diagnostics.Append(missingID(receipt, resourceAdvice))
		}
		resp.Diagnostics.Append(r.data.keys.submitted(key, receipt)...)
	case plan.Delivery.ValueString() == atMostOnce && failed.Ambiguous:
		receipt = &client.Receipt{Time: failed.Time}
		resp.Diagnostics.Append(unconfirmedSubmission(failed))
	default:
		resp.Diagnostics.Append(failedSubmission(failed, resourceAdvice))
		return
	}

	state := planned.Attributes()
	id := types.StringNull()
	if receipt.NotificationID != "" {
		id = types.StringValue(receipt.NotificationID)
	}
	state["notification_id"], state["id"] = id, id
	state["confirmed"] = types.BoolValue(err == nil)
	state["submitted_at"] = types.StringValue(receipt.Time.UTC().Format(time.RFC3339))
	state["as_submitted"] = types.BoolValue(true)
	object, diags := types.ObjectValue(planned.AttributeTypes(ctx), state)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(resp.State.Set(ctx, object)...)
	resp.Diagnostics.Append(rememberSubmission(ctx, resp.Private, request, key)...)
}

// Read keeps the state: the service offers no lookup of a notification.
func (r *notificationResource) Read(
	context.Context, resource.ReadRequest, *resource.ReadResponse,
) {
}

// Update records the plan, in which everything is known: Terraform plans again before it applies.
// ModifyPlan has warned about changes that are not sent. The first key of a notification that was
// imported is taken for the one under which it was submitted: an error recommends that import, and at
// worst the next notification needs another key.
func (r *notificationResource) Update(
	ctx context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse,
) {
	resp.State.Raw = req.Plan.Raw
	var planned, stored types.Object
	resp.Diagnostics.Append(req.Plan.Get(ctx, &planned)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &stored)...)
	plan := notificationModelFrom(planned, &resp.Diagnostics)
	state := notificationModelFrom(stored, &resp.Diagnostics)
	imported := state.Confirmed.IsNull() && !state.NotificationID.IsNull()
	if key := plan.IdempotencyKey.ValueString(); key != "" && imported {
		resp.Diagnostics.Append(resp.Private.SetKey(ctx, idempotencyKeyKey, keyDigest(key))...)
	}
}

// Delete makes no request; the framework removes the notification from the state. It warns where the
// notification that replaces this one, and was created before, has turned out to be the same.
func (r *notificationResource) Delete(
	ctx context.Context, req resource.DeleteRequest, resp *resource.DeleteResponse,
) {
	var stored types.Object
	resp.Diagnostics.Append(req.State.Get(ctx, &stored)...)
	sentKey, diags := req.Private.GetKey(ctx, idempotencyKeyKey)
	resp.Diagnostics.Append(diags...)
	state := notificationModelFrom(stored, &resp.Diagnostics)
	if r.data != nil && r.data.keyHeader != "" {
		resp.Diagnostics.Append(r.data.keys.deleted(state, sentKey)...)
	}
}

// ImportState cannot check that the id exists: the service offers no lookup of a notification.
func (r *notificationResource) ImportState(
	ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse,
) {
	if err := client.CheckNotificationID(req.ID); err != nil {
		resp.Diagnostics.AddError("Unable to import notification",
			fmt.Sprintf("The import id %s. Use the notification_id exactly as the service "+
				"returned it.", err))
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("notification_id"), req.ID)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("id"), req.ID)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("as_submitted"), false)...)
}
