package provider

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"terraform-provider-notification/internal/client"
)

// consequences is what becomes of a submission that failed, which depends on who made it.
type consequences struct {
	notSubmitted, possiblySubmitted, withoutID string

	// moreTime is how to allow for more of it.
	moreTime string
}

// replaceKept is for where the next apply does not submit: after a failed replacement Terraform may
// have put the old notification back, and may see no reason any more to replace it.
const replaceKept = "With create_before_destroy, look at its plan first: if that does not replace the old " +
	"notification, run `terraform apply -replace=ADDRESS`."

var (
	resourceConsequences = consequences{
		notSubmitted: "The next apply submits it. " + replaceKept,
		possiblySubmitted: "Before the next apply, check with the recipients or with the service's operators whether a " +
			"notification from that time arrived. If it did, adopt it with `terraform import ADDRESS NOTIFICATION_ID`. " +
			"ADDRESS is that of this resource; if nobody knows the id, any word will do. Where Terraform answers that the " +
			"resource is already managed, as it does with create_before_destroy, run `terraform state rm ADDRESS` first.\n\n" +
			"If it did not arrive, the next apply submits it again. " + replaceKept,
		withoutID: "It is recorded as submitted with a null notification_id, so that it is not sent twice.",
		moreTime:  "Apply again later, or raise timeouts.create to wait longer.",
	}
	// What triggers an action, and on_failure from Terraform 1.16 on, decide whether the next apply
	// invokes it again; the plan lists it then.
	actionConsequences = consequences{
		notSubmitted: "The next apply submits it only if its plan lists the action. Otherwise invoke it by hand: " +
			"`terraform apply -invoke=ADDRESS`.",
		possiblySubmitted: "Before the next apply, check with the recipients or with the service's operators whether a " +
			"notification from that time arrived. If it did, and the plan of the next apply lists the action, take the " +
			"action out of its trigger for that apply, or it is sent twice. If it did not arrive, and the plan does not " +
			"list the action, invoke it by hand: `terraform apply -invoke=ADDRESS`.",
		withoutID: "The action is done; do not invoke it again.",
		moreTime:  "Invoke it again later.",
	}
)

// failedSubmission is the diagnostic for a submission that ended in err.
func failedSubmission(err error, then consequences) diag.Diagnostic {
	const summary = "Unable to submit notification"
	var failed *client.Error
	if !errors.As(err, &failed) {
		return diag.NewErrorDiagnostic(summary, err.Error()+". The notification was not submitted. "+then.notSubmitted)
	}
	if failed.Ambiguous {
		return diag.NewErrorDiagnostic("Notification may have been submitted", paragraphs(
			whatHappened(failed),
			fmt.Sprintf("The request went out at %s to %s, and it is not known whether the service took it. It was not repeated, since that could notify people twice.",
				failed.Time.UTC().Format(time.RFC3339), failed.URL),
			then.possiblySubmitted,
		))
	}
	return diag.NewErrorDiagnostic(summary, paragraphs(whatHappened(failed), "The notification was not submitted. "+then.notSubmitted, hint(failed, then)))
}

// missingID is the warning about a notification that was taken without an id.
func missingID(receipt *client.Receipt, then consequences) diag.Diagnostic {
	return diag.NewWarningDiagnostic("Notification submitted without an id",
		fmt.Sprintf("The service took the notification (%s). %s If the id matters, ask those who run the service for the notification submitted at %s.",
			receipt.MissingID, then.withoutID, receipt.Time.UTC().Format(time.RFC3339)))
}

// failedRequest is the diagnostic for any other operation that ended in err.
func failedRequest(summary string, err error) diag.Diagnostic {
	var failed *client.Error
	if !errors.As(err, &failed) {
		return diag.NewErrorDiagnostic(summary, err.Error())
	}
	return diag.NewErrorDiagnostic(summary, paragraphs(whatHappened(failed), hint(failed, consequences{moreTime: "Try again later."})))
}

// whatHappened tells the facts: the request, the answer or why there is none.
func whatHappened(e *client.Error) string {
	var b strings.Builder
	if e.Operation == client.FetchToken {
		b.WriteString("No access token could be had. ")
	}
	fmt.Fprintf(&b, "%s %s ", e.Method, e.URL)
	switch {
	case e.HTML != "":
		fmt.Fprintf(&b, "was answered with %s and a page for people (%s)", e.StatusLine(), e.HTML)
	case e.Status != 0:
		fmt.Fprintf(&b, "was answered with %s", e.StatusLine())
	case e.Cancelled():
		b.WriteString("was given up because the run was cancelled")
	case e.TimedOut():
		b.WriteString("was given up because the time for the whole operation was used up")
	default:
		b.WriteString("got no answer")
	}
	if e.Message != "" {
		fmt.Fprintf(&b, ": %q", e.Message)
	}
	if e.Location != "" {
		fmt.Fprintf(&b, ", which redirects to %s", e.Location)
	}
	if e.Err != nil && !e.Cancelled() && !e.TimedOut() {
		fmt.Fprintf(&b, ": %s", e.Err)
	}
	if e.RequestID != "" {
		fmt.Fprintf(&b, " (request id %s)", e.RequestID)
	}
	b.WriteString(".")
	if e.Status != 0 && e.Cancelled() {
		b.WriteString(" The run was cancelled before the next attempt.")
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " That was attempt %d, the last.", e.Attempts)
	}
	return b.String()
}

// paragraphs joins what is not empty.
func paragraphs(parts ...string) string {
	var kept []string
	for _, part := range parts {
		if part != "" {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "\n\n")
}
