package provider

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
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

// diagnostics returns the error or warning for d, if any. A warning's summary is the same for every
// resource, so that Terraform combines many into one, and true even if Terraform replaces the
// resource because of -replace or replace_triggered_by, which the provider cannot see.
func (d decision) diagnostics(state notificationModel, g guides) (diags diag.Diagnostics) {
	switch {
	case d.unannounced:
		diags.Append(unannouncedWarning())
	case d.sameKey && len(d.replaceFor) > 0:
		diags.Append(sameKeyError(d.replaceFor, state.Confirmed, g))
	case d.undecided:
		diags.Append(undecidedError(d.unsent, g))
	case len(d.unsent) > 0:
		diags.Append(notSentWarning(d.unsent, state.NotificationID, d.sameKey))
	}
	return diags
}

// undecidedError reports a plan of an update that Terraform would refuse to apply if it turned out
// to be a replacement: after it has deployed what comes before, and as a bug in the provider.
func undecidedError(changes []change, g guides) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(path.Root("resend_on_change"),
		titleUndecided,
		paragraphs(sentence(changes)+". resend_on_change decides whether that submits a new "+
			"notification, and its value will be known only after apply. This "+
			"notification was not sent.",
			"Set it to a value that is known in the plan, or first apply what the value comes from, "+
				"with -target.", g.duringDestroy()))
}

func notSentWarning(changes []change, id types.String, sameKey bool) diag.Diagnostic {
	sent := "What was sent before stays as it is"
	if !id.IsNull() {
		sent += fmt.Sprintf(", with notification_id %q", id.ValueString())
	}
	advice := "To send a new notification, change triggers, now or later, set resend_on_change = " +
		"true in the same apply as this change, or run:\n\n" + replaceCommand
	if sameKey {
		advice += "\n\nIn each case change idempotency_key too: under the present one the service " +
			"may notify nobody."
	}
	return diag.NewAttributeWarningDiagnostic(path.Root(changes[0].argument),
		titleNotSent,
		fmt.Sprintf("%s. Unless Terraform replaces this resource, the change is recorded in the "+
			"state and nothing is sent. %s.\n\n%s", sentence(changes), sent, advice))
}

// sentence returns a text such as "channels changed and priority may change (…)".
func sentence(changes []change) string {
	var parts []string
	for _, c := range changes {
		if c.certain {
			parts = append(parts, c.argument+" changed")
		} else {
			parts = append(parts, c.argument+" may change (this will be known only after apply)")
		}
	}
	return strings.Join(parts, " and ")
}

// sameKeyError reports a replacement that may notify nobody. It is not known whether the old
// notification was submitted under the key, which may have been added in place. confirmed is the
// old notification's attribute.
func sameKeyError(changes []change, confirmed types.Bool, g guides) diag.Diagnostic {
	changed := sentence(changes)
	isContent := func(c change) bool { return c.argument != "triggers" }
	if slices.ContainsFunc(changes, isContent) {
		changed += ", with resend_on_change = true"
	}
	wayOut := ""
	if confirmed.Equal(types.BoolValue(false)) {
		wayOut = paragraphs("To find out about the old one, undo this change and run:", replaceCommand,
			"The service then repeats its first response or, if it does not know the key, submits it.")
	}
	return diag.NewAttributeErrorDiagnostic(path.Root("idempotency_key"),
		titleSameKey,
		paragraphs(changed+". This would submit a new notification, but the old one may have been "+
			"submitted under the same idempotency_key, and a service that knows the key would notify "+
			"nobody. This notification was not sent.",
			"Give idempotency_key a new value each time, for example one with the release in it, or "+
				"remove it to use a random key.", wayOut, g.duringDestroy()))
}

// unannouncedWarning reports an imported or moved notification whose triggers do not show what was
// announced.
func unannouncedWarning() diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("triggers"),
		titleAdopted,
		paragraphs("The import or the old resource has no triggers of the same names to compare, so "+
			"nothing is sent unless Terraform replaces this resource. If this release has not been "+
			"announced yet, apply this plan, then run:", replaceCommand))
}

// incompleteChannels warns about channels that may notify nobody. It reads the configuration, since
// fields_wo is always null in a plan.
func incompleteChannels(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
	var configured types.List
	diags := config.GetAttribute(ctx, path.Root("channels"), &configured)
	channels, more := readChannels(ctx, configured)
	diags.Append(more...)
	var noRecipient, noContent []path.Path
	for i, channel := range channels {
		at := path.Root("channels").AtListIndex(i)
		if channel != nil && channel.Recipient.IsNull() {
			noRecipient = append(noRecipient, at)
		}
		if channel != nil && !channel.hasContent() {
			noContent = append(noContent, at)
		}
	}
	if len(noRecipient) > 0 {
		diags.Append(incompleteWarning(titleNoRecipient, noRecipient, "recipient"))
	}
	if len(noContent) > 0 {
		diags.Append(incompleteWarning(titleNoContent, noContent, "subject, template_id or fields"))
	}
	return diags
}

// incompleteWarning reports all channels of a notification that have none of the members.
func incompleteWarning(summary string, channels []path.Path, members string) diag.Diagnostic {
	var names []string
	for _, channel := range channels[:min(len(channels), 5)] {
		names = append(names, channel.String())
	}
	if more := len(channels) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	return diag.NewAttributeWarningDiagnostic(channels[0], summary,
		fmt.Sprintf("There is no %s in %s. Is a name misspelt? Terraform silently drops members that "+
			"it does not know. Ignore this warning if your service needs none.",
			members, strings.Join(names, ", ")))
}
