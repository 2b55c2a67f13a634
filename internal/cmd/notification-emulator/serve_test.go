package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The lines in the file have the format of CI systems: neither export nor quotes.
func TestServeEnvFile(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	file := filepath.Join(tempDir(t), "env")
	if err := os.WriteFile(file, []byte("OTHER=kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"serve", "--listen", "127.0.0.1:0", "--client-secret", "it's", "--system", "a", "--system", "b",
		"--idempotency-key-header", "X-Key", "--env-file", file,
	}
	var text []byte // the file when serve prints its exports, before the emulator responds
	stdout := writerFunc(func([]byte) { text, _ = os.ReadFile(file) })
	for range 2 {
		if status := run(ctx, args, nil, nil, stdout, io.Discard); status != 0 {
			t.Errorf("status is %d", status)
		}
	}
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
	if got != want {
		t.Errorf("got %s", got)
	}
}

// If the file cannot be written, serve exits.
func TestServeUnwritableEnvFile(t *testing.T) {
	t.Parallel()
	r := runWith(t, nil, "serve", "-listen", "127.0.0.1:0", "-env-file", tempDir(t))
	if r.status != exitFailure || r.stdout != "" || !strings.Contains(r.stderr, "directory") {
		t.Errorf("got %+v", r)
	}
}

// writerFunc is an io.Writer that calls a function.
type writerFunc func(text []byte)

func (f writerFunc) Write(text []byte) (int, error) {
	f(text)
	return len(text), nil
}
