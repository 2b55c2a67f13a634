package main

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"terraform-provider-notification/internal/emulator"
)

// The summary has an aligned line for each of 200 notifications, short enough for a terminal.
func TestSummaryOfMany(t *testing.T) {
	t.Parallel()
	l := emulator.Ledger{Notifications: 200}
	for i := range l.Notifications {
		l.Submissions = append(l.Submissions, emulator.Submission{
			NotificationID: fmt.Sprintf("%036d", i), ReceivedAt: time.Now(), Priority: "NORMAL",
			Channels: []emulator.Channel{{
				Type:      "slack",
				Recipient: make([]string, 1+i%50),
				Subject:   fmt.Sprintf("service %d is live%s", i, strings.Repeat(" and so on", i%20)),
			}},
		})
	}
	lines := strings.Split(strings.TrimSpace(summary(l)), "\n")
	if len(lines) != 202 {
		t.Fatalf("%d lines", len(lines))
	}
	at := strings.Index(lines[1], "SUBJECT")
	for i, line := range lines[2:] {
		if got := []rune(line); len(got) > 180 || !strings.HasPrefix(string(got[at:]),
			fmt.Sprintf("service %d is live", i)) {
			t.Errorf("%d: %s", len(got), line)
		}
	}
}

// The table leaves out empty columns and truncates long texts.
func TestSummaryCells(t *testing.T) {
	t.Parallel()
	channel := emulator.Channel{Type: "a b\t", Recipient: []string{"W1", "x,y", "\x1b[31m"}}
	long := emulator.Channel{
		Type: strings.Repeat("t", 17), Recipient: []string{strings.Repeat("ü", 32)},
		Subject: strings.Repeat("ü", 65) + "\n",
	}
	got := summary(emulator.Ledger{Submissions: []emulator.Submission{
		{Priority: "HIGH", Channels: []emulator.Channel{channel, long}},
	}})
	for _, want := range []string{
		"RECEIVED      PRIORITY  NOTIFICATION ID  CHANNEL           RECIPIENT                         SUBJECT\n",
		`  "a b\t"           W1, "x,y", "\x1b[31m"` + "\n",
		"  " + strings.Repeat("t", 15) + "…  " + strings.Repeat("ü", 32) + `  "` + strings.Repeat("ü", 62) + "…\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	key := emulator.Submission{IdempotencyKey: strings.Repeat("k", 33), Channels: []emulator.Channel{{}}}
	if got := summary(emulator.Ledger{Submissions: []emulator.Submission{key}}); !strings.Contains(got,
		"  "+strings.Repeat("k", 31)+"…\n") {
		t.Error(got)
	}
	if got := escape("a\x9b31m"); got != `"a\x9b31m"` {
		t.Errorf("got %q", got)
	}
	if got := summary(emulator.Ledger{}); strings.Contains(got, "RECEIVED") {
		t.Error(got)
	}
	few := emulator.Ledger{Notifications: 3, Submissions: []emulator.Submission{key, key}}
	if got := summary(few); !strings.Contains(got, "  (1 notification older than these, which the ledger ") {
		t.Error(got)
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
