package main

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"terraform-provider-notification/internal/emulator"
)

const timeOfDay = "15:04:05.000"

// summary returns a summary of the ledger as text for display: the counts, and a table with a line
// for each channel. The notification is on the line of its first channel. The cells are truncated.
func summary(l emulator.Ledger) string {
	var counts []string
	add := func(n, least int, one, many string) {
		if n >= least {
			counts = append(counts, count(n, one, many))
		}
	}
	for target, n := range emulator.RequestCounts(l) {
		add(n, 0, target+" request", target+" requests")
	}
	add(l.Repetitions, 1, "repeated submission", "repeated submissions")
	add(l.SubmissionRequests-l.Notifications-l.Repetitions, 1,
		"submission not accepted", "submissions not accepted")
	add(l.OtherRequests, 1, "request to an unknown path", "requests to unknown paths")
	var b strings.Builder
	fmt.Fprintf(&b, "Received by the emulator: %s (%s)\n",
		count(l.Notifications, "notification", "notifications"), strings.Join(counts, ", "))
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
			var recipients []string
			for _, recipient := range c.Recipient {
				recipients = append(recipients, escapeWord(recipient))
			}
			row(at, priority, id, escapeWord(c.Type), strings.Join(recipients, ", "), escape(c.Subject))
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

// escapeWord is like escape, but also quotes text with spaces or commas.
func escapeWord(text string) string {
	if strings.ContainsAny(text, " ,") {
		return strconv.Quote(text)
	}
	return escape(text)
}

// logLine describes one request on one line.
func logLine(r emulator.Request) string {
	outcome := "no response"
	if r.Status != 0 {
		outcome = strconv.Itoa(r.Status)
	}
	parts := []string{r.Time.Local().Format(timeOfDay), outcome, escapeWord(r.Method),
		escapeWord(r.Path)}
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
