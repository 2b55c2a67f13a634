package provider

import (
	"context"
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// decision describes how a plan affects an existing notification. It alone determines whether a
// change submits a new notification.
type decision struct {
	replaceFor  []change   // changes that submit a new notification
	sameKey     bool       // the key stays the same; a new notification needs another
	unsent      []change   // changes that are not sent
	undecided   bool       // whether unsent is sent depends on an unknown resend_on_change
	unannounced bool       // an import or a move submits nothing: the triggers cannot be compared
	asSubmitted types.Bool // unknown if a change is not certain
}

// change names an argument whose value differs from the state. It is not certain while a part of
// the new value is unknown.
type change struct {
	argument string
	certain  bool
}

// decide compares the plan m with state.
func (m notificationModel) decide(ctx context.Context, state notificationModel) (d decision) {
	changes := m.changes(ctx, state)
	d.asSubmitted = state.AsSubmitted
	for _, change := range changes {
		if change.certain {
			d.asSubmitted = types.BoolValue(false)
		} else if !d.asSubmitted.Equal(types.BoolValue(false)) {
			d.asSubmitted = types.BoolUnknown()
		}
	}
	// The first apply after an import or a move fills in resend_on_change, which has a default;
	// ignore_changes may keep the rest null.
	adopted := state.ResendOnChange.IsNull()
	d.unannounced = adopted && !m.sameTriggerNames(state)
	if !d.unannounced && m.triggersChanged(state) {
		d.replaceFor = append(d.replaceFor, change{"triggers", allKnown(ctx, m.Triggers)})
	}
	if adopted {
		return d
	}
	if m.ResendOnChange.ValueBool() {
		d.replaceFor = append(d.replaceFor, changes...)
	}
	hadKey, hasKey := !state.IdempotencyKey.IsNull(), !m.IdempotencyKey.IsNull()
	d.sameKey = hasKey && m.IdempotencyKey.Equal(state.IdempotencyKey)
	if hadKey && hasKey && !d.sameKey {
		d.replaceFor = append(d.replaceFor, change{"idempotency_key", !m.IdempotencyKey.IsUnknown()})
	}
	if len(d.replaceFor) == 0 {
		d.unsent, d.undecided = changes, len(changes) > 0 && m.ResendOnChange.IsUnknown()
	}
	return d
}

// channelsChanged does not count that channels are filled in which an import left null.
func (m notificationModel) channelsChanged(state notificationModel) bool {
	return !state.Channels.IsNull() && !m.Channels.Equal(state.Channels)
}

// changes returns the changes of the content from state to m, without what is filled in.
func (m notificationModel) changes(ctx context.Context, state notificationModel) (all []change) {
	if m.channelsChanged(state) {
		all = append(all, change{"channels", allKnown(ctx, m.Channels)})
	}
	if !state.Priority.IsNull() && !m.Priority.Equal(state.Priority) {
		all = append(all, change{"priority", allKnown(ctx, m.Priority)})
	}
	return all
}

// triggersChanged reports whether the triggers ask for a new notification. Null and empty triggers
// are the same. If ignore_changes kept the first apply after an import from filling in the required
// arguments, triggers that are filled in together with them later are not a change.
func (m notificationModel) triggersChanged(state notificationModel) bool {
	empty := !m.Triggers.IsUnknown() && len(m.Triggers.Elements()) == 0
	if empty && len(state.Triggers.Elements()) == 0 {
		return false
	}
	filledIn := state.Triggers.IsNull() && (state.Channels.IsNull() && !m.Channels.IsNull() ||
		state.Priority.IsNull() && !m.Priority.IsNull())
	return !filledIn && !m.Triggers.Equal(state.Triggers)
}

// sameTriggerNames reports whether the triggers of m and state have the same names; both may have
// none. If m's triggers are unknown as a whole, it assumes so unless state has none. If state's
// triggers are null, it reports false: nobody knows what was announced.
func (m notificationModel) sameTriggerNames(state notificationModel) bool {
	old, anyValues := state.Triggers.Elements(), func(_, _ attr.Value) bool { return true }
	if m.Triggers.IsUnknown() {
		return len(old) > 0
	}
	return !state.Triggers.IsNull() && maps.EqualFunc(m.Triggers.Elements(), old, anyValues)
}
