package provider

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// The summaries below are the same for every resource, so that Terraform combines many warnings
// into one. They are also true where Terraform replaces the resource for a reason that the provider
// cannot see: -replace and replace_triggered_by.

func notSentWarning(changes []change, state notificationModel, keyUsed bool) diag.Diagnostic {
	sent := "What was sent before stays as it is"
	if id := state.NotificationID; !id.IsNull() {
		sent += fmt.Sprintf(", with notification_id %q", id.ValueString())
	}
	advice := "To send a new notification, change triggers, now or later, set resend_on_change = " +
		"true in the same apply as this change, or run:\n\n" + replaceCommand
	if keyUsed {
		notifies := "notifies nobody again"
		if !state.Confirmed.ValueBool() { // it may not have arrived, or not under this key
			notifies = "may notify nobody"
		}
		advice = "To send a new notification, change idempotency_key, now or later. Under the " +
			"present one the service " + notifies + ", and may reject the changed content: " +
			"do not replace the resource without another key."
	}
	return diag.NewAttributeWarningDiagnostic(path.Root(changes[0].argument),
		"Changes to a notification are not sent by themselves",
		fmt.Sprintf("%s. Unless Terraform replaces this resource, the change is recorded in the "+
			"state and nothing is sent. %s.\n\n%s", sentence(changes), sent, advice))
}

// unannouncedWarning is about a resource that was moved here with triggers by which nobody can tell
// whether it would have run again.
func unannouncedWarning(old types.Map) diag.Diagnostic {
	triggers := "had triggers with other names"
	switch {
	case old.IsNull():
		triggers = "had no map of strings as triggers that a notification can take over"
	case len(old.Elements()) == 0:
		triggers = "had no triggers"
	}
	return diag.NewAttributeWarningDiagnostic(path.Root("triggers"),
		"A moved notification is not sent by itself",
		fmt.Sprintf("The old resource %s, so the provider cannot tell whether it would have announced "+
			"this release. Unless Terraform replaces this resource, the arguments are recorded in "+
			"the state and nothing is sent. If the release was not announced yet, change a value in "+
			"triggers after this apply: that submits a new notification.", triggers))
}

// undecidedWarning is about a plan that cannot be right for both values of resend_on_change. It is
// no error, since that would prevent -replace too.
func undecidedWarning(changes []change, keyUsed bool) diag.Diagnostic {
	next := "the next apply sends it"
	if keyUsed {
		next = "the next plan asks for another idempotency_key"
	}
	return diag.NewAttributeWarningDiagnostic(path.Root("resend_on_change"),
		"resend_on_change will be known only after apply",
		fmt.Sprintf("%s, and resend_on_change decides whether that is sent. Unless Terraform "+
			"replaces this resource anyway: if the value is false, the change is recorded in the "+
			"state and nothing is sent; if it is true, Terraform refuses to apply this change "+
			"(\"Provider produced inconsistent final plan\"), nothing is sent, and %s.\n\n"+
			"Give resend_on_change a value that is known during the plan.",
			sentence(changes), next))
}

// usedKeyError is about a replacement that would notify nobody. confirmed is what is known of the
// old notification.
func usedKeyError(arguments []string, confirmed types.Bool) diag.Diagnostic {
	const would = "the service would answer with that one or reject the new content, and notify nobody."
	old := "the old notification was submitted under the same idempotency_key, so " + would
	wayOut := ""
	switch {
	case confirmed.IsNull():
		old = "the old notification was imported with the same idempotency_key. If it was submitted " +
			"under that key, " + would
	case !confirmed.ValueBool():
		old = "it is not known whether the service accepted the old notification, which was " +
			"attempted under the same idempotency_key. If it did, " + would
		wayOut = "To confirm the old notification, or submit it if it did not arrive, undo this " +
			"change and run:\n\n" + replaceCommand + "\n\n"
	}
	return diag.NewAttributeErrorDiagnostic(path.Root("idempotency_key"),
		"Idempotency key was already used",
		fmt.Sprintf("Nothing was sent. A change of %s, or a value that will be known only after apply, "+
			"submits a new notification. But %s\n\n%sGive the new notification another "+
			"idempotency_key, for example one that contains the release, or remove the argument so "+
			"that the key is a random one. "+duringDestroy,
			strings.Join(arguments, " or "), old, wayOut))
}

// recognisedWarning is about a submission that the service answered with the id of an earlier one.
func recognisedWarning(id string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("idempotency_key"),
		fmt.Sprintf("Nobody was notified again (notification_id %s)", id),
		"The service answered with the id of an earlier notification, so it recognised the "+
			"idempotency_key and did not notify again. "+keysOfTheirOwn)
}

// maybeRecognisedWarning is the same where there are no two ids to compare. A service that has
// forgotten the key notifies again.
func maybeRecognisedWarning(request string) diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("idempotency_key"),
		fmt.Sprintf("People may not have been notified again (request id %s)", request),
		"An earlier notification was submitted under the same idempotency_key, or imported with it. "+
			"If the service recognised the key, it did not notify again; without an id for each, "+
			"the provider cannot tell. "+keysOfTheirOwn)
}

// sharedKeyWarning is about two notifications of one plan. Under -replace, of which the provider is not
// told, they may be the old and the new one; Terraform 1.11 drops the warning then.
func sharedKeyWarning() diag.Diagnostic {
	return diag.NewAttributeWarningDiagnostic(path.Root("idempotency_key"),
		"Idempotency key of another notification",
		"Another notification has the same idempotency_key. If the service recognises the key, it "+
			"notifies nobody a second time. "+
			keysOfTheirOwn)
}

const keysOfTheirOwn = "If two notifications were meant, give each an idempotency_key of its own."

// sentence is "channels changed and priority may change (…)".
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

// incompleteChannels warns about channels that may notify nobody. It reads the configuration, since
// fields_wo is always null in a plan.
func incompleteChannels(ctx context.Context, config tfsdk.Config) (diags diag.Diagnostics) {
	var channels types.List
	diags.Append(config.GetAttribute(ctx, path.Root("channels"), &channels)...)
	var noRecipient, noContent []path.Path
	for i, element := range channels.Elements() {
		if element.IsNull() || element.IsUnknown() {
			continue
		}
		at := path.Root("channels").AtListIndex(i)
		channel := channelModelFrom(element, &diags)
		if channel.Recipient.IsNull() {
			noRecipient = append(noRecipient, at)
		}
		if !channel.hasContent() {
			noContent = append(noContent, at)
		}
	}
	if len(noRecipient) > 0 {
		diags.Append(incompleteWarning("Channel without recipient", noRecipient, "recipient"))
	}
	if len(noContent) > 0 {
		diags.Append(incompleteWarning("Channel without content", noContent,
			"subject, template_id or fields"))
	}
	return diags
}

// incompleteWarning is about all channels of a notification that have none of the members.
func incompleteWarning(summary string, channels []path.Path, members string) diag.Diagnostic {
	var names []string
	for _, channel := range channels {
		names = append(names, channel.String())
	}
	have := names[0] + " has"
	if last := len(names) - 1; last > 0 {
		have = strings.Join(names[:last], ", ") + " and " + names[last] + " have"
	}
	return diag.NewAttributeWarningDiagnostic(channels[0], summary,
		fmt.Sprintf("%s no %s. Is a name misspelt? Terraform silently drops members that it does "+
			"not know. Ignore this warning if your service needs none.", have, members))
}
