package provider

import (
	"fmt"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/notification/terraform-provider-notification/internal/client"
)

// receiptWarning returns the warning for a 2xx response that does not simply confirm the
// notification; nil if there is none.
func receiptWarning(receipt *client.Receipt, by submitter) diag.Diagnostics {
	details := indented(timestamp(receipt.Time), receipt.ID.String())
	switch {
	case receipt.NotificationID == "":
		return diag.Diagnostics{diag.NewWarningDiagnostic(
			unique(titleNoID, receipt.ID.Request), withoutID(receipt, details, by))}
	case !receipt.Failures.Empty():
		return diag.Diagnostics{diag.NewWarningDiagnostic(
			unique(titleFailures, receipt.ID.Request), withFailures(receipt, details, by))}
	}
	return nil
}

// unique returns a title with the id of a request: of several warnings with the same title
// Terraform shows only the first, and the ids of the others would be lost.
func unique(title, requestID string) string {
	return fmt.Sprintf("%s (request id %s)", title, requestID)
}

// withoutID returns the text about a 2xx response without a usable id. It does not say whether the
// notification was submitted: only the response's own words can.
func withoutID(receipt *client.Receipt, details string, by submitter) string {
	happened := fmt.Sprintf("The service responded with %s, but without an id (%s).",
		client.StatusLine(receipt.Status), receipt.NoID)
	ask, ifNot, says := "Ask", "If they did not get it, ", ""
	if !receipt.Message.Empty() {
		happened += fmt.Sprintf(` It says: "%s".`, receipt.Message)
	}
	if !receipt.Location.Empty() {
		happened += fmt.Sprintf(" Its Location is %s.", receipt.Location)
	}
	if !by.isAction {
		happened += " It is stored with confirmed = false, and no later apply repeats it by itself."
	}
	if !receipt.JSON.Empty() {
		says = "The response:\n\n" + indented(receipt.JSON.String())
	}
	if says != "" || !receipt.Message.Empty() {
		ask, ifNot = "If these words leave open whether it was delivered, ask",
			"If they say that it was not delivered, "
	}
	if by.ownKey {
		ifNot += "give idempotency_key a new value, since under this one the service may repeat its " +
			"response, then "
	}
	return paragraphs(happened, says,
		ask+" the recipients, or give the service's operators these details:", details,
		ifNot+"run:", by.resend())
}

// withFailures returns the text about a response that has an id, and speaks of failures.
func withFailures(receipt *client.Receipt, details string, by submitter) string {
	happened := "The service accepted the notification, but its response has an error:"
	if receipt.Status == http.StatusMultiStatus {
		happened = "The service accepted the notification, and its response, 207 Multi-Status, has a " +
			"result for each:"
	}
	stored := ""
	if !by.isAction {
		stored = " It is stored as submitted."
	}
	return paragraphs(happened, indented(receipt.Failures.String()),
		fmt.Sprintf("It has the id %q.%s", receipt.NotificationID, stored),
		"If these words leave open whom it reached, give the service's operators these details:", details,
		"Sending it again would notify those whom it reached a second time. To notify the others, "+
			"submit another notification.")
}
