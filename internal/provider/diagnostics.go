package provider

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/notification/terraform-provider-notification/internal/client"
)

// submitter is what submitted a notification.
type submitter struct {
	isAction   bool // not the resource
	atMostOnce bool // delivery of the resource
	ownKey     bool // whether idempotency_key is set
	guides     guides
}

const (
	applyCommand   = "    terraform apply"
	importCommand  = `    terraform import ADDRESS 'NOTIFICATION_ID {"TRIGGER":"VALUE"}'`
	replaceCommand = "    terraform apply -replace=ADDRESS"
	invokeCommand  = "    terraform apply -invoke=ADDRESS\n\n" +
		`If this message says "called from", add -target= with that address (in a module, after ` +
		`"module.NAME."), or other instances send theirs again.`

	// Whether the next apply invokes the action again depends on its trigger and, in Terraform 1.16
	// or later, on on_failure. If it does, the plan lists the action.
	invokeUnlessPlanned = "    # Unless the next plan lists the action:\n" + invokeCommand

	untaint = "If the trigger has on_failure = taint, first run terraform untaint with the address " +
		`after "called from", or the next apply replaces that resource.`
)

// timeLimit returns the argument that limits the time of a submission, or "".
func (by submitter) timeLimit() string {
	if by.isAction {
		return ""
	}
	return "timeouts.create"
}

// again returns the command that submits the notification again after this error.
func (by submitter) again(failed *client.Error) string {
	switch {
	case by.isAction:
		return invokeUnlessPlanned
	case by.stores(failed):
		return replaceCommand
	default:
		return applyCommand
	}
}

// resend returns the command that submits again what Create stored, or Invoke sent, without an
// error.
func (by submitter) resend() string {
	if by.isAction {
		return invokeCommand
	}
	return replaceCommand
}

// requestError returns err, which must be nil or an error of package client, as a *client.Error.
func requestError(err error) *client.Error {
	failed, _ := errors.AsType[*client.Error](err)
	return failed
}

// failedSubmission returns the error for a submission of which nothing is stored, or else the
// warning for one that at_most_once stores.
func failedSubmission(failed *client.Error, by submitter) diag.Diagnostic {
	switch {
	case by.stores(failed):
		return diag.NewWarningDiagnostic(unique(titleUnconfirmed, failed.ID.Request),
			unknownOutcome(failed, by))
	case failed.Ambiguous:
		return diag.NewErrorDiagnostic(titleAmbiguous, unknownOutcome(failed, by))
	case failed.Reason == client.NoReason && (failed.Status == http.StatusConflict ||
		by.ownKey && failed.Status == http.StatusUnprocessableEntity):
		return diag.NewErrorDiagnostic(titleSubmit, conflicts(failed, by))
	default:
		return diag.NewErrorDiagnostic(titleSubmit, rejected(failed, by))
	}
}

// rejected returns the text about a notification that this run did not submit.
func rejected(failed *client.Error, by submitter) string {
	thisRun, lead, seeRequest := "", "Rejected", ""
	if by.ownKey { // an earlier run that was killed may have submitted it
		thisRun = " by this run"
	}
	if failed.Status == 0 {
		lead = "Not submitted" + thisRun
	}
	last := failed.Cause()
	happened := describe(lead, last)
	if failed.TokenError != nil && failed.Status != 0 {
		happened += " An earlier attempt was rejected (" + client.StatusLine(failed.Status) + ")."
	} else if failed.TokenError != nil {
		happened += " This notification was not sent" + thisRun + "."
	} else if failed.Reason == client.NoReason && slices.Contains([]int{400, 422}, failed.Status) {
		seeRequest = by.guides.see("To see the request body:", "troubleshooting#see-the-request-body")
	}
	advice, again := hint(last, by.timeLimit()), "To try again, run:\n\n"+by.again(failed)
	if advice != "" && !by.isAction { // everyone knows how to apply
		again = ""
	}
	return paragraphs(happened, describeRequest(last), advice, seeRequest, again)
}

// conflicts returns the text about a 409, or a 422 under the user's own key: an earlier
// notification may have been submitted.
func conflicts(failed *client.Error, by submitter) string {
	why, guide := "The content is invalid, or an earlier notification was submitted under this "+
		"idempotency_key with other content, such as another timestamp(). Correct the content, or set "+
		"a different idempotency_key.", by.guides.keys()
	if failed.Status == http.StatusConflict {
		why = "The request may conflict with an earlier notification."
		guide = by.guides.lostAnswer()
	}
	meant := "import it:\n\n" + importCommand
	if by.isAction {
		meant = "do not invoke the action again. Otherwise, run:\n\n" + invokeUnlessPlanned
	}
	return paragraphs(describe("Rejected", failed), describeRequest(failed), why,
		"If that earlier notification is this one, sent by an earlier run, "+meant, guide)
}

// unknownOutcome returns the text about a submission that the service may have accepted.
func unknownOutcome(failed *client.Error, by submitter) string {
	happened, request := describeUnknown(failed, by), describeRequest(failed)
	switch {
	case by.ownKey && failed.Status == http.StatusConflict:
		return paragraphs(happened, request, afterConflict(failed, by), by.guides.keys())
	case by.ownKey:
		return paragraphs(happened, request, underKey(failed, by), by.guides.keys())
	}
	ask, arrived := "Before you apply again, find out whether it arrived. Ask", ""
	switch {
	case by.isAction:
		arrived = untaint + "\n\nIf it arrived, and the next plan lists the action, remove the action from " +
			"its trigger for that apply."
	case by.stores(failed):
		ask = "If it matters, ask"
	default:
		arrived = "If a newer release was announced since, or is applied next, there is nothing to " +
			"record. If this one arrived, import it, with the triggers that it had. If you do not know " +
			"its id, write \"unknown\":\n\n" + importCommand
	}
	return paragraphs(happened, ask+" the recipients, or give the service's operators these details:",
		request, arrived, "If it did not arrive, run:", by.again(failed), by.guides.lostAnswer())
}

// underKey returns what to do after unknownOutcome under the user's own key. Under it the content
// must not change, so only what denies access is worth a hint.
func underKey(failed *client.Error, by submitter) string {
	advice, first := "", ""
	if failed.TokenError != nil || slices.Contains([]int{401, 403, 404, 405, 429}, failed.Status) {
		advice = hint(failed.Cause(), by.timeLimit())
	}
	if by.isAction {
		first = untaint
	}
	return paragraphs(advice, first, "While the service knows the key, it is safe to submit the "+
		"notification again, even at once, with the same key and content:", by.again(failed))
}

// afterConflict returns the same after a 409.
func afterConflict(failed *client.Error, by submitter) string {
	first, arrived := "", "import it:\n\n"+importCommand
	switch {
	case by.isAction:
		first, arrived = untaint, "do not invoke the action again."
	case by.stores(failed):
		arrived = "there is nothing to do."
	}
	return paragraphs(first, "The service may still be processing an earlier attempt. Wait a minute, "+
		"then run, with the same key and content:", by.again(failed), "If the conflict remains, the "+
		"key was used before: by an earlier attempt, or by another notification. If this one arrived, "+
		arrived, "Otherwise set a different idempotency_key.")
}

// failedRequest returns the error for any other operation that failed with err. next may be empty.
func failedRequest(summary string, err error, next string) diag.Diagnostic {
	failed := requestError(err)
	last := failed.Cause()
	return diag.NewErrorDiagnostic(summary, paragraphs(describe("The request failed", last),
		describeRequest(last), hint(last, ""), next))
}

// describeUnknown describes a submission that the service may have accepted.
func describeUnknown(failed *client.Error, by submitter) string {
	lead, the, end := "The outcome is unknown", " The", "."
	switch {
	case failed.Key.Header == "":
		end = ", so it was not retried."
	case failed.Attempts > 1:
		lead += fmt.Sprintf(" after %d attempts under one key", failed.Attempts)
	}
	text := describe(lead, failed)
	// With a key, an earlier attempt may have been accepted: this is only about the last one.
	looksLike := map[client.Reason]string{
		client.HTMLPage: " This is usually the sign-in page of a gateway, which",
		client.Redirect: " A redirect may lead to the sign-in page of a gateway, which",
	}[failed.Reason]
	if looksLike != "" && failed.Status != http.StatusForbidden {
		text += looksLike + " submits nothing: check that base_url is the address of the API."
		the = " But the"
	}
	text += the + " service may have accepted the notification" + end
	if failed.Reason == client.TimedOut && by.timeLimit() != "" {
		text += " " + by.timeLimit() + " limits the time for the operation."
	}
	switch {
	case by.stores(failed):
		text += ` Because delivery is "at_most_once", the notification was stored with confirmed = ` +
			"false, and only a replacement submits it again."
	case by.atMostOnce:
		text += ` Although delivery is "at_most_once", nothing was stored: an HTML page or a 302 ` +
			"usually comes from a gateway."
	}
	return text
}

// describe returns lead, or what a token request is about, with the last response or the reason why
// there was none.
func describe(lead string, e *client.Error) string {
	text := lead
	if e.Operation == client.ObtainAccessToken {
		text = "Could not obtain an access token"
	}
	if e.Status != 0 {
		text += " (" + strings.TrimSpace(client.StatusLine(e.Status)+" "+e.Detail.String()) + ")"
	}
	before := ": "
	if !e.Message.Empty() {
		text, before = fmt.Sprintf(`%s: "%s"`, text, e.Message), "; " // it may contain JSON
	}
	if e.Err != nil {
		text += before + e.Err.Error()
	}
	text += "."
	if e.GaveUp && e.Attempts > 1 && !e.Ambiguous {
		text += fmt.Sprintf(" Gave up after %d attempts.", e.Attempts)
	}
	return text
}

// describeRequest returns the time, method, URL and ids by which operators can find a request, and
// the JSON of the response if describe does not say all of it.
func describeRequest(e *client.Error) string {
	lines := []string{fmt.Sprintf("%s %s", e.Method, e.URL)}
	if e.ID.Request != "" { // a server may have logged it
		lines = []string{timestamp(e.Time) + "  " + lines[0], e.ID.String()}
	}
	if e.Ambiguous {
		lines = append(lines, strings.TrimSuffix("header traceparent, "+e.ID.Header, ", "))
	}
	if !e.ServerID.Empty() {
		lines = append(lines, fmt.Sprintf("logged by the server as %q", e.ServerID))
	}
	if e.Ambiguous && e.Key.Header != "" && !e.Key.Own {
		lines = append(lines, "idempotency key "+e.Key.Value)
	}
	response := "The response: "
	if !e.FirstJSON.Empty() {
		lines = append(lines, "The response to this request: "+e.FirstJSON.String())
		response = "The last response: "
	}
	if !e.JSON.Empty() {
		lines = append(lines, response+e.JSON.String())
	}
	return indented(lines...)
}
