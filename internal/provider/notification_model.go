package provider

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-notification/internal/client"
)

// notificationModel is the resource as configuration, plan and state hold it.
type notificationModel struct {
	Channels       types.List
	Priority       types.String
	Triggers       types.Map
	ResendOnChange types.Bool
	Timeouts       timeouts.Value
	NotificationID types.String
	SubmittedAt    types.String
	AsSubmitted    types.Bool
}

// channelModel is a channel of the resource or of the action.
type channelModel struct {
	Type        types.String
	Recipient   types.List
	Subject     types.String
	ContentType types.String
	TemplateID  types.String
	Fields      types.Map
	FieldsWO    types.Map // of the resource alone; null in the action
}

// notificationModelFrom takes the model out of a value of the resource by name. The
// framework's reflection into a struct looks every attribute up in the schema
// again, which makes a create a quarter dearer (BenchmarkCreate).
func notificationModelFrom(object types.Object, diags *diag.Diagnostics) (m notificationModel) {
	attributes := object.Attributes()
	m.Channels = attribute[types.List](attributes, "channels", diags)
	m.Priority = attribute[types.String](attributes, "priority", diags)
	m.Triggers = attribute[types.Map](attributes, "triggers", diags)
	m.ResendOnChange = attribute[types.Bool](attributes, "resend_on_change", diags)
	m.Timeouts = attribute[timeouts.Value](attributes, "timeouts", diags)
	m.NotificationID = attribute[types.String](attributes, "notification_id", diags)
	m.SubmittedAt = attribute[types.String](attributes, "submitted_at", diags)
	m.AsSubmitted = attribute[types.Bool](attributes, "as_submitted", diags)
	return m
}

// channelModelFrom does the same with an element of channels.
func channelModelFrom(element attr.Value, diags *diag.Diagnostics) (c channelModel) {
	object, _ := element.(types.Object)
	attributes := object.Attributes()
	c.Type = attribute[types.String](attributes, "type", diags)
	c.Recipient = attribute[types.List](attributes, "recipient", diags)
	c.Subject = attribute[types.String](attributes, "subject", diags)
	c.ContentType = attribute[types.String](attributes, "content_type", diags)
	c.TemplateID = attribute[types.String](attributes, "template_id", diags)
	c.Fields = attribute[types.Map](attributes, "fields", diags)
	if _, ok := attributes["fields_wo"]; ok {
		c.FieldsWO = attribute[types.Map](attributes, "fields_wo", diags)
	}
	return c
}

// attribute is the one of that name. That it is missing or of another type is an
// error: it would not be sent.
func attribute[V attr.Value](attributes map[string]attr.Value, name string, diags *diag.Diagnostics) V {
	value, ok := attributes[name].(V)
	if !ok {
		diags.AddError("Unable to read the notification",
			fmt.Sprintf("Its attribute %s is of type %T. Nothing was sent. This is a mistake in the provider; please report it.", name, attributes[name]))
	}
	return value
}

// notificationRequest is what is submitted: the planned channels, each with its
// write-only fields, which only configured, the configuration's channels, holds.
func notificationRequest(priority types.String, channels, configured types.List) (request client.NotificationRequest, diags diag.Diagnostics) {
	request.Priority = text(priority, path.Root("priority"), &diags)
	if channels.IsNull() || channels.IsUnknown() {
		diags.Append(unsendable(channels, path.Root("channels")))
	}
	withSecrets := configured.Elements()
	for i, element := range channels.Elements() {
		at := path.Root("channels").AtListIndex(i)
		channel := channelModelFrom(element, &diags)
		if i < len(withSecrets) {
			channel.FieldsWO = channelModelFrom(withSecrets[i], &diags).FieldsWO
		}
		diags.Append(channel.checkFields(at)...)
		request.Channels = append(request.Channels, channel.channel(at, &diags))
	}
	return request, diags
}

// channel is the channel as it goes over the wire. A null member stays unset.
func (c channelModel) channel(at path.Path, diags *diag.Diagnostics) client.Channel {
	return client.Channel{
		Type:         text(c.Type, at, diags),
		Recipient:    recipients(c.Recipient, at, diags),
		Subject:      optional(c.Subject, at, diags),
		ContentType:  optional(c.ContentType, at, diags),
		TemplateID:   optional(c.TemplateID, at, diags),
		Fields:       fields(c.Fields, at, diags),
		SecretFields: fields(c.FieldsWO, at, diags),
	}
}

// unsendable is about a value that is null or unknown where it cannot be. The
// validators and Terraform see to that; if they did not, nothing would be sent in
// its place.
func unsendable(value attr.Value, at path.Path) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, "Unable to submit notification",
		fmt.Sprintf("A value here is %s. Nothing was sent. This is a mistake in Terraform or in the provider; please report it.", value))
}

func text(value attr.Value, at path.Path, diags *diag.Diagnostics) string {
	s, ok := value.(types.String)
	if !ok || s.IsNull() || s.IsUnknown() {
		diags.Append(unsendable(value, at))
	}
	return s.ValueString()
}

func optional(value types.String, at path.Path, diags *diag.Diagnostics) *string {
	if value.IsNull() {
		return nil
	}
	s := text(value, at, diags)
	return &s
}

func recipients(list types.List, at path.Path, diags *diag.Diagnostics) []string {
	if list.IsNull() {
		return nil
	}
	if list.IsUnknown() {
		diags.Append(unsendable(list, at))
	}
	recipients := make([]string, 0, len(list.Elements()))
	for _, element := range list.Elements() {
		recipients = append(recipients, text(element, at, diags))
	}
	return recipients
}

func fields(values types.Map, at path.Path, diags *diag.Diagnostics) map[string]string {
	if values.IsNull() {
		return nil
	}
	if values.IsUnknown() {
		diags.Append(unsendable(values, at))
	}
	fields := make(map[string]string, len(values.Elements()))
	for key, element := range values.Elements() {
		fields[key] = text(element, at, diags)
	}
	return fields
}

// checkFields refuses keys that are in both fields and fields_wo. The values may
// be unknown, the keys of a known map are not.
func (c channelModel) checkFields(at path.Path) (diags diag.Diagnostics) {
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
