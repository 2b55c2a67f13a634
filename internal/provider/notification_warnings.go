package provider

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

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
