package provider

import (
	"fmt"
	"net/http"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/notification/terraform-provider-notification/internal/client"
)

// receiptWarning returns the warning for a 2xx response that does not simply confirm the
// notification; nil if there is none.
func receiptWarning(receipt *client.Receipt, by submitter) diag.Diagnostic {
	switch {
	case receipt.NotificationID.Empty():
		return diag.NewWarningDiagnostic(unique(titleNoID, receipt.ID.Request), withoutID(receipt, by))
	case !receipt.Failures.Empty():
		return diag.NewWarningDiagnostic(unique(titleFailures, receipt.ID.Request), withFailures(receipt))
	}
	return nil
}

// receiptProgress returns a line with the id, or what the response says in its place.
func receiptProgress(receipt *client.Receipt) string {
	id, status := receipt.NotificationID, client.StatusLine(receipt.Status)
	submitted := fmt.Sprintf("The notification was submitted and has the id %s", id)
	withoutID := fmt.Sprintf("The service responded with %s, but without an id", status)
	switch {
	case id.Empty() && receipt.Message.Empty():
		return fmt.Sprintf("%s (%s)", withoutID, receipt.ID)
	case id.Empty():
		return fmt.Sprintf("%s, and says %q (%s)", withoutID, receipt.Message, receipt.ID)
	case receipt.Failures.Empty():
		return submitted
	case receipt.Status == http.StatusMultiStatus:
		return submitted + ", with status 207"
	default:
		return submitted + ", with an error in the response"
	}
}

// withoutID returns the text about a 2xx response without a usable id. It does not say whether the
// notification was submitted: only the response's own words can.
func withoutID(receipt *client.Receipt, by submitter) string {
	happened := fmt.Sprintf("The service responded with %s, but without an id (%s).",
		client.StatusLine(receipt.Status), receipt.NoID)
	says, resend := "", "If it was not delivered, run:"
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
	if by.ownKey {
		resend = "If it was not delivered, give idempotency_key a new value, since under this one the " +
			"service may repeat its response, then run:"
	}
	return paragraphs(happened, says, "If that leaves open whether it was delivered, ask the "+
		"recipients, or give the service's operators these details:",
		indented(timestamp(receipt.Time), receipt.ID.String()), resend, by.resend())
}

// withFailures returns the text about a response that has an id, and speaks of failures.
func withFailures(receipt *client.Receipt) string {
	says := "an error"
	if receipt.Status == http.StatusMultiStatus {
		says = "a result for each (207 Multi-Status)"
	}
	return paragraphs(fmt.Sprintf("The service accepted the notification under the id %q. Its "+
		"response has %s:", receipt.NotificationID, says), indented(receipt.Failures.String()),
		"If that leaves open whom it reached, give the service's operators these details:",
		indented(timestamp(receipt.Time), receipt.ID.String()),
		"Sending it again would notify those whom it reached a second time. To notify the others, "+
			"submit another notification.")
}
