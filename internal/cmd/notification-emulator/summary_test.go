package main

import (
	"strconv"
	"strings"
	"testing"

	"terraform-provider-notification/internal/emulator"
)

// The table leaves out empty columns, truncates long texts, and says what the ledger dropped.
func TestSummary(t *testing.T) {
	t.Parallel()
	l := emulator.Ledger{Notifications: 3, OtherRequests: 1, Submissions: []emulator.Submission{
		{Priority: "HIGH", Channels: []emulator.Channel{
			{Type: "a b\t", Recipient: []string{"W1", "x,y", "\x1b[31m"}},
			{
				Type: strings.Repeat("t", 17), Recipient: []string{strings.Repeat("ü", 32)},
				Subject: strings.Repeat("ü", 65) + "\n",
			},
		}},
		{Priority: "BATCH", Channels: []emulator.Channel{{Subject: "a\x9b31m"}}},
	}}
	got := summary(l)
	for _, want := range []string{
		": 3 notifications (0 token requests, 0 studies lookups, 1 request to an ",
		"  (1 notification older than these, which the ledger no longer has)\n  RECEIVED ",
		"PRIORITY  NOTIFICATION ID  CHANNEL           RECIPIENT                         SUBJECT\n",
		`  "a b\t"           W1, "x,y", "\x1b[31m"` + "\n",
		"  " + strings.Repeat("t", 15) + "…  " + strings.Repeat("ü", 32) + `  "` +
			strings.Repeat("ü", 62) + "…\n",
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
	line := logLine(emulator.Request{
		Method: "P\x1b", Path: "/\x1b[31m", Status: 404, Reason: "nothing at \x1b[31m\n12:00 \u202e",
	})
	if strings.ContainsFunc(line, func(r rune) bool { return !strconv.IsPrint(r) }) {
		t.Errorf("got %q", line)
	}
}
