package main

import (
	"strconv"
	"strings"
	"testing"

	"github.com/notification/terraform-provider-notification/internal/emulator"
	"github.com/notification/terraform-provider-notification/internal/emulator/notification"
)

// Counts of zero are left out. The table truncates long texts and quotes what could control a
// terminal.
func TestSummary(t *testing.T) {
	t.Parallel()
	const nothing = "Received by the emulator: 0 notifications\n"
	if got := summary(emulator.Ledger{}); got != nothing {
		t.Errorf("got %q, want %q", got, nothing)
	}
	submissions := []emulator.Submission{
		{Priority: "HIGH", Channels: []notification.Channel{
			{Type: "a b\t", Recipient: []string{"W1", "x,y", "\x1b[31m"}},
			{
				Type: strings.Repeat("t", 17), Recipient: []string{strings.Repeat("ü", 33)},
				Subject: strings.Repeat("ü", 65) + "\n",
			},
		}},
		{Priority: "BATCH", Channels: []notification.Channel{{Subject: "a\x9b31m"}}},
	}
	got := summary(emulator.Ledger{Notifications: 3, OtherRequests: 1, Submissions: submissions})
	for _, want := range []string{
		": 3 notifications (1 request to an unknown path)\n  RECEIVED ",
		"PRIORITY  NOTIFICATION ID  CHANNEL           RECIPIENT                         SUBJECT\n",
		`  "a b\t"           "W1, x,y, \x1b[31m" `,
		"  " + strings.Repeat("t", 16) + "  " + strings.Repeat("ü", 32) + `  "` +
			strings.Repeat("ü", 63) + "\n",
		`  "a\x9b31m"` + "\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// Text from a client must not control a terminal or look like another line.
func TestLogLineIsSafe(t *testing.T) {
	t.Parallel()
	const evil = "\x1b[31m\n12:00 \u202e"
	line := logLine(emulator.Request{Method: evil, Path: evil, Status: 404, Reason: evil})
	if strings.ContainsFunc(line, func(r rune) bool { return !strconv.IsPrint(r) }) {
		t.Errorf("got %q", line)
	}
}
