package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"terraform-provider-notification/internal/emulator"
)

// With -verbose each request has a line, the rejected ones with the reason.
func TestExecVerbose(t *testing.T) {
	t.Parallel()
	r := runWith(t, nil, "exec", "--verbose", "--system", "emea", "--", self(t), "announce")
	for _, want := range []string{
		`(?m)^\d\d:\d\d:\d\d\.\d{3}  200  POST  /oauth2/token$`,
		`(?m)  404  GET  /studies/v1  there is nothing at /studies/v1$`,
		`(?m)  201  POST  /emea/notifications/v1  [0-9a-f-]{36}$`,
		`(?m)  NOTIFICATION ID +SYSTEM  CHANNEL +RECIPIENT +SUBJECT$`,
		`(?m)  HIGH      [0-9a-f-]{36}  emea    slack `,
	} {
		if !regexp.MustCompile(want).MatchString(r.stderr) {
			t.Errorf("got %d, nothing like %s in %s", r.status, want, r.stderr)
		}
	}
}

// What a client sends must not act on a terminal, nor look like another line.
func TestLogLineIsSafe(t *testing.T) {
	t.Parallel()
	line := logLine(emulator.Request{
		Method: "P\x1b", Path: "/\x1b[31m", Status: 404, Reason: "nothing at \x1b[31m\n12:00 \u202e",
	})
	if strings.ContainsFunc(line, func(r rune) bool { return !strconv.IsPrint(r) }) {
		t.Errorf("got %q", line)
	}
}

// The lines that serve appends are those of a CI system: neither export nor quotes.
func TestServeEnvFile(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	file := filepath.Join(folder(t), "env")
	if err := os.WriteFile(file, []byte("OTHER=kept"), 0o600); err != nil { // without a line break
		t.Fatal(err)
	}
	args := []string{
		"serve", "--listen", "127.0.0.1:0", "--client-secret", "it's", "--system", "a", "--system", "b",
		"--idempotency-key-header", "X-Key", "--env-file", file,
	}
	for range 2 { // the second time the file ends with a line break
		if status := run(ctx, args, nil, nil, io.Discard, io.Discard); status != 0 {
			t.Errorf("status is %d", status)
		}
	}
	text, err := os.ReadFile(file)
	got := regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+`).ReplaceAllString(string(text), "ROOT")
	want := "OTHER=kept\n" + strings.Repeat(`NOTIFICATION_EMULATOR_URL=ROOT
TF_VAR_notification_emulator_url=ROOT
NOTIFICATION_AUTH_URL=ROOT
NOTIFICATION_BASE_URL=ROOT
NOTIFICATION_SYSTEM=a
NOTIFICATION_IDEMPOTENCY_KEY_HEADER=X-Key
NOTIFICATION_CLIENT_ID=demo-client
NOTIFICATION_CLIENT_SECRET=it's
`, 2)
	if err != nil || got != want {
		t.Errorf("%v, got %s", err, got)
	}
}
