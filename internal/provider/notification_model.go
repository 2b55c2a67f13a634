package provider

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-notification/internal/client"
)

// notificationModel is the resource as configuration, plan and state hold it.
type notificationModel struct {
	Channels       types.List     `tfsdk:"channels"`
	Priority       types.String   `tfsdk:"priority"`
	Triggers       types.Map      `tfsdk:"triggers"`
	ResendOnChange types.Bool     `tfsdk:"resend_on_change"`
	Timeouts       timeouts.Value `tfsdk:"timeouts"`
	NotificationID types.String   `tfsdk:"notification_id"`
	SubmittedAt    types.String   `tfsdk:"submitted_at"`
	AsSubmitted    types.Bool     `tfsdk:"as_submitted"`
}

// channelModel is a channel of the action.
type channelModel struct {
	Type        types.String `tfsdk:"type"`
	Recipient   types.List   `tfsdk:"recipient"`
	Subject     types.String `tfsdk:"subject"`
	ContentType types.String `tfsdk:"content_type"`
	TemplateID  types.String `tfsdk:"template_id"`
	Fields      types.Map    `tfsdk:"fields"`
}

// resourceChannelModel is a channel of the resource.
type resourceChannelModel struct {
	channelModel

	FieldsWO types.Map `tfsdk:"fields_wo"`
}

// request is what the action submits.
func (m sendModel) request(ctx context.Context) (client.NotificationRequest, diag.Diagnostics) {
	var channels []channelModel
	diags := m.Channels.ElementsAs(ctx, &channels, false)
	request := client.NotificationRequest{Priority: m.Priority.ValueString()}
	for _, c := range channels {
		channel, more := c.channel(ctx)
		diags.Append(more...)
		request.Channels = append(request.Channels, channel)
	}
	return request, diags
}

// request is what the plan submits, together with the write-only fields, which
// only config, the configuration's channels, holds.
func (m notificationModel) request(ctx context.Context, config types.List) (client.NotificationRequest, diag.Diagnostics) {
	var planned, configured []resourceChannelModel
	diags := m.Channels.ElementsAs(ctx, &planned, false)
	diags.Append(config.ElementsAs(ctx, &configured, false)...)
	request := client.NotificationRequest{Priority: m.Priority.ValueString()}
	for i, c := range planned {
		if i < len(configured) {
			c.FieldsWO = configured[i].FieldsWO
		}
		channel, more := c.channel(ctx, path.Root("channels").AtListIndex(i))
		diags.Append(more...)
		request.Channels = append(request.Channels, channel)
	}
	return request, diags
}

// channel is the channel with its write-only fields.
func (c resourceChannelModel) channel(ctx context.Context, at path.Path) (client.Channel, diag.Diagnostics) {
	channel, diags := c.channelModel.channel(ctx)
	diags.Append(c.checkFields(at)...)
	diags.Append(c.FieldsWO.ElementsAs(ctx, &channel.SecretFields, false)...)
	return channel, diags
}

// channel is the channel as it goes over the wire. A null member stays unset.
func (c channelModel) channel(ctx context.Context) (client.Channel, diag.Diagnostics) {
	channel := client.Channel{
		Type:        c.Type.ValueString(),
		Subject:     c.Subject.ValueStringPointer(),
		ContentType: c.ContentType.ValueStringPointer(),
		TemplateID:  c.TemplateID.ValueStringPointer(),
	}
	diags := c.Recipient.ElementsAs(ctx, &channel.Recipient, false)
	diags.Append(c.Fields.ElementsAs(ctx, &channel.Fields, false)...)
	return channel, diags
}

// checkFields refuses keys that are in both fields and fields_wo. The values may
// be unknown, the keys of a known map are not.
func (c resourceChannelModel) checkFields(at path.Path) (diags diag.Diagnostics) {
	var both []string
	for key := range c.FieldsWO.Elements() {
		if _, ok := c.Fields.Elements()[key]; ok {
			both = append(both, key)
		}
	}
	if len(both) > 0 {
		slices.Sort(both)
		diags.AddAttributeError(at.AtName("fields_wo"), "Field given twice",
			fmt.Sprintf("In both fields and fields_wo: %s. Keep each key in one of them, so that it is clear which value is sent.", strings.Join(both, ", ")))
	}
	return diags
}

// digest identifies channels and priority as they would be submitted, without
// the write-only fields: nothing derived from those is stored. The empty string
// means that something is not known yet.
func (m notificationModel) digest(ctx context.Context) (string, diag.Diagnostics) {
	if m.Priority.IsUnknown() || !allKnown(ctx, m.Channels) {
		return "", nil
	}
	request, diags := m.request(ctx, m.Channels)
	text, err := json.Marshal(request)
	if err != nil {
		diags.AddError("Unable to compare the notification with what was submitted", err.Error())
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), diags
}

// imported reports whether a state is that of an import before its first apply:
// only then are required arguments missing.
func (m notificationModel) imported() bool { return m.Channels.IsNull() }

// changedArguments names the arguments that make up the notification and differ
// from state. An unknown value counts: it may.
func (m notificationModel) changedArguments(state notificationModel) []string {
	var changed []string
	if !m.Channels.Equal(state.Channels) {
		changed = append(changed, "channels")
	}
	if !m.Priority.Equal(state.Priority) {
		changed = append(changed, "priority")
	}
	return changed
}

// triggersChanged reports whether triggers ask for a new notification. Setting
// them to nothing at all where there was nothing is no change.
func (m notificationModel) triggersChanged(state notificationModel) bool {
	if !m.Triggers.IsUnknown() && len(m.Triggers.Elements()) == 0 && len(state.Triggers.Elements()) == 0 {
		return false
	}
	return !m.Triggers.Equal(state.Triggers)
}
