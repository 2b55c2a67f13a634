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

// notificationResource makes requests in Create only. A notification that was submitted cannot be
// read back, changed or withdrawn.
type notificationResource struct {
	service *service
}

func (r *notificationResource) Metadata(
	_ context.Context, req resource.MetadataRequest, resp *resource.MetadataResponse,
) {
	resp.TypeName = req.ProviderTypeName + "_notification"
}

func (r *notificationResource) Schema(
	ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse,
) {
	kept := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	resp.Schema = schema.Schema{
		MarkdownDescription: "A notification. Creating the resource submits the notification, " +
			"once; nothing else does. Reading, updating and destroying the resource only affect " +
			"the state, since a notification cannot be withdrawn.",
		Attributes: map[string]schema.Attribute{
			"channels": resourceChannels(),
			"priority": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: priorityDescription + notSentDescription,
				Validators:          priorityValidators(),
			},
			"triggers": schema.MapAttribute{
				Optional:    true,
				ElementType: types.StringType,
				MarkdownDescription: "Any change of these values replaces the resource, which " +
					"submits a new notification. A value that is known only after apply counts " +
					"as changed: every apply whose plan does not know it submits a new " +
					"notification. Adding or removing `triggers` counts as a change too, unless " +
					"they are empty.",
			},
			"resend_on_change": schema.BoolAttribute{
				Optional: true,
				Computed: true,
				Default:  booldefault.StaticBool(false),
				MarkdownDescription: "Whether a change of `channels` or `priority` also replaces " +
					"the resource, which submits a new notification. Channels that are known " +
					"only after apply count as changed: every apply whose plan does not know " +
					"them submits a new notification. Defaults to `false`: such a change is " +
					"recorded and not sent.",
			},
			"delivery": schema.StringAttribute{
				Optional: true,
				Computed: true,
				Default:  stringdefault.StaticString(atLeastOnce),
				Validators: []validator.String{
					choice{"Invalid delivery", []string{atLeastOnce, atMostOnce}},
				},
				MarkdownDescription: "What to do when it is not known whether the service " +
					"accepted the notification, for example because its answer was lost. " +
					"`at_least_once`: an error; nothing is stored, and the next apply submits it " +
					"again. `at_most_once`: a warning; it is stored with `confirmed = false` and " +
					"a null `notification_id`, and is not submitted again unless the resource is " +
					"replaced. Changing this argument submits nothing. Defaults to " +
					"`at_least_once`.",
			},
			"timeouts": timeoutsAttribute(ctx),
			"notification_id": schema.StringAttribute{
				Computed:      true,
				PlanModifiers: kept,
				MarkdownDescription: "Identifier of the notification, as the service returned " +
					"it. Null if the service accepted the notification without returning a " +
					"usable one, and if `confirmed` is false.",
			},
			"submitted_at": schema.StringAttribute{
				Computed:      true,
				PlanModifiers: kept,
				MarkdownDescription: "When the service's answer arrived, in UTC (RFC 3339); if " +
					"`confirmed` is false, when the request was sent. Null after an import.",
			},
			"confirmed": schema.BoolAttribute{
				Computed:      true,
				PlanModifiers: []planmodifier.Bool{boolplanmodifier.UseStateForUnknown()},
				MarkdownDescription: "Whether the service answered that it accepted the " +
					"notification: true after create, false where `delivery = \"at_most_once\"` " +
					"stored one whose answer was lost, null after an import.",
			},
			"as_submitted": schema.BoolAttribute{
				Computed: true,
				MarkdownDescription: "Whether `channels` and `priority` are what was submitted: " +
					"false after a change that was not sent, true again once that change is " +
					"undone. False after an import, since it is not known what was submitted.",
			},
		},
	}
}

func timeoutsAttribute(ctx context.Context) schema.Attribute {
	attribute := timeouts.Attributes(ctx, timeouts.Opts{
		Create: true,
		CreateDescription: "Time limit of the whole submission, retries and waits included: a " +
			"duration such as `30s` or `10m`. Defaults to 5 minutes.",
	})
	if nested, ok := attribute.(schema.SingleNestedAttribute); ok { // as documented
		nested.MarkdownDescription = "Time limits. Changing them submits nothing."
		return nested
	}
	return attribute
}

func (r *notificationResource) Configure(
	_ context.Context, req resource.ConfigureRequest, resp *resource.ConfigureResponse,
) {
	r.service = serviceFrom(req.ProviderData, &resp.Diagnostics)
}

// ValidateConfig checks that timeouts.create is above zero, which its validator does not.
func (r *notificationResource) ValidateConfig(
	ctx context.Context, req resource.ValidateConfigRequest, resp *resource.ValidateConfigResponse,
) {
	var configured timeouts.Value
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("timeouts"), &configured)...)
	// What is no duration is reported by the validator of timeouts.create.
	limit, _ := configured.Create(ctx, client.DefaultTimeout)
	if limit <= 0 {
		at := path.Root("timeouts").AtName("create")
		resp.Diagnostics.AddAttributeError(at, "Invalid timeout",
			"timeouts.create must be above zero, so that there is time to submit the notification.")
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
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("as_submitted"), false)...)
}
