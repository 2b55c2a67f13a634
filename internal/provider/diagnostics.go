package provider

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"terraform-provider-notification/internal/client"
	"terraform-provider-notification/internal/client/wire"
)

// advice holds the texts that differ between the resource, a stored unconfirmed notification, and
// the action.
type advice struct {
	command   string // that submits the notification again
	limit     string // the argument that limits the time of a submission; may be empty
	ask       string // whom to ask whether the notification arrived
	arrived   string // what to do if it arrived; may be empty
	instead   string // how to import the notification that already has this key; may be empty
	withoutID string // what happens if the service returned no id
	moreTime  string // what to do if the next attempt would exceed the time limit
}

const safeWithKey = "While the service knows the key, it is safe to submit it again with the same " +
	"key and content:"

const doNotApply = "Do not apply again yet: ask the recipients, or the service's operators:"

// documentation is the registry's address of this provider's documentation, without the version.
const documentation = "https://registry.terraform.io/providers/notification/notification/"

// guides is the base URL of one version's guides.
type guides string

// guidesOf returns the guides of version. The version "dev" gets the latest release's guides.
func guidesOf(version string) guides {
	if version == "dev" {
		version = "latest"
	}
	return guides(documentation + version + "/docs/guides/")
}

func (g guides) lostAnswer() string {
	return g.see("See the guide:", "troubleshooting#when-an-answer-is-lost")
}

func (g guides) keys() string { return g.see("See the guide:", "delivery-and-keys") }

// duringDestroy is for errors of a plan that would submit: terraform destroy makes such a plan too.
func (g guides) duringDestroy() string {
	return g.see("During a destroy, see the guide:", "troubleshooting#during-a-destroy")
}

func (g guides) see(lead, guide string) string {
	return paragraphs(lead, indented(string(g)+guide))
}

var (
	importCommand  = indented("terraform import ADDRESS NOTIFICATION_ID")
	replaceCommand = indented("terraform apply -replace=ADDRESS")

	resourceAdvice = advice{
		command: indented("terraform apply"),
		limit:   "timeouts.create",
		ask:     doNotApply,
		// The apply after an import announces nothing: if it also deployed the next release, that
		// release would not be announced.
		arrived: paragraphs("If it arrived, import it (if you do not know its id, use the word "+
			"unknown), then apply the same release:", importCommand),
		instead:   paragraphs("To import the other notification instead:", importCommand),
		withoutID: "It is stored with a null notification_id, and not submitted again.",
		moreTime:  "Wait a while, or raise timeouts.create.",
	}
	// unconfirmedAdvice is for a notification that at_most_once stored with an unknown outcome.
	unconfirmedAdvice = advice{
		command:  replaceCommand,
		limit:    "timeouts.create",
		ask:      "If it matters, ask the recipients, or the service's operators:",
		moreTime: "Wait a while, or raise timeouts.create.",
	}
	// Whether the next apply invokes the action again depends on its trigger and, in Terraform 1.16
	// or later, on on_failure. If it does, the plan lists the action.
	actionAdvice = advice{
		command: indented("# Unless the next plan lists the action:",
			"terraform apply -invoke=ADDRESS"),
		ask: doNotApply,
		arrived: "If it arrived, and the next plan lists the action, remove the action from its " +
			"trigger for that apply.",
		withoutID: "Do not invoke the action again.",
		moreTime:  "Wait a while.",
	}
)

// requestError returns the *client.Error in err, or nil if err is nil.
func requestError(err error) *client.Error {
	failed, _ := errors.AsType[*client.Error](err)
	return failed
}

// failedSubmission returns the error for a notification that was not submitted, or may have been.
func failedSubmission(failed *client.Error, a advice, g guides) diag.Diagnostic {
	if failed.Ambiguous {
		return diag.NewErrorDiagnostic("Notification may have been submitted",
			unknownOutcome(failed, a, g))
	}
	if failed.Operation == client.SubmitNotification && failed.Reason == wire.HTMLPage {
		lead, next := "Probably not submitted", paragraphs("A filter may also have replaced the "+
			"service's response after it accepted the notification. To be sure, ask the "+
			"recipients, or the service's operators, before you submit it again.",
			a.arrived, "If it did not arrive:")
		if failed.Key.UserChosen {
			lead, next = lead+" by this run", safeWithKey
		}
		return diag.NewErrorDiagnostic("Notification probably not submitted",
			paragraphs(describeResponse(lead, failed), describeRequest(failed),
				hint(failed, a.moreTime), next, a.command))
	}
	lead, otherwise := "Not submitted", ""
	switch {
	case failed.Key.UserChosen && failed.Status == http.StatusUnprocessableEntity:
		lead, otherwise = "Rejected", paragraphs(a.instead, g.keys())
	case failed.Key.UserChosen: // an earlier run that was killed may have submitted it
		lead = "Not submitted by this run"
	}
	return diag.NewErrorDiagnostic("Unable to submit notification",
		paragraphs(describeResponse(lead, failed), describeRequest(failed),
			hint(failed, a.moreTime), "To submit it:", a.command, otherwise))
}

// unconfirmedSubmission returns the warning for a notification that was stored although it is not
// known whether the service accepted it. The request id makes each summary unique: of several
// warnings with the same summary Terraform shows only the first, and the ids of the others would be
// lost.
func unconfirmedSubmission(failed *client.Error, g guides) diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		fmt.Sprintf("Notification stored as unconfirmed (request id %s)", failed.ID.Request),
		paragraphs(`With delivery = "at_most_once" it is stored with confirmed = false, and is `+
			"submitted again only by a replacement.", unknownOutcome(failed, unconfirmedAdvice, g)))
}

// unknownOutcome describes a submission that the service may have accepted.
func unknownOutcome(failed *client.Error, a advice, g guides) string {
	text := describeResponse("The outcome is unknown", failed) +
		" The service may have accepted the notification, so it was not retried."
	if failed.Key.Header != "" { // there were attempts after the ambiguous one
		text = describeResponse(fmt.Sprintf("The outcome is unknown after %s under one key",
			count(failed.Attempts, "attempt")), failed) +
			" The service may have accepted the notification."
	}
	if cmp.Or(failed.Stopped, failed.Reason) == wire.TimedOut && a.limit != "" {
		text += " " + a.limit + " limits that time."
	}
	if failed.Status/100 == 3 {
		text += " The redirect may also lead to a sign-in page, which submits nothing: check base_url."
	}
	requested := describeRequest(failed)
	if !failed.Key.UserChosen {
		return paragraphs(text, a.ask, requested, a.arrived, "If it did not arrive:", a.command,
			g.lostAnswer())
	}
	next, instead := hint(failed, a.moreTime), ""
	switch failed.Status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return paragraphs(text, a.ask, requested, next, a.arrived, "If it did not arrive:", a.command,
			g.keys())
	case http.StatusConflict:
		instead = a.instead
	}
	again := "again"
	if next == "" {
		again = "again at once,"
	}
	return paragraphs(text, requested, next, "While the service knows the key, it is safe to submit "+
		"it "+again+" with the same key and content:", a.command, instead, g.keys())
}

// missingID returns the warning for a notification that was accepted without an id. Its summary is
// unique too.
func missingID(receipt *client.Receipt, a advice) diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		fmt.Sprintf("Notification submitted without an id (request id %s)", receipt.ID.Request),
		paragraphs(fmt.Sprintf("The service accepted the notification (%s). %s The operators can "+
			"find its id by:", receipt.MissingID, a.withoutID),
			indented(timestamp(receipt.Time), receipt.ID.String())))
}

// failedRequest returns the error for any other operation that failed with err. lead and
// consequence may be empty.
func failedRequest(summary, lead string, err error, consequence string) diag.Diagnostic {
	failed := requestError(err)
	return diag.NewErrorDiagnostic(summary,
		paragraphs(describeResponse(cmp.Or(lead, "The request failed"), failed),
			describeRequest(failed), hint(failed, "Wait a while."), consequence))
}

// describeResponse returns lead, followed by the last response or the reason why there was none.
func describeResponse(lead string, e *client.Error) string {
	text, why := "no response", ": "
	if e.Status != 0 {
		text, why = e.StatusLine(), "; "
	}
	if !e.HTMLType.Empty() {
		text += fmt.Sprintf(" with an HTML page (%s)", e.HTMLType)
	}
	if !e.WAFAction.Empty() {
		text += fmt.Sprintf(" from a firewall (x-amzn-waf-action: %s)", e.WAFAction)
	}
	if !e.Location.Empty() {
		text += fmt.Sprintf(" to %s", e.Location)
	}
	if !e.Message.Empty() {
		text += fmt.Sprintf(": %q", e.Message)
	}
	if e.Err != nil {
		text += why + e.Err.Error()
	}
	if e.Operation == client.FetchToken {
		lead += ": could not obtain an access token"
	}
	text = lead + ": " + text + "."
	if e.Attempts > 1 && !e.Ambiguous {
		text += fmt.Sprintf(" Gave up after %d attempts.", e.Attempts)
	}
	return text
}

// describeRequest returns the time, method, URL and ids by which operators can find a request.
func describeRequest(e *client.Error) string {
	lines := []string{fmt.Sprintf("%s %s", e.Method, e.URL)}
	if e.ID.Request != "" { // it was sent
		lines = []string{timestamp(e.Time) + "  " + lines[0], e.ID.String()}
	}
	if e.Ambiguous {
		lines = append(lines, strings.TrimSuffix("header traceparent, "+e.ID.Header, ", "))
	}
	if !e.ServerID.Empty() {
		lines = append(lines, fmt.Sprintf("logged by the server as %q", e.ServerID))
	}
	if e.Ambiguous && e.Key.Header != "" && !e.Key.UserChosen {
		lines = append(lines, "idempotency key "+e.Key.Value)
	}
	return indented(lines...)
}

func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// indented indents lines, so that Terraform does not wrap them.
func indented(lines ...string) string { return "    " + strings.Join(lines, "\n    ") }

// paragraphs joins the parts that are not empty.
func paragraphs(parts ...string) string {
	empty := func(part string) bool { return part == "" }
	return strings.Join(slices.DeleteFunc(parts, empty), "\n\n")
}

// nothingSent returns the error d with "Nothing was sent." appended.
func nothingSent(d diag.Diagnostic) diag.Diagnostic {
	detail := paragraphs(d.Detail(), "Nothing was sent.")
	if located, ok := d.(diag.DiagnosticWithPath); ok {
		return diag.NewAttributeErrorDiagnostic(located.Path(), d.Summary(), detail)
	}
	return diag.NewErrorDiagnostic(d.Summary(), detail)
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
