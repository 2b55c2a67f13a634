package provider

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"terraform-provider-notification/internal/client"
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

// readNotification reads a configuration, plan or state. Get could fill the struct itself, but
// would look up each attribute in the schema again: an eighth of the provider's CPU time.
func readNotification(
	ctx context.Context, from interface {
		Get(ctx context.Context, target any) diag.Diagnostics
	},
) (m notificationModel, diags diag.Diagnostics) {
	var object types.Object
	diags.Append(from.Get(ctx, &object)...)
	diags.Append(object.As(ctx, &m, basetypes.ObjectAsOptions{})...)
	return m, diags
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
// of the configuration; everything else comes from s, the plan. Terraform evaluates the
// configuration again for the apply, where timestamp() and uuid() return other values than in plan
// and state.
func (s submissionModel) request(
	ctx context.Context, configured types.List,
) (request client.NotificationRequest, diags diag.Diagnostics) {
	channels, diags := readChannels(ctx, s.Channels)
	for i, element := range configured.Elements() {
		channel, _ := element.(types.Object)
		fields, ok := channel.Attributes()["fields_wo"].(types.Map)
		if ok && i < len(channels) && channels[i] != nil {
			channels[i].FieldsWO = fields
		}
	}
	refuseUnknown("channels", allKnown(ctx, s.Channels, configured) &&
		!slices.Contains(channels, nil), &diags)
	refuseUnknown("priority", allKnown(ctx, s.Priority), &diags)
	refuseUnknown("idempotency_key", allKnown(ctx, s.IdempotencyKey), &diags)
	if !diags.HasError() && !sameChannels(s.Channels.Elements(), configured.Elements()) {
		diags.AddAttributeError(path.Root("channels"), "Channels differ between plan and apply",
			"Nothing was sent. Terraform takes fields_wo from the configuration, which it evaluates "+
				"again for the apply. It now has another number of channels than the plan, another "+
				"order, or other values of type, recipient or template_id, so a secret could be "+
				"missing or reach the wrong recipient. Give the channels a fixed number and order, which must not depend on "+
				"uuid(), timestamp() or anything else that changes by itself.")
	}
	if diags.HasError() {
		return request, diags
	}
	request.Priority = s.Priority.ValueString()
	for _, channel := range channels {
		request.Channels = append(request.Channels, channel.content(ctx, &diags))
	}
	return request, diags
}

// sameChannels reports whether plan and configuration have the same number of channels and, if any
// of them has secret fields, whether these belong to the channels of the plan: whether type,
// recipient and template_id agree, one by one, and no channel stands in the place of another. Other
// content may differ: it comes from the plan.
func sameChannels(planned, configured []attr.Value) bool {
	const secret = "fields_wo"
	member := func(channel attr.Value, name string) attr.Value {
		object, _ := channel.(types.Object)
		return object.Attributes()[name]
	}
	agree := func(one, other attr.Value, names []string) bool {
		return !slices.ContainsFunc(names, func(name string) bool {
			return !member(one, name).Equal(member(other, name))
		})
	}
	content := []string{"type", "recipient", "subject", "content_type", "template_id", "fields"}
	hasSecret := slices.ContainsFunc(configured, func(channel attr.Value) bool {
		fields := member(channel, secret)
		return fields != nil && !fields.IsNull()
	})
	return len(planned) == len(configured) && (!hasSecret ||
		slices.EqualFunc(planned, configured, func(one, other attr.Value) bool {
			moved := !agree(one, other, content) && slices.ContainsFunc(configured,
				func(another attr.Value) bool { return agree(one, another, content) })
			return !moved && agree(one, other, []string{"type", "recipient", "template_id"})
		}))
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

// refuseUnknown reports an argument that cannot be submitted.
func refuseUnknown(argument string, known bool, diags *diag.Diagnostics) {
	if !known {
		diags.AddAttributeError(path.Root(argument), "Unable to submit notification",
			argument+" is unknown. Nothing was sent. This is a bug in Terraform or in the "+
				"provider; please report it.")
	}
}
