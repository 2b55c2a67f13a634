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

// summary tells people what the emulator has received.
func summary(l emulator.Ledger) string {
	counts := []string{
		count(l.TokenRequests, "token request", "token requests"),
		count(l.StudyRequests, "studies lookup", "studies lookups"),
		count(l.Connections, "connection", "connections"),
	}
	if l.Repetitions > 0 {
		counts = append(counts, count(l.Repetitions, "repeated submission", "repeated submissions"))
	}
	if n := l.SubmissionRequests - l.Notifications - l.Repetitions; n > 0 {
		counts = append(counts, count(n, "submission not accepted", "submissions not accepted"))
	}
	if l.OtherRequests > 0 {
		counts = append(counts,
			count(l.OtherRequests, "request to an unknown path", "requests to unknown paths"))
	}
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

// table has a line for each channel, the first of which begins with its notification. Of long texts
// the ledger has the rest.
func table(submissions []emulator.Submission) string {
	has := func(member func(emulator.Submission) string) bool {
		return slices.ContainsFunc(submissions, func(s emulator.Submission) bool { return member(s) != "" })
	}
	systems := has(func(s emulator.Submission) string { return s.System })
	keys := has(func(s emulator.Submission) string { return s.IdempotencyKey })
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	row := func(received, priority, id, system, key string, channel ...string) {
		cells := []string{"  " + received, priority, id}
		if systems {
			cells = append(cells, system)
		}
		if keys {
			cells = append(cells, key)
		}
		_, _ = fmt.Fprintln(w, strings.Join(append(cells, channel...), "\t")) // never fails
	}
	row("RECEIVED", "PRIORITY", "NOTIFICATION ID", "SYSTEM", "KEY", "CHANNEL", "RECIPIENT", "SUBJECT")
	for _, s := range submissions {
		received, priority, id := s.ReceivedAt.Local().Format(timeOfDay), s.Priority, s.NotificationID
		system, key := cut(visible(s.System), 32), cut(visible(s.IdempotencyKey), 32)
		for _, c := range s.Channels {
			recipients := make([]string, 0, len(c.Recipient))
			for _, recipient := range c.Recipient {
				recipients = append(recipients, visible(recipient))
			}
			row(received, priority, id, system, key, cut(visible(c.Type), 16),
				cut(strings.Join(recipients, ", "), 32), cut(printable(c.Subject), 64))
			received, priority, id, system, key = "", "", "", "", ""
		}
	}
	_ = w.Flush() // as above
	return trailingBlanks.ReplaceAllString(b.String(), "\n")
}

var trailingBlanks = regexp.MustCompile(" +\n")

// cut shortens text to so many characters.
func cut(text string, most int) string {
	if characters := []rune(text); len(characters) > most {
		return string(characters[:most-1]) + "…"
	}
	return text
}

// printable quotes text as in Go where it holds anything but visible characters and blanks, so that
// it cannot act on a terminal.
func printable(text string) string {
	hidden := func(r rune) bool { return !strconv.IsPrint(r) }
	if !utf8.ValidString(text) || strings.ContainsFunc(text, hidden) {
		return strconv.Quote(text)
	}
	return text
}

// visible quotes text unless it is one word of visible characters.
func visible(text string) string {
	if strings.ContainsAny(text, " ,") {
		return strconv.Quote(text)
	}
	return printable(text)
}

// logLine tells people of one request, on one line.
func logLine(r emulator.Request) string {
	outcome := "no response"
	if r.Status != 0 {
		outcome = strconv.Itoa(r.Status)
	}
	at := r.Time.Local().Format(timeOfDay)
	parts := []string{at, outcome, visible(r.Method), visible(r.Path)}
	if r.NotificationID != "" {
		parts = append(parts, r.NotificationID)
	}
	if r.RepetitionOf != "" {
		parts = append(parts, "repetition of "+r.RepetitionOf)
	}
	if r.Reason != "" {
		parts = append(parts, printable(r.Reason))
	}
	if r.Fault != "" {
		parts = append(parts, "(fault "+r.Fault+")")
	}
	return strings.Join(parts, "  ")
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
