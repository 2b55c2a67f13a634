package main

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/notification/terraform-provider-notification/internal/emulator"
)

const timeOfDay = "15:04:05.000"

// summary returns a summary of the ledger as text for display: the counts above zero, and a table
// with a line for each channel. The notification is on the line of its first channel. The cells are
// truncated.
func summary(l emulator.Ledger) string {
	counts := emulator.RequestCounts(l)
	add := func(n int, one, many string) {
		if n > 0 {
			counts = append(counts, count(n, one, many))
		}
	}
	add(l.Repetitions, "repeated submission", "repeated submissions")
	add(l.SubmissionRequests-l.Notifications-l.Repetitions,
		"submission not accepted", "submissions not accepted")
	add(l.OtherRequests, "request to an unknown path", "requests to unknown paths")
	var b strings.Builder
	b.WriteString("Received by the emulator: " +
		count(l.Notifications, "notification", "notifications"))
	if len(counts) > 0 {
		b.WriteString(" (" + strings.Join(counts, ", ") + ")")
	}
	b.WriteString("\n")
	if len(l.Submissions) == 0 {
		return b.String()
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(cells ...any) { // writing to a strings.Builder cannot fail
		_, _ = fmt.Fprintf(w, "  %s\t%s\t%s\t%.16s\t%.32s\t%.64s\n", cells...)
	}
	row("RECEIVED", "PRIORITY", "NOTIFICATION ID", "CHANNEL", "RECIPIENT", "SUBJECT")
	for _, s := range l.Submissions {
		at, priority, id := s.ReceivedAt.Local().Format(timeOfDay), s.Priority, s.NotificationID
		for _, c := range s.Channels {
			recipients := strings.Join(c.Recipient, ", ")
			row(at, priority, id, escape(c.Type), escape(recipients), escape(c.Subject))
			at, priority, id = "", "", ""
		}
	}
	_ = w.Flush() // as above
	return b.String()
}

// escape quotes text as in Go if it has anything but visible characters and spaces, so that it
// cannot control a terminal.
func escape(text string) string {
	hidden := func(r rune) bool { return !strconv.IsPrint(r) }
	if !utf8.ValidString(text) || strings.ContainsFunc(text, hidden) {
		return strconv.Quote(text)
	}
	return text
}

// logLine describes one request on one line.
func logLine(r emulator.Request) string {
	outcome := "no response"
	if r.Status != 0 {
		outcome = strconv.Itoa(r.Status)
	}
	parts := []string{r.Time.Local().Format(timeOfDay), outcome, escape(r.Method), escape(r.Path)}
	add := func(before, text, after string) {
		if text != "" {
			parts = append(parts, before+escape(text)+after)
		}
	}
	add("", r.NotificationID, "")
	add("repetition of ", r.RepetitionOf, "")
	add("", r.Reason, "")
	add("(fault ", r.Fault, ")")
	return strings.Join(parts, "  ")
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
