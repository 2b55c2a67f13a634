package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"terraform-provider-notification/internal/emulator"
)

const timeOfDay = "15:04:05.000"

// summary returns a summary of the ledger as text for display.
func summary(l emulator.Ledger) string {
	var counts []string
	add := func(n, least int, one, many string) {
		if n >= least {
			counts = append(counts, count(n, one, many))
		}
	}
	for _, endpoint := range emulator.Endpoints() {
		if noun := endpoint.Noun; noun != "" {
			add(*endpoint.Counter(&l), 0, noun, noun+"s")
		}
	}
	add(l.Repetitions, 1, "repeated submission", "repeated submissions")
	add(l.SubmissionRequests-l.Notifications-l.Repetitions, 1,
		"submission not accepted", "submissions not accepted")
	add(l.OtherRequests, 1, "request to an unknown path", "requests to unknown paths")
	var b strings.Builder
	fmt.Fprintf(&b, "Received by the emulator: %s (%s)\n",
		count(l.Notifications, "notification", "notifications"), strings.Join(counts, ", "))
	if n := l.Notifications - len(l.Submissions); n > 0 {
		fmt.Fprintf(&b, "  (%s older than these, which the ledger no longer has)\n",
			count(n, "notification", "notifications"))
	}
	if len(l.Submissions) > 0 {
		b.WriteString(table(l.Submissions))
	}
	return b.String()
}

// table returns a table with a line for each channel. The notification is on the line of its first
// channel. Long texts are truncated. The columns SYSTEM and KEY are left out if they are empty.
func table(submissions []emulator.Submission) string {
	rows := [][]string{{"  RECEIVED", "PRIORITY", "NOTIFICATION ID", "SYSTEM", "KEY",
		"CHANNEL", "RECIPIENT", "SUBJECT"}}
	for _, s := range submissions {
		row := []string{"  " + s.ReceivedAt.Local().Format(timeOfDay), s.Priority, s.NotificationID,
			truncate(escapeWord(s.System), 32), truncate(escapeWord(s.IdempotencyKey), 32)}
		for _, c := range s.Channels {
			var recipients []string
			for _, recipient := range c.Recipient {
				recipients = append(recipients, escapeWord(recipient))
			}
			rows = append(rows, append(row, truncate(escapeWord(c.Type), 16),
				truncate(strings.Join(recipients, ", "), 32), truncate(escape(c.Subject), 64)))
			row = []string{"  ", "", "", "", ""}
		}
	}
	for _, column := range []int{4, 3} {
		if !slices.ContainsFunc(rows[1:], func(row []string) bool { return row[column] != "" }) {
			for i, row := range rows {
				rows[i] = slices.Delete(row, column, column+1)
			}
		}
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		_, _ = fmt.Fprintln(w, strings.Join(row, "\t")) // writing to a strings.Builder cannot fail
	}
	_ = w.Flush() // as above
	return trailingBlanks.ReplaceAllString(b.String(), "\n")
}

var trailingBlanks = regexp.MustCompile(" +\n")

// truncate shortens text to at most that many characters.
func truncate(text string, most int) string {
	if characters := []rune(text); len(characters) > most {
		return string(characters[:most-1]) + "…"
	}
	return text
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
