package provider

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/booldefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/boolplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-notification/internal/client"
)

var (
	_ resource.ResourceWithConfigure      = (*notificationResource)(nil)
	_ resource.ResourceWithValidateConfig = (*notificationResource)(nil)
	_ resource.ResourceWithModifyPlan     = (*notificationResource)(nil)
	_ resource.ResourceWithImportState    = (*notificationResource)(nil)
)

func newNotificationResource() resource.Resource { return &notificationResource{} }

// The values of delivery.
const (
	atLeastOnce = "at_least_once"
	atMostOnce  = "at_most_once"
)

// notificationResource talks to the service in Create only. A notification that
// was sent cannot be read back, changed or unsent.
type notificationResource struct {
	service *service
}

func (r *notificationResource) Metadata(_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse) {
	resp.TypeName = req.ProviderTypeName + "_notification"
}

func (r *notificationResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	kept := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	resp.Schema = schema.Schema{
		MarkdownDescription: "A notification. Creating it submits it, once; nothing else does. Reading, changing and destroying it " +
			"touch the state only, since a notification cannot be unsent.",
		Attributes: map[string]schema.Attribute{
			"channels": resourceChannels(),
			"priority": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: priorityDescription + " A change is not sent unless `resend_on_change` is true or `triggers` change too.",
				Validators:          priorityValidators(),
			},
			"triggers": schema.MapAttribute{
				Optional:    true,
				ElementType: types.StringType,
				MarkdownDescription: "Any change of these values replaces the resource, which submits a new notification. " +
					"A value that is known only after apply counts as changed, so it is sent by every apply in which it is not known while planning. " +
					"Setting triggers for the first time or removing them counts too, unless they are empty.",
			},
			"resend_on_change": schema.BoolAttribute{
				Optional: true,
				Computed: true,
				Default:  booldefault.StaticBool(false),
				MarkdownDescription: "Whether a change of `channels` or `priority` replaces the resource too, and so submits " +
					"a new notification. Channels that are known only after apply count as changed, so they are sent by " +
					"every apply in which they are not known while planning. Defaults to `false`: such a change is " +
					"recorded and not sent.",
			},
			"delivery": schema.StringAttribute{
				Optional:   true,
				Computed:   true,
				Default:    stringdefault.StaticString(atLeastOnce),
				Validators: []validator.String{choice{"Invalid delivery", []string{atLeastOnce, atMostOnce}}},
				MarkdownDescription: "What to do when it is not known whether the service accepted the " +
					"notification, because its answer was lost. `at_least_once`: an error; nothing is stored, " +
					"and the next apply submits it again. `at_most_once`: a warning; it is stored with " +
					"`confirmed = false` and without a `notification_id`, and no later apply submits it by " +
					"itself. A change submits nothing. Defaults to `at_least_once`.",
			},
			"timeouts": timeouts.Attributes(ctx, timeouts.Opts{
				Create: true,
				CreateDescription: "How long the submission may take altogether, repetitions and waits included: a duration such as `30s` or `10m`. " +
					"Defaults to 5 minutes.",
			}),
			"notification_id": schema.StringAttribute{
				Computed:            true,
				PlanModifiers:       kept,
				MarkdownDescription: "Identifier of the notification, as the service returned it. Null when the service accepted the notification without returning a usable one, and where `confirmed` is false.",
			},
			"submitted_at": schema.StringAttribute{
				Computed:            true,
				PlanModifiers:       kept,
				MarkdownDescription: "When the service's answer arrived, in UTC (RFC 3339); where `confirmed` is false, when the request was sent. Null after an import.",
			},
			"confirmed": schema.BoolAttribute{
				Computed:      true,
				PlanModifiers: []planmodifier.Bool{boolplanmodifier.UseStateForUnknown()},
				MarkdownDescription: "Whether the service answered that it accepted the notification: true after create, " +
					"false where `delivery = \"at_most_once\"` stored one whose answer was lost, null after an import.",
			},
			"as_submitted": schema.BoolAttribute{
				Computed: true,
				MarkdownDescription: "Whether `channels` and `priority` are what was submitted: false after they were changed without being sent, true again " +
					"when that is undone. False after an import, since what was submitted is not known then.",
			},
		},
	}
}

func (r *notificationResource) Configure(_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse) {
	r.service = serviceFrom(req.ProviderData, &resp.Diagnostics)
}

// ValidateConfig checks that there is time to submit in; timeouts brings no validator for that.
func (r *notificationResource) ValidateConfig(
	ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse,
) {
	var configured timeouts.Value
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("timeouts"), &configured)...)
	limit, _ := configured.Create(ctx, client.DefaultTimeout) // its own validator reports what is no duration
	if limit <= 0 {
		resp.Diagnostics.AddAttributeError(path.Root("timeouts").AtName("create"), "Invalid timeout",
			"timeouts.create must be above zero: with no time at all nothing can be submitted.")
	}
}

// Create submits the notification. The new state comes from the plan: the
// configuration holds write-only values.
func (r *notificationResource) Create(ctx context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
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
	service := r.service.need(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}

	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	receipt, err := service.SubmitNotification(ctx, request)
	var failed *client.Error
	switch {
	case err == nil && receipt.NotificationID == "":
		resp.Diagnostics.Append(missingID(receipt, resourceConsequences))
	case err == nil:
	case plan.Delivery.ValueString() == atMostOnce && errors.As(err, &failed) && failed.Ambiguous:
		receipt = &client.Receipt{Time: failed.Time}
		resp.Diagnostics.Append(unconfirmedSubmission(failed))
	default:
		resp.Diagnostics.Append(failedSubmission(err, resourceConsequences))
		return
	}

	state := planned.Attributes()
	state["notification_id"] = types.StringNull()
	if receipt.NotificationID != "" {
		state["notification_id"] = types.StringValue(receipt.NotificationID)
	}
	state["confirmed"] = types.BoolValue(err == nil)
	state["submitted_at"] = types.StringValue(receipt.Time.UTC().Format(time.RFC3339))
	state["as_submitted"] = types.BoolValue(true)
	object, diags := types.ObjectValue(planned.AttributeTypes(ctx), state)
	resp.Diagnostics.Append(diags...)
	resp.Diagnostics.Append(resp.State.Set(ctx, object)...)
	resp.Diagnostics.Append(rememberSubmission(ctx, resp.Private, request)...)
}

// Read keeps the state: the service has no way to ask for a notification.
func (r *notificationResource) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

// Update records the plan, which is known as a whole: Terraform plans again before
// it applies. ModifyPlan has warned of what is not sent.
func (r *notificationResource) Update(_ context.Context, req resource.UpdateRequest, resp *resource.UpdateResponse) {
	resp.State.Raw = req.Plan.Raw
}

// Delete forgets the notification; the framework takes it out of the state.
func (r *notificationResource) Delete(context.Context, resource.DeleteRequest, *resource.DeleteResponse) {
}

// ImportState takes the id on trust: the service has no way to check it.
func (r *notificationResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	if err := client.CheckNotificationID(req.ID); err != nil {
		resp.Diagnostics.AddError("Unable to import notification",
			fmt.Sprintf("The import id %s. Give the notification_id as the service returned it, without anything around it.", err))
		return
	}
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("notification_id"), req.ID)...)
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("as_submitted"), false)...)
}
