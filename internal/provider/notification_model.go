package provider

import (
	"context"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/notification/terraform-provider-notification/internal/client"
)

// notificationModel is a notification in a configuration, plan or state.
type notificationModel struct {
	submissionModel

	Triggers       types.Map      `tfsdk:"triggers"`
	ResendOnChange types.Bool     `tfsdk:"resend_on_change"`
	Delivery       types.String   `tfsdk:"delivery"`
	Timeouts       timeouts.Value `tfsdk:"timeouts"`
	NotificationID types.String   `tfsdk:"notification_id"`
	ID             types.String   `tfsdk:"id"`
	SubmittedAt    types.String   `tfsdk:"submitted_at"`
	Confirmed      types.Bool     `tfsdk:"confirmed"`
	AsSubmitted    types.Bool     `tfsdk:"as_submitted"`
}

// record records a submission. id is that of the service, or empty; without one, the service may
// not have accepted it.
func (m *notificationModel) record(id client.NotificationID, at time.Time) {
	m.NotificationID = types.StringNull()
	if !id.Empty() {
		m.NotificationID = types.StringValue(id.String())
	}
	m.ID = m.NotificationID
	m.SubmittedAt = types.StringValue(timestamp(at))
	m.Confirmed = types.BoolValue(!id.Empty())
	m.AsSubmitted = types.BoolValue(true)
}

// submissionModel holds the arguments that the resource and the action share: the content of the
// notification and its idempotency key.
type submissionModel struct {
	Channels       types.List   `tfsdk:"channels"`
	Priority       types.String `tfsdk:"priority"`
	IdempotencyKey types.String `tfsdk:"idempotency_key"`
}

// channelModel is a channel of the resource.
type channelModel struct {
	actionChannelModel

	FieldsWO types.Map `tfsdk:"fields_wo"` // null in plan and state
}

// actionChannelModel is a channel of the action.
type actionChannelModel struct {
	Type        types.String `tfsdk:"type"`
	Recipient   types.List   `tfsdk:"recipient"`
	Subject     types.String `tfsdk:"subject"`
	ContentType types.String `tfsdk:"content_type"`
	TemplateID  types.String `tfsdk:"template_id"`
	Fields      types.Map    `tfsdk:"fields"`
}

// readChannels returns the channels of the resource or of the action. A null or unknown channel
// becomes nil; a null or unknown list has no channels.
func readChannels(
	ctx context.Context, list types.List,
) (channels []*channelModel, diags diag.Diagnostics) {
	channel, _ := list.ElementType(ctx).(types.ObjectType)
	if _, ok := channel.AttrTypes["fields_wo"]; ok {
		diags = list.ElementsAs(ctx, &channels, true)
		return channels, diags
	}
	var ofAction []*actionChannelModel
	diags = list.ElementsAs(ctx, &ofAction, true)
	channels = make([]*channelModel, len(ofAction))
	for i, channel := range ofAction {
		if channel != nil {
			channels[i] = &channelModel{*channel, types.MapNull(types.StringType)}
		}
	}
	return channels, diags
}

// request builds the request of a submission. Write-only fields come from configured, the channels
// of the configuration; everything else comes from s, the plan.
func (s submissionModel) request(
	ctx context.Context, configured types.List,
) (request client.NotificationRequest, diags diag.Diagnostics) {
	channels, diags := readChannels(ctx, s.Channels)
	switch {
	case diags.HasError():
	case !allKnown(ctx, s.Channels, configured, s.Priority, s.IdempotencyKey),
		slices.Contains(channels, nil):
		diags.AddError(titleSubmit, "A part of the notification is unknown. "+
			"This notification was not sent. This is a bug in Terraform or in the provider; please "+
			"report it.")
	case !addWriteOnly(channels, configured.Elements()):
		diags.AddAttributeError(path.Root("channels"), titleChannelsDiffer,
			"This notification was not sent. Terraform takes fields_wo from the configuration, which it "+
				"evaluates again for the apply. It now has a different number of channels than the plan, "+
				"another order, or other values of type, recipient or template_id, so a secret could "+
				"be missing or reach the wrong recipient. Give the channels a fixed number and order, "+
				"which must not depend on uuid(), timestamp() or anything else that changes by "+
				"itself.")
	default:
		request.Priority = s.Priority.ValueString()
		for _, channel := range channels {
			request.Channels = append(request.Channels, channel.content(ctx, &diags))
		}
	}
	return request, diags
}

// addWriteOnly adds the write-only fields of configured to the planned channels. Terraform
// evaluates the configuration again for the apply, where timestamp() and uuid() return other values
// than in the plan. addWriteOnly returns false unless there are as many channels, and each with
// such fields is the planned one.
func addWriteOnly(planned []*channelModel, configured []attr.Value) bool {
	if len(planned) != len(configured) {
		return false
	}
	for i, element := range configured {
		channel, _ := element.(types.Object)
		members := channel.Attributes()
		fields, _ := members["fields_wo"].(types.Map)
		if fields.IsNull() {
			continue
		}
		if !planned[i].Type.Equal(members["type"]) ||
			!planned[i].Recipient.Equal(members["recipient"]) ||
			!planned[i].TemplateID.Equal(members["template_id"]) {
			return false
		}
		planned[i].FieldsWO = fields
	}
	return true
}

// content returns the channel to submit, without null members.
func (c *channelModel) content(ctx context.Context, diags *diag.Diagnostics) client.Channel {
	content := client.Channel{
		Type:        c.Type.ValueString(),
		Subject:     c.Subject.ValueStringPointer(),
		ContentType: c.ContentType.ValueStringPointer(),
		TemplateID:  c.TemplateID.ValueStringPointer(),
	}
	diags.Append(c.Recipient.ElementsAs(ctx, &content.Recipient, false)...)
	diags.Append(c.Fields.ElementsAs(ctx, &content.Fields, false)...)
	diags.Append(c.FieldsWO.ElementsAs(ctx, &content.SecretFields, false)...)
	return content
}

// hasContent reports whether a channel has a subject, a template or fields. Unknown ones count as
// set.
func (c *channelModel) hasContent() bool {
	set := func(fields types.Map) bool { return fields.IsUnknown() || len(fields.Elements()) > 0 }
	return !c.Subject.IsNull() || !c.TemplateID.IsNull() || set(c.Fields) || set(c.FieldsWO)
}

// allKnown reports whether the values and everything inside them are known.
func allKnown(ctx context.Context, values ...attr.Value) bool {
	return !slices.ContainsFunc(values, func(value attr.Value) bool {
		known, err := value.ToTerraformValue(ctx)
		return err != nil || !known.IsFullyKnown()
	})
}
