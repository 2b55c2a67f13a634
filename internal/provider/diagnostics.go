package provider

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"terraform-provider-notification/internal/client"
)

// consequences is what becomes of a submission that failed, which depends on who
// made it: Terraform applies a resource again, an action never.
type consequences struct {
	notSubmitted, possiblySubmitted, withoutID string

	// moreTime is how to allow for more of it.
	moreTime string
}

var (
	resourceConsequences = consequences{
		notSubmitted: "The next apply submits it.",
		possiblySubmitted: "If it arrived, adopt it with `terraform import ADDRESS NOTIFICATION_ID` (ADDRESS is that of this resource); " +
			"otherwise the next apply submits it again.",
		withoutID: "It is recorded as submitted with a null notification_id, so that it is not sent twice.",
		moreTime:  "Apply again later, or raise timeouts.create to wait longer.",
	}
	actionConsequences = consequences{
		notSubmitted:      "Terraform does not run an action again by itself: invoke it by hand with `terraform apply -invoke=ADDRESS`.",
		possiblySubmitted: "Terraform does not run an action again by itself: if it did not arrive, invoke it by hand with `terraform apply -invoke=ADDRESS`.",
		withoutID:         "The action is done; do not invoke it again.",
		moreTime:          "Invoke it again later.",
	}
)

// failedSubmission is the diagnostic for a submission that ended in err.
func failedSubmission(err error, then consequences) diag.Diagnostic {
	const summary = "Unable to submit notification"
	var failed *client.Error
	if !errors.As(err, &failed) {
		return diag.NewErrorDiagnostic(summary, err.Error()+". The notification was not submitted. "+then.notSubmitted)
	}
	if failed.Outcome == client.PossiblySubmitted {
		return diag.NewErrorDiagnostic("Notification may have been submitted", paragraphs(
			whatHappened(failed),
			fmt.Sprintf("The request went out at %s to %s, and it is not known whether the service took it. It was not repeated, since that could notify people twice.",
				failed.Time.UTC().Format(time.RFC3339), failed.URL),
			"Check with the recipients, or with those who run the service, whether a notification from that time arrived. "+then.possiblySubmitted,
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

// hint says what to look at, for the statuses that users meet.
func hint(e *client.Error, then consequences) string {
	if e.Operation == client.FetchToken {
		return tokenHint(e)
	}
	settings := "base_url, system and notifications_path"
	if e.Operation == client.LookUpStudies {
		settings = "base_url, system and studies_path"
	}
	switch {
	case e.HTML != "":
		return "A page where JSON was expected is usually the sign-in page of a gateway. Check that base_url is the address of the API."
	case e.Location != "" && e.Status >= 300 && e.Status <= 399:
		return "This redirect was not followed, since that could carry the request and its token elsewhere. If the new address is right, configure it: it comes from " + settings + "."
	}
	switch e.Status {
	case 0:
		return unreachable(e, "base_url")
	case http.StatusServiceUnavailable:
		return "The service is not available for now. " + then.moreTime
	case http.StatusUnauthorized:
		return "The service refused an access token that was fetched just before. Check that auth_url and base_url belong to the same environment, and that scopes and audience fit the service."
	case http.StatusForbidden:
		return "The client is known but may not do this. " + granted(e.GrantedScopes)
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return "The address comes from the provider's settings " + settings + ". Check them against the documentation of your environment."
	case http.StatusRequestEntityTooLarge:
		return "The notification is larger than the service accepts. Shorten its fields or split its channels into several notifications."
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return "The service does not accept the content of the request. Compare the arguments with what it says."
	case http.StatusTooManyRequests:
		return "The service limits how often it may be called. Run Terraform with a smaller -parallelism, raise max_retries, or use one notification with several channels instead of many. " + then.moreTime
	default:
		return ""
	}
}

func tokenHint(e *client.Error) string {
	switch {
	case e.HTML != "":
		return "A page where a token was expected means that auth_url is not the address of the authorization server, or that a gateway asks for a sign-in."
	case e.Location != "" && e.Status >= 300 && e.Status <= 399:
		return "A token request is never redirected, since that would carry the client secret away. If the new address is right, set auth_url to it."
	}
	switch e.Code {
	case "invalid_client":
		return "Check client_id and client_secret (NOTIFICATION_CLIENT_ID and NOTIFICATION_CLIENT_SECRET), and that they belong to the environment of auth_url."
	case "invalid_scope":
		return "The authorization server does not grant the requested scopes to this client. Check scopes (NOTIFICATION_SCOPES)."
	case "unauthorized_client", "unsupported_grant_type":
		return "The client may not use the client credentials grant. Those who issued the credentials can allow it."
	}
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "Check client_id and client_secret, and that they belong to the environment of auth_url."
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return "The address is auth_url with /oauth2/token. Check auth_url."
	case http.StatusTooManyRequests:
		return "The authorization server limits how often it may be called. Try again later."
	case 0:
		return unreachable(e, "auth_url")
	}
	return ""
}

// unreachable is the hint where there was no answer at all.
func unreachable(e *client.Error, setting string) string {
	var untrusted *tls.CertificateVerificationError
	switch {
	case e.Cancelled() || e.TimedOut():
		return ""
	case errors.As(e, &untrusted):
		return "The server's certificate is not trusted for this address. Check " + setting + "; if the certificate comes from an authority of your own, set ca_cert_pem."
	case e.CertificateRefused():
		return "The server does not accept the client's certificate, or wants one. Check client_cert_pem and client_key_pem."
	default:
		return "Check " + setting + ", and that the server can be reached from here, proxies included (HTTPS_PROXY, NO_PROXY)."
	}
}

func granted(scopes []string) string {
	if len(scopes) == 0 {
		return "The authorization server did not say which scopes it granted; check scopes."
	}
	return "The access token was granted the scopes " + strings.Join(scopes, " ") + "; check that they are enough."
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
