package provider

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"terraform-provider-notification/internal/client"
)

// happened is a sentence about the response to a request, or why there was none. It follows lead,
// which may be empty.
func happened(lead string, e *client.Error) string {
	text, why := "no response", ": "
	switch {
	case e.Status != 0:
		text, why = e.StatusLine(), "; "
	case e.Ambiguous && e.Key.Header == "":
		text = "the answer was lost"
	}
	if !e.HTML.Empty() {
		text += fmt.Sprintf(" with an HTML page (%s)", e.HTML)
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
	if e.Stopped != nil {
		text += fmt.Sprintf("; no further attempt: %s", e.Stopped)
	}
	if e.Operation == client.FetchToken {
		text = "could not obtain an access token: " + text
	}
	if lead == "" {
		return strings.ToUpper(text[:1]) + text[1:] + "."
	}
	return lead + ": " + text + "."
}

// facts are what operators find the request by.
func facts(e *client.Error) string {
	lines := []string{fmt.Sprintf("%s %s", e.Method, e.URL)}
	if e.ID.Request != "" { // it was sent
		lines = []string{timestamp(e.Time) + "  " + lines[0], e.ID.String()}
	}
	if e.Ambiguous {
		header := "header traceparent"
		if e.ID.Header != "" {
			header += ", " + e.ID.Header
		}
		lines = append(lines, header)
	}
	if !e.ServerID.Empty() {
		lines = append(lines, fmt.Sprintf("logged by the server as %q", e.ServerID))
	}
	if e.Ambiguous && e.Key.Header != "" && !e.Key.Own {
		lines = append(lines, "idempotency key "+e.Key.Value)
	}
	return indented(lines...)
}

func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// indented are lines that Terraform does not wrap.
func indented(lines ...string) string { return "    " + strings.Join(lines, "\n    ") }

// paragraphs joins the parts that are not empty.
func paragraphs(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "\n\n")
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
