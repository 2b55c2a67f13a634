package provider

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"terraform-provider-notification/internal/client"
)

// advice is what depends on what made the submission: the resource or the action.
type advice struct {
	command string // that submits the notification again
	unless  string // where nothing is left for command to do; may be empty

	ask     string // begins the sentence about whom to ask
	arrived string // what to do with a notification that arrived
	earlier string // the same with another one, under the key of this one

	withoutID string // what follows where the service returned no id
	moreTime  string // what to do where the service needs more time
}

// unknownID is what an error recommends for the import of a notification whose id nobody knows.
const unknownID = "unknown"

var (
	importCommand  = indented("terraform import ADDRESS NOTIFICATION_ID")
	replaceCommand = indented("terraform apply -replace=ADDRESS")

	resourceAdvice = advice{
		command: "terraform apply",
		ask:     "Do not apply again yet: ask",
		// The apply after an import announces nothing: if it were that of the next release, nobody
		// would hear of that one.
		arrived: paragraphs("If it arrived, import it (the id may be the word "+unknownID+
			"), then apply the same release:", importCommand),
		earlier:   paragraphs("If the earlier one is the one you meant:", importCommand),
		withoutID: "It is stored with a null notification_id, and not submitted again.",
		moreTime:  "Wait, or raise timeouts.create.",
	}
	// unconfirmedAdvice is for what delivery has stored although it is in doubt.
	unconfirmedAdvice = advice{
		command: "terraform apply -replace=ADDRESS",
		ask:     "If it matters, ask",
		earlier: "If the earlier one is the one you meant, there is nothing to do.",
	}
	// Whether the next apply invokes the action again depends on its trigger and, in Terraform 1.16
	// or later, on on_failure. If it does, the plan lists the action.
	actionAdvice = advice{
		command: "terraform apply -invoke=ADDRESS",
		unless:  " (unless the next plan lists the action)",
		ask:     "Do not apply again yet: ask",
		arrived: "If it arrived, and the next plan lists the action, remove the action from its " +
			"trigger for that apply.",
		earlier:   unconfirmedAdvice.earlier,
		withoutID: "Do not invoke the action again.",
		moreTime:  "Wait a while.",
	}
)

const (
	seeLost = "See the guide \"When an answer is lost\"."
	seeKeys = "See the guide \"Delivery and idempotency keys\"."

	otherKey = "For a notification of its own, set another idempotency_key."
)

// submit is when, which may say why, and the command that submits the notification again.
func (a advice) submit(when string) string {
	return paragraphs(when+a.unless+":", indented(a.command))
}

// requestError is err, of a request, as the client returns it; nil where there is none.
func requestError(err error) *client.Error {
	failed, _ := errors.AsType[*client.Error](err)
	return failed
}

// failedSubmission is the diagnostic for a submission that failed.
func failedSubmission(failed *client.Error, a advice) diag.Diagnostic {
	if failed.Ambiguous {
		return diag.NewErrorDiagnostic("Notification may have been submitted",
			inDoubt(failed, a, ""))
	}
	lead, advised := "Not submitted", a.submit("To submit it")
	if hint := hint(failed, a.moreTime); hint != "" {
		advised = a.submit(hint + " Then submit it")
	}
	switch {
	case failed.Key.Own && failed.Status == http.StatusUnprocessableEntity:
		lead = "Rejected"
		advised = paragraphs("The content is invalid, or an earlier notification was submitted "+
			"under this idempotency_key with other content, such as another timestamp(). "+
			otherKey, a.submit("To submit the corrected one"), a.earlier, seeKeys)
	case failed.Key.Own: // an earlier run, which was killed, may have submitted it
		lead = "Not submitted by this run"
	}
	return diag.NewErrorDiagnostic("Unable to submit notification",
		paragraphs(happened(lead, failed)+gaveUp(failed), facts(failed), advised))
}

// gaveUp says how often a request was retried.
func gaveUp(failed *client.Error) string {
	if failed.Attempts < 2 {
		return ""
	}
	return fmt.Sprintf(" Gave up after %d attempts.", failed.Attempts)
}

// inDoubt is about a submission that may have been carried out. consequence may be empty.
func inDoubt(failed *client.Error, a advice, consequence string) string {
	const accepted = "The service may have accepted the notification"
	story := happened("", failed) + " " + accepted + ", so it was not retried."
	if failed.Key.Header != "" { // others followed the attempt in doubt
		story = happened(fmt.Sprintf("%s. Gave up after %s under one key",
			accepted, count(failed.Attempts, "attempt")), failed)
	}
	story += consequence
	whom := a.ask + " the recipients, or the service's operators:"
	if !failed.Key.Own {
		return paragraphs(story+" "+whom, facts(failed), a.arrived,
			a.submit("If it did not arrive"), seeLost)
	}
	first, when, then := settingsHint(failed), "it is safe to submit it again at once", ""
	switch failed.Status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		if failed.Status == http.StatusUnprocessableEntity {
			then = "If an earlier run used the key with other content, set another."
		}
		return paragraphs(story+" Keep the content for now. "+whom, facts(failed), a.arrived,
			a.submit("If it did not arrive, correct the content"), then, seeKeys)
	case http.StatusConflict:
		first = "The service may still be busy with this key: wait a minute."
		then = "If the conflict stays, another run uses the key. " + otherKey + " " + a.earlier
	case http.StatusTooManyRequests:
		first = hint(failed, a.moreTime)
	}
	if first != "" {
		when = "it is then safe to submit it again"
	}
	return paragraphs(story, facts(failed), first, a.submit("While the service knows the key, "+when+
		", with the same key and content"), then, seeKeys)
}

// unconfirmedSubmission is the warning about a notification that was stored although it is not
// known whether the service accepted it. The request id makes each summary unique: of several
// warnings with the same summary Terraform shows the first only, and the ids of the others would be
// lost.
func unconfirmedSubmission(failed *client.Error) diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		fmt.Sprintf("Notification stored as unconfirmed (request id %s)", failed.ID.Request),
		inDoubt(failed, unconfirmedAdvice, " With delivery = \"at_most_once\" it is stored with "+
			"confirmed = false, and is submitted again only by a replacement."))
}

// missingID is the warning about a notification that was accepted without an id. Its summary is
// unique too.
func missingID(receipt *client.Receipt, a advice) diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		fmt.Sprintf("Notification submitted without an id (request id %s)", receipt.ID.Request),
		paragraphs(fmt.Sprintf("The service accepted the notification (%s). %s The operators can "+
			"find its id by:", receipt.MissingID, a.withoutID),
			indented(timestamp(receipt.Time), receipt.ID.String())))
}

// failedRequest is the diagnostic for any other operation that ended in err. lead and consequence
// may be empty.
func failedRequest(summary, lead string, err error, consequence string) diag.Diagnostic {
	failed := requestError(err)
	return diag.NewErrorDiagnostic(summary, paragraphs(happened(lead, failed)+gaveUp(failed),
		facts(failed), hint(failed, "Try again later."), consequence))
}
