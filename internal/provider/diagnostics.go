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

// submitter is what submitted a notification, and what differs in the texts about it.
type submitter struct {
	timeLimit   string // the argument that limits the time of a submission; may be empty
	again       string // the command that submits a notification again after a failure
	resend      string // the command that submits one again for which Create or Invoke had no error
	afterAdvice string // what follows advice; may be empty, since everyone knows how to apply
	stored      string // says that a notification was stored although its outcome is unknown
	withoutID   string // says that one was stored although its response has no id
	ask         string // how the request to find out about an unknown outcome begins

	// What to do if the notification, or another one under its key, was submitted after all.
	ifArrived, ifEarlierIsMeant, ifOtherRunSentIt string
}

const (
	tryAgain = "To try again, run:\n\n"
	askFirst = "Before you apply again, find out whether it arrived. Ask"

	applyCommand   = "    terraform apply"
	importCommand  = "    terraform import ADDRESS NOTIFICATION_ID"
	replaceCommand = "    terraform apply -replace=ADDRESS"
	invokeCommand  = "    terraform apply -invoke=ADDRESS\n\n" +
		`If this message says "called from", add -target= with that address (in a module, after ` +
		`"module.NAME."), or other instances send theirs again.`

	// Whether the next apply invokes the action again depends on its trigger and, in Terraform 1.16
	// or later, on on_failure. If it does, the plan lists the action.
	invokeUnlessPlanned = "    # Unless the next plan lists the action:\n" + invokeCommand
)

var byResource = submitter{
	timeLimit: "timeouts.create",
	again:     applyCommand,
	resend:    replaceCommand,
	withoutID: " It is stored with confirmed = false, and no later apply repeats it by itself.",
	ask:       askFirst,

	// An apply after an import announces nothing, so it must not deploy the next release.
	ifArrived: "If it arrived, import it, then apply the same release. If you do not know its id, " +
		"write \"unknown\":\n\n" + importCommand,
	ifEarlierIsMeant: "If the earlier notification is the one you meant, import it:\n\n" +
		importCommand,
	ifOtherRunSentIt: "If the other run sent it for you, import it:\n\n" + importCommand,
}

// byResourceAtMostOnce is byResource after an unknown outcome with delivery = "at_most_once".
var byResourceAtMostOnce = submitter{
	timeLimit: byResource.timeLimit,
	again:     replaceCommand,
	stored: ` Because delivery is "at_most_once", the notification was stored with confirmed = ` +
		"false, and only a replacement submits it again.",
	ask:              "If it matters, ask",
	ifOtherRunSentIt: "If the other run sent it for you, there is nothing to do.",
}

var byAction = submitter{
	again:       invokeUnlessPlanned,
	resend:      invokeCommand,
	afterAdvice: tryAgain + invokeUnlessPlanned,
	ask:         askFirst,

	ifArrived: "If it arrived, and the next plan lists the action, remove the action from its " +
		"trigger for that apply.",
	ifEarlierIsMeant: "If the earlier notification is the one you meant, do not invoke the action " +
		"again. Otherwise, run:\n\n" + invokeUnlessPlanned,
	ifOtherRunSentIt: "If the other run sent it for you, do not invoke the action again.",
}

// Sentences about a submission under a key that the user chose.
const (
	safeWithKey = "While the service knows the key, it is safe to submit the notification again, " +
		"even at once, with the same key and content:"
	waitForKey = "The service may still be processing an earlier attempt. Wait a minute, then run, " +
		"with the same key and content:"
	keyInUse = "If the conflict remains, another run is using this key. To send this notification " +
		"too, set a different idempotency_key."
)

// requestError returns the *client.Error in err, which every error of package client is or wraps.
// It returns nil if there is none.
func requestError(err error) *client.Error {
	failed, _ := errors.AsType[*client.Error](err)
	return failed
}

// failedSubmission returns the error for a submission of which nothing is stored.
func failedSubmission(failed *client.Error, by submitter, g guides) diag.Diagnostic {
	summary, text := "Unable to submit notification", rejected
	switch {
	case failed.Ambiguous:
		summary, text = "Notification may have been submitted", unknownOutcome
	case failed.Operation == client.FetchToken: // the service got no request
	case failed.Reason == client.HTMLPage, failed.Reason == client.SignIn:
		summary, text = "Notification probably not submitted", probablyRejected
	case failed.Key.UserChosen && failed.Status == http.StatusUnprocessableEntity:
		text = keyRejected
	}
	return diag.NewErrorDiagnostic(summary, text(failed, by, g))
}

// unconfirmed returns the warning for a notification that at_most_once stored although the service
// may not have accepted it. The request id makes each summary unique: of several warnings with the
// same summary Terraform shows only the first, and the ids of the others would be lost.
func unconfirmed(failed *client.Error, g guides) diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		fmt.Sprintf("Notification stored as unconfirmed (request id %s)", failed.ID.Request),
		unknownOutcome(failed, byResourceAtMostOnce, g))
}

// rejected returns the text about a notification that this run did not submit.
func rejected(failed *client.Error, by submitter, g guides) string {
	thisRun := ""
	if failed.Key.UserChosen { // an earlier run that was killed may have submitted it
		thisRun = " by this run"
	}
	happened, seeRequest := describe("Not submitted"+thisRun, failed), ""
	if failed.Operation == client.FetchToken {
		happened += " Nothing was sent" + thisRun + "."
	} else if failed.Reason == client.NoReason && slices.Contains([]int{400, 422}, failed.Status) {
		seeRequest = g.see("To see the request body:", "troubleshooting#see-the-request-body")
	}
	advice := hint(failed, by.timeLimit)
	again := by.afterAdvice
	if advice == "" {
		again = tryAgain + by.again
	}
	return paragraphs(happened, describeRequest(failed), advice, seeRequest, again)
}

// keyRejected returns the text about a 422 under a key that the user chose: the service may have
// submitted a notification with other content under it.
func keyRejected(failed *client.Error, by submitter, g guides) string {
	return paragraphs(describe("Rejected", failed), describeRequest(failed), "The content is "+
		"invalid, or an earlier notification was submitted under this idempotency_key with other "+
		"content, such as another timestamp(). Correct the content, or set a different "+
		"idempotency_key.", by.ifEarlierIsMeant, g.keys())
}

// probablyRejected returns the text about an HTML page in place of the service's response, or about
// a redirect to one.
func probablyRejected(failed *client.Error, by submitter, _ guides) string {
	request, advice := describeRequest(failed), hint(failed, by.timeLimit)
	if failed.Key.UserChosen {
		return paragraphs(describe("Probably not submitted by this run", failed), request, advice,
			safeWithKey, by.again)
	}
	return paragraphs(describe("Probably not submitted", failed), request, advice,
		"A filter may also have replaced the service's response after it accepted the "+
			"notification. Before you apply again, ask the recipients, or the service's operators.",
		by.ifArrived, "If it did not arrive, run:", by.again)
}

// unknownOutcome returns the text about a submission that the service may have accepted.
func unknownOutcome(failed *client.Error, by submitter, g guides) string {
	happened, request := describeUnknown(failed, by), describeRequest(failed)
	switch {
	case failed.Key.UserChosen && failed.Status == http.StatusConflict:
		return paragraphs(happened, request, waitForKey, by.again, keyInUse+" "+by.ifOtherRunSentIt,
			g.keys())
	case failed.Key.UserChosen:
		return paragraphs(happened, request, hint(failed, by.timeLimit), safeWithKey, by.again, g.keys())
	}
	return paragraphs(happened, by.ask+" the recipients, or give the service's operators these "+
		"details:", request, by.ifArrived, "If it did not arrive, run:", by.again, g.lostAnswer())
}

// withoutID returns the warning for a 2xx response without a usable id. It does not say whether the
// notification was submitted: only the response's own words can. Its summary is unique too.
func withoutID(receipt *client.Receipt, by submitter) diag.Diagnostic {
	happened := fmt.Sprintf("The service responded with %s, but without an id (%s).",
		client.StatusLine(receipt.Status), receipt.NoID)
	ask, ifNot := "Ask", "If they did not get it, "
	if !receipt.Message.Empty() {
		happened += fmt.Sprintf(" It says: %q.", receipt.Message)
		ask, ifNot = "If these words leave open whether it was delivered, ask",
			"If they say that it was not delivered, "
	}
	if !receipt.Location.Empty() {
		happened += fmt.Sprintf(" Its Location is %s.", receipt.Location)
	}
	if receipt.UserChosenKey {
		ifNot += "give idempotency_key a new value, since under this one the service may repeat its " +
			"response, then "
	}
	return diag.NewWarningDiagnostic(
		fmt.Sprintf("Response without a notification id (request id %s)", receipt.ID.Request),
		paragraphs(happened+by.withoutID,
			ask+" the recipients, or give the service's operators these details:",
			indented(timestamp(receipt.Time), receipt.ID.String()),
			ifNot+"run:", by.resend))
}

// failedRequest returns the error for any other operation that failed with err. next may be empty.
func failedRequest(summary string, err error, next string) diag.Diagnostic {
	failed := requestError(err)
	return diag.NewErrorDiagnostic(summary, paragraphs(describe("The request failed", failed),
		describeRequest(failed), hint(failed, ""), next))
}

// describeUnknown describes a submission that the service may have accepted.
func describeUnknown(failed *client.Error, by submitter) string {
	lead, end := "The outcome is unknown", " The service may have accepted the notification."
	switch {
	case failed.Key.Header == "":
		end = " The service may have accepted the notification, so it was not retried."
	case failed.Attempts > 1:
		lead += fmt.Sprintf(" after %d attempts under one key", failed.Attempts)
	}
	text := describe(lead, failed) + end
	if failed.Reason == client.TimedOut && by.timeLimit != "" {
		text += " " + by.timeLimit + " limits the time for the operation."
	}
	if failed.Status/100 == 3 {
		text += " The redirect may also lead to a sign-in page, which submits nothing. Check base_url."
	}
	return text + by.stored
}

// describe returns lead with the last response or the reason why there was none. If the last
// attempt had no access token, that is what it says.
func describe(lead string, e *client.Error) string {
	text := lead
	if e.Operation == client.FetchToken {
		text = "Could not obtain an access token"
	}
	if e.Status != 0 {
		text += " (" + strings.TrimSpace(client.StatusLine(e.Status)+" "+e.Detail.String()) + ")"
	}
	before := ": "
	if !e.Message.Empty() {
		text, before = fmt.Sprintf("%s: %q", text, e.Message), "; "
	}
	if e.Err != nil {
		text += before + e.Err.Error()
	}
	text += "."
	switch {
	case e.Attempts < 2, e.Ambiguous:
	case e.Definite:
		text += fmt.Sprintf(" This was attempt %d.", e.Attempts)
	default:
		text += fmt.Sprintf(" Gave up after %d attempts.", e.Attempts)
	}
	return text
}

// describeRequest returns the time, method, URL and ids by which operators can find a request.
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
	if e.Ambiguous && e.Key.Header != "" && !e.Key.UserChosen {
		lines = append(lines, "idempotency key "+e.Key.Value)
	}
	return indented(lines...)
}
