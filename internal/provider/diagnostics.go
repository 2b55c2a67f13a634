package provider

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"terraform-provider-notification/internal/client"
)

// advice are the sentences that depend on what made the submission: the resource or the
// action.
type advice struct {
	notSubmitted, possiblySubmitted, withoutID string

	// sameKey is possiblySubmitted under a key of the user's own, changedContent the same where the
	// service rejected the content afterwards, and otherKey what to do where the key may be that of
	// another notification.
	sameKey, changedContent, otherKey string

	// moreTime says what to do where the service needs more time.
	moreTime string
}

const (
	// replaceKept covers the case in which the next apply does not submit: after a failed
	// replacement Terraform may have kept the old notification, and may no longer see a reason to
	// replace it.
	replaceKept = "With create_before_destroy, check the plan first: if it does not replace the " +
		"old notification, run `terraform apply -replace=ADDRESS`."

	// compareContent is for a key that the service may have seen with other content.
	compareContent = "Compare the content with what was submitted under the key: it must be " +
		"exactly the same, without a timestamp() or anything else that differs between runs. To " +
		"submit this one as a new notification, give it another idempotency_key. "

	// contentRejected is for an attempt in doubt that was followed by one whose content was rejected.
	contentRejected = "The service rejected the content of the last attempt, and may have accepted " +
		"an earlier one. Before you change the content, " + findLost + " If it did, the service " +
		"expects exactly that content under this key. "

	// findLost says how to find out whether the service accepted a notification.
	findLost = "ask the recipients or the service's operators whether the notification arrived."
)

var (
	resourceAdvice = advice{
		notSubmitted: "The next apply submits it. " + replaceKept,
		possiblySubmitted: "Before the next apply, " + findLost + " If it arrived, import it " +
			"with `terraform import ADDRESS NOTIFICATION_ID`, or with an import block. ADDRESS is the " +
			"address of this resource; if nobody knows the id, use the word `unknown`. If Terraform " +
			"says that the resource is already managed, as it does with create_before_destroy, run " +
			"`terraform state rm ADDRESS` first.\n\n" +
			"If it did not arrive, the next apply submits it again. " + replaceKept + "\n\n" +
			"If you would rather miss a notification than send it twice, set delivery = " +
			"\"at_most_once\" before the next failure. It does not help with this notification.",
		sameKey: "It is safe to apply again at once, with the same idempotency_key and the same " +
			"content: as long as the service knows the key, it notifies nobody twice. " + replaceKept,
		changedContent: contentRejected + "If it arrived, import it with `terraform import ADDRESS " +
			"NOTIFICATION_ID`; ADDRESS is the address of this resource. If it did not, correct the " +
			"content and apply again. " + replaceKept,
		otherKey: compareContent + "If the earlier one is the one you meant, import it with " +
			"`terraform import ADDRESS NOTIFICATION_ID`; ADDRESS is the address of this resource.",
		withoutID: "It is stored with a null notification_id, so that it is not submitted twice.",
		moreTime:  "Apply again later, or raise timeouts.create to wait longer.",
	}
	// unconfirmedAdvice are those where delivery has stored what is in doubt.
	unconfirmedAdvice = advice{
		possiblySubmitted: "If it matters, " + findLost + " If it did not arrive, submit it with " +
			"`terraform apply -replace=ADDRESS`. ADDRESS is the address of this resource.",
		sameKey: "If it matters, confirm it with `terraform apply -replace=ADDRESS`, with the same " +
			"idempotency_key and the same content, while the service still knows the key: it then " +
			"answers with the notification that it has, or submits it. ADDRESS is the address of " +
			"this resource.",
		changedContent: contentRejected + "If it did not arrive, correct the content and submit it " +
			"with `terraform apply -replace=ADDRESS`. ADDRESS is the address of this resource.",
		otherKey: compareContent + "If the earlier one is the one you meant, there is nothing to do.",
	}
	// Whether the next apply invokes the action again depends on its trigger and, from Terraform
	// 1.16 on, on on_failure. If it does, the plan lists the action.
	actionAdvice = advice{
		notSubmitted: "The next apply submits it only if its plan lists the action. Otherwise, " +
			"invoke the action yourself: `terraform apply -invoke=ADDRESS`.",
		possiblySubmitted: "Before the next apply, " + findLost + " If it arrived, and the plan " +
			"of the next apply lists the action, remove the action from its trigger for that " +
			"apply; otherwise the notification is submitted twice. If it did not arrive, and the " +
			"plan does not list the action, invoke the action yourself: " +
			"`terraform apply -invoke=ADDRESS`.",
		sameKey: "It is safe to invoke the action again at once, with the same idempotency_key and " +
			"the same content: `terraform apply -invoke=ADDRESS`. As long as the service knows the " +
			"key, it notifies nobody twice.",
		changedContent: contentRejected + "If it did not arrive, correct the content and invoke the " +
			"action again: `terraform apply -invoke=ADDRESS`.",
		otherKey:  compareContent + "If the earlier one is the one you meant, there is nothing to do.",
		withoutID: "Do not invoke the action again.",
		moreTime:  "Invoke it again later.",
	}
)

// requestError is err, of a request, as the client returns it; nil where there is none.
func requestError(err error) *client.Error {
	failed, _ := errors.AsType[*client.Error](err)
	return failed
}

// failedSubmission is the diagnostic for a submission that failed.
func failedSubmission(failed *client.Error, a advice) diag.Diagnostic {
	const summary = "Unable to submit notification"
	if failed.Ambiguous {
		consequence := ""
		if failed.Key.Header == "" {
			consequence = "The request was not retried, since that could notify people twice."
		}
		return diag.NewErrorDiagnostic("Notification may have been submitted",
			paragraphs(inDoubt(failed, consequence), doubtAdvice(failed, a)))
	}
	if failed.Key.Own && failed.Status == http.StatusUnprocessableEntity {
		return diag.NewErrorDiagnostic(summary, paragraphs(whatHappened(failed),
			otherContent+"an earlier notification was submitted under it, and this one was not.",
			a.otherKey))
	}
	subject := "The notification was not submitted. "
	if failed.Key.Own { // an earlier run, which was killed, may have submitted it
		subject = "This run did not submit the notification. "
	}
	return diag.NewErrorDiagnostic(summary, paragraphs(
		whatHappened(failed),
		subject+a.notSubmitted,
		hint(failed, a.moreTime),
	))
}

const otherContent = "The service rejected the content, or it has seen the idempotency key with " +
	"other content. In that case "

// doubtAdvice is what to do about a submission that may have been carried out.
func doubtAdvice(failed *client.Error, a advice) string {
	own, busy := failed.Key.Own, ""
	if failed.Key.Header != "" && failed.Status == http.StatusConflict {
		busy = "409 usually means that the service is still busy with a request under this key. No " +
			"other run has the key, so it is one of this submission."
		if own {
			busy = "409 usually means that the service is still busy with a request under this key, " +
				"which may be that of another run."
		}
	}
	switch {
	case failed.Key.Header == "":
		return a.possiblySubmitted
	case !own:
		return paragraphs(busy, a.possiblySubmitted, "With an idempotency_key of its own, set "+
			"before the next failure, the notification could be submitted again at once.")
	case busy != "":
		return paragraphs(busy, a.sameKey, a.otherKey)
	case failed.Status == http.StatusUnprocessableEntity:
		return paragraphs(a.changedContent, "It may also have seen the key with other content, of an "+
			"earlier run. "+a.otherKey)
	case failed.Status == http.StatusBadRequest,
		failed.Status == http.StatusRequestEntityTooLarge:
		return a.changedContent
	case failed.Status == http.StatusTooManyRequests:
		return paragraphs(a.sameKey, hint(failed, a.moreTime))
	}
	if settings := settingsHint(failed); settings != "" {
		sameKey := strings.ToLower(a.sameKey[:1]) + a.sameKey[1:]
		return paragraphs(settings, "Correct that first. After that, "+sameKey)
	}
	return a.sameKey
}

// unconfirmedSubmission is the warning about a notification that was stored although it is not
// known whether the service accepted it. The request id makes each summary unique: of several
// warnings with the same summary Terraform shows the first only, and the ids of the others would be
// lost.
func unconfirmedSubmission(failed *client.Error) diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		fmt.Sprintf("Notification stored as unconfirmed (request id %s)", failed.ID.Request),
		paragraphs(
			inDoubt(failed, "Because delivery is \"at_most_once\", it is stored with confirmed = "+
				"false and a null notification_id, and is not submitted again unless this "+
				"resource is replaced."),
			doubtAdvice(failed, unconfirmedAdvice),
		))
}

// missingID is the warning about a notification that was accepted without an id. Its summary is
// unique too.
func missingID(receipt *client.Receipt, a advice) diag.Diagnostic {
	return diag.NewWarningDiagnostic(
		fmt.Sprintf("Notification submitted without an id (request id %s)", receipt.ID.Request),
		fmt.Sprintf("The service accepted the notification (%s). %s If you need the id, ask the "+
			"service's operators for the id of the notification submitted at %s. %s",
			receipt.MissingID, a.withoutID, receipt.Time.UTC().Format(time.RFC3339),
			requestIDs(receipt.ID)))
}

// notChecked is what follows when checkCredentials fails.
const notChecked = "This notification was not submitted. The provider setting check_credentials " +
	"(NOTIFICATION_CHECK_CREDENTIALS) makes each run that submits obtain an access token first, " +
	"and reports a failure once. When the cause is fixed, the next apply submits what is " +
	"missing. To plan without a token, set check_credentials to false. " + plannedBeforeDestroy

// failedRequest is the diagnostic for any other operation that ended in err. consequence may be
// empty.
func failedRequest(summary string, err error, consequence string) diag.Diagnostic {
	failed := requestError(err)
	return diag.NewErrorDiagnostic(summary,
		paragraphs(whatHappened(failed), consequence, hint(failed, "Try again later.")))
}
