package provider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ModifyPlan decides, in one place, whether a change submits a new notification,
// and says so when it does not.
func (r *notificationResource) ModifyPlan(ctx context.Context, req resource.ModifyPlanRequest, resp *resource.ModifyPlanResponse) {
	if req.Plan.Raw.IsNull() {
		return // destroy
	}
	asSubmitted := path.Root("as_submitted")
	if req.State.Raw.IsNull() {
		resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, asSubmitted, true)...)
		return
	}

	var planned, stored types.Object
	resp.Diagnostics.Append(req.Plan.Get(ctx, &planned)...)
	resp.Diagnostics.Append(req.State.Get(ctx, &stored)...)
	plan := notificationModelFrom(planned, &resp.Diagnostics)
	state := notificationModelFrom(stored, &resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	now, diags := plan.asSubmitted(ctx, state, req.Private)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(resp.Plan.SetAttribute(ctx, asSubmitted, now)...)
	if state.imported() {
		return // the arguments are filled in for the first time; an import never sends
	}

	changed := plan.changedArguments(state)
	if plan.triggersChanged(state) {
		resp.RequiresReplace.Append(path.Root("triggers"))
	}
	if len(changed) > 0 && len(resp.RequiresReplace) == 0 && plan.ResendOnChange.IsUnknown() {
		resp.Diagnostics.AddAttributeError(path.Root("resend_on_change"), "Unable to plan whether to send",
			strings.Join(changed, " and ")+" changed, and resend_on_change, which decides whether that is sent, will be known only after apply. Give it a value that is known while planning.")
		return
	}
	if plan.ResendOnChange.ValueBool() {
		for _, argument := range changed {
			resp.RequiresReplace.Append(path.Root(argument))
		}
	}
	if len(changed) > 0 && len(resp.RequiresReplace) == 0 && !now.ValueBool() {
		resp.Diagnostics.Append(notSentWarning(changed, state.NotificationID))
	}
}

// notSentWarning has the same summary for every resource, so that Terraform folds
// many of them into one.
func notSentWarning(changed []string, id types.String) diag.Diagnostic {
	sent := "The notification stays as it was submitted"
	if !id.IsNull() {
		sent += fmt.Sprintf(", with notification_id %q", id.ValueString())
	}
	return diag.NewAttributeWarningDiagnostic(path.Root(changed[0]), "Changed notification will not be sent",
		fmt.Sprintf("%s changed. Unless Terraform replaces this resource, the change is recorded in the state and nothing is sent. %s.\n\n"+
			"To send a new notification, change triggers, now or later, or set resend_on_change = true in the same apply as this change, "+
			"or run terraform apply -replace=ADDRESS with the address of this resource.",
			strings.Join(changed, " and "), sent))
}
