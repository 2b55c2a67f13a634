package provider

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// unknownID is what an error recommends for the import of a notification whose id nobody knows.
const unknownID = "unknown"

// notificationModel holds the attributes of the resource that the provider reads.
type notificationModel struct {
	Channels       types.List
	Priority       types.String
	Triggers       types.Map
	ResendOnChange types.Bool
	Delivery       types.String
	IdempotencyKey types.String
	Timeouts       timeouts.Value
	NotificationID types.String
	ID             types.String
	Confirmed      types.Bool
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
	FieldsWO    types.Map // always null in the action, whose schema lacks it
}

// notificationModelFrom reads the attributes of a configuration, plan or state by name. The
// framework's reflection into a struct looks up every attribute in the schema again, which takes an
// eighth of the provider's CPU time in an apply.
func notificationModelFrom(object types.Object, diags *diag.Diagnostics) (m notificationModel) {
	attributes := object.Attributes()
	m.Channels = attribute[types.List](attributes, "channels", diags)
	m.Priority = attribute[types.String](attributes, "priority", diags)
	m.Triggers = attribute[types.Map](attributes, "triggers", diags)
	m.ResendOnChange = attribute[types.Bool](attributes, "resend_on_change", diags)
	m.Delivery = attribute[types.String](attributes, "delivery", diags)
	m.IdempotencyKey = attribute[types.String](attributes, "idempotency_key", diags)
	m.Timeouts = attribute[timeouts.Value](attributes, "timeouts", diags)
	m.NotificationID = attribute[types.String](attributes, "notification_id", diags)
	m.ID = attribute[types.String](attributes, "id", diags)
	m.Confirmed = attribute[types.Bool](attributes, "confirmed", diags)
	m.AsSubmitted = attribute[types.Bool](attributes, "as_submitted", diags)
	return m
}

// channelModelFrom does the same for an element of channels.
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

// attribute returns the attribute called name. If it is missing or of another type, that is an
// error: otherwise the notification would be submitted without it.
func attribute[V attr.Value](
	attributes map[string]attr.Value, name string, diags *diag.Diagnostics,
) V {
	value, ok := attributes[name].(V)
	if !ok {
		diags.AddError("Unable to read the notification",
			fmt.Sprintf("Its attribute %s is of type %T. Nothing was sent. This is a bug in the "+
				"provider; please report it.", name, attributes[name]))
	}
	return value
}

// imported reports whether a state comes from an import or a move, and has not been applied since.
// The first apply fills in resend_on_change, which has a default; ignore_changes may keep other
// arguments null.
func (m notificationModel) imported() bool { return m.ResendOnChange.IsNull() }

// moved reports whether an imported state was moved from another resource, which has no id.
func (m notificationModel) moved() bool { return m.imported() && m.NotificationID.IsNull() }

// unconfirmed reports whether it is not known if the service accepted the notification.
func (m notificationModel) unconfirmed() bool { return m.Confirmed.Equal(types.BoolValue(false)) }

// change is channels or priority where it differs from the state. It is not certain while a part of
// the new value is unknown.
type change struct {
	argument string
	certain  bool
}

// changes are the changes from state to m. An argument that is null in the state was imported and
// not filled in yet; filling it in is not a change.
func (m notificationModel) changes(
	ctx context.Context, state notificationModel,
) (changes []change) {
	if !state.Channels.IsNull() && !m.Channels.Equal(state.Channels) {
		changes = append(changes, change{"channels", allKnown(ctx, m.Channels)})
	}
	if !state.Priority.IsNull() && !m.Priority.Equal(state.Priority) {
		changes = append(changes, change{"priority", allKnown(ctx, m.Priority)})
	}
	return changes
}

// triggersChanged reports whether the triggers ask for a new notification. Null and empty triggers
// are the same. Filling in triggers after an import, together with the required arguments that the
// import left null, is not a change.
func (m notificationModel) triggersChanged(state notificationModel) bool {
	empty := !m.Triggers.IsUnknown() && len(m.Triggers.Elements()) == 0
	if empty && len(state.Triggers.Elements()) == 0 {
		return false
	}
	filledIn := state.Channels.IsNull() && !m.Channels.IsNull() ||
		state.Priority.IsNull() && !m.Priority.IsNull()
	if filledIn && state.Triggers.IsNull() {
		return false
	}
	return !m.Triggers.Equal(state.Triggers)
}

// sameTriggers reports whether the triggers of m have the names of those in state, of which there
// may be none. Those that are unknown as a whole may have them. It is false where those of state are
// null: it is not known on what the old resource ran again.
func (m notificationModel) sameTriggers(state notificationModel) bool {
	names := func(triggers types.Map) []string {
		return slices.Sorted(maps.Keys(triggers.Elements()))
	}
	if m.Triggers.IsUnknown() {
		return len(state.Triggers.Elements()) > 0
	}
	return !state.Triggers.IsNull() && slices.Equal(names(m.Triggers), names(state.Triggers))
}

// keyChanged reports whether another key takes the place of one, which asks for a new notification.
func (m notificationModel) keyChanged(state notificationModel) bool {
	return !state.IdempotencyKey.IsNull() && !m.IdempotencyKey.IsNull() &&
		!m.IdempotencyKey.Equal(state.IdempotencyKey)
}

// hasContent reports whether a channel has a subject, a template or fields; what is unknown counts
// as set.
func (c channelModel) hasContent() bool {
	set := func(fields types.Map) bool { return fields.IsUnknown() || len(fields.Elements()) > 0 }
	return !c.Subject.IsNull() || !c.TemplateID.IsNull() || set(c.Fields) || set(c.FieldsWO)
}

// allKnown reports whether value and everything inside it is known.
func allKnown(ctx context.Context, value attr.Value) bool {
	known, err := value.ToTerraformValue(ctx)
	return err == nil && known.IsFullyKnown()
}
