package provider

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"terraform-provider-notification/internal/client"
)

// The sentences that say what happened.

// whatHappened states the facts: the request, and the answer or why there is none.
func whatHappened(e *client.Error) string {
	var b strings.Builder
	if e.Operation == client.FetchToken {
		b.WriteString("Could not obtain an access token. ")
	}
	fmt.Fprintf(&b, "%s %s %s", e.Method, e.URL, answered(e))
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " That was attempt %d, the last.", e.Attempts)
	}
	if e.ID.Request != "" {
		b.WriteString(" " + requestIDs(e.ID))
	}
	return b.String() + loggedAs(e)
}

// inDoubt says what is not known, and what follows. With a key it begins with the first attempt
// whose outcome is not known, since others came after it.
func inDoubt(failed *client.Error, consequence string) string {
	lost := fmt.Sprintf("The request was sent at %s to %s, and it is not known whether the service "+
		"accepted the notification.", failed.Time.UTC().Format(time.RFC3339), failed.URL)
	if consequence != "" {
		consequence = " " + consequence
	}
	carried := " The request carried both ids in its traceparent header"
	if failed.ID.Header != "" {
		carried += ", and the request id in " + failed.ID.Header
	}
	carried += "."
	if failed.Key.Header == "" {
		return paragraphs(whatHappened(failed), lost+consequence+carried)
	}
	lost += " " + requestIDs(failed.ID) + carried
	if !failed.Key.Own {
		lost += fmt.Sprintf(" Idempotency key: %s.", failed.Key.Value)
	}
	lost += loggedAs(failed)
	last := "The attempt "
	if failed.Attempts > 1 {
		last = fmt.Sprintf("The last attempt under the same key, number %d, ", failed.Attempts)
	}
	return paragraphs(lost+consequence, last+answered(failed))
}

// answered is the answer to a request, or why there is none.
func answered(e *client.Error) string {
	var b strings.Builder
	_, noToken := errors.AsType[*client.Error](e.Unwrap())
	switch {
	case !e.HTML.Empty():
		fmt.Fprintf(&b, "was answered with %s and an HTML page (%s)", e.StatusLine(), e.HTML)
	case e.Status != 0:
		fmt.Fprintf(&b, "was answered with %s", e.StatusLine())
	case e.Cancelled():
		b.WriteString("was abandoned because the run was cancelled")
	case e.TimedOut():
		b.WriteString("was abandoned because the time limit of the whole operation was reached")
	case noToken:
		b.WriteString("had no access token")
	default:
		b.WriteString("got no answer")
	}
	if !e.Message.Empty() {
		fmt.Fprintf(&b, ": %q", e.Message)
	}
	if !e.Location.Empty() {
		fmt.Fprintf(&b, ", which redirects to %s", e.Location)
	}
	if e.Err != nil && !e.Cancelled() && !e.TimedOut() {
		fmt.Fprintf(&b, ": %s", e.Err)
	}
	b.WriteString(".")
	if e.Status != 0 && e.Cancelled() {
		b.WriteString(" The run was cancelled before the next attempt.")
	}
	if e.Stopped != nil {
		fmt.Fprintf(&b, " There was no further attempt: %s.", e.Stopped)
	}
	return b.String()
}

// loggedAs says by which id of its own the server knows the request.
func loggedAs(e *client.Error) string {
	if e.ServerID.Empty() {
		return ""
	}
	return fmt.Sprintf(" The server logged it as %q.", e.ServerID)
}

// requestIDs says how a request can be found.
func requestIDs(id client.RequestID) string {
	return fmt.Sprintf("Request id: %s, trace id: %s.", id.Request, id.Trace)
}

// paragraphs joins the parts that are not empty.
func paragraphs(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "\n\n")
}
