package main

import (
	"fmt"
	"strconv"
	"strings"

	"terraform-provider-notification/internal/emulator"
)

// summary tells people what the emulator has received. Text from requests is quoted as in Go where
// it holds anything but visible characters, so that it cannot act on a terminal.
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
		fmt.Fprintf(&b, "  (%s older than these, dropped to keep the ledger within its limit)\n",
			count(n, "notification", "notifications"))
	}
	for _, s := range l.Submissions {
		fmt.Fprintf(&b, "  %s  %s  %s  %s",
			s.ReceivedAt.Format("2006-01-02T15:04:05.000Z07:00"), s.NotificationID, s.Priority,
			count(len(s.Channels), "channel", "channels"))
		if s.System != "" {
			b.WriteString("  system " + visible(s.System))
		}
		if s.IdempotencyKey != "" {
			b.WriteString("  key " + visible(s.IdempotencyKey))
		}
		if s.RequestID != "" {
			fmt.Fprintf(&b, "  request %s in trace %s", s.RequestID, s.TraceID)
		}
		b.WriteString("\n")
		for _, c := range s.Channels {
			fmt.Fprintf(&b, "    %s\n", strings.Join(describe(c), "  "))
		}
	}
	return b.String()
}

// describe returns the channel's type, recipients and subject, without those that were not given.
func describe(c emulator.Channel) []string {
	parts := []string{visible(c.Type)}
	if len(c.Recipient) > 0 {
		recipients := make([]string, 0, len(c.Recipient))
		for _, recipient := range c.Recipient {
			recipients = append(recipients, visible(recipient))
		}
		parts = append(parts, strings.Join(recipients, ", "))
	}
	if c.Subject != "" {
		parts = append(parts, strconv.Quote(c.Subject))
	}
	return parts
}

// visible quotes text unless it is one word of visible characters.
func visible(text string) string {
	quoted := strconv.Quote(text)
	if quoted[1:len(quoted)-1] == text && !strings.ContainsAny(text, " ,") {
		return text
	}
	return quoted
}

// logLine tells people of one request, on one line.
func logLine(r emulator.Request) string {
	outcome := "no answer"
	if r.Status != 0 {
		outcome = strconv.Itoa(r.Status)
	}
	at := r.Time.Local().Format("15:04:05.000")
	parts := []string{at, outcome, visible(r.Method), visible(r.Path)}
	if r.NotificationID != "" {
		parts = append(parts, r.NotificationID)
	}
	if r.RepetitionOf != "" {
		parts = append(parts, "repetition of "+r.RepetitionOf)
	}
	if r.Reason != "" {
		quoted := strconv.Quote(r.Reason)
		parts = append(parts, quoted[1:len(quoted)-1])
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
