package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// runHealth asks an emulator whether it works, past any proxy, and shows the answer.
func runHealth(ctx context.Context, args, env []string, stdout, stderr io.Writer) int {
	if len(args) == 1 && slices.Contains([]string{"-h", "-help", "--help"}, args[0]) {
		show(stdout, helpText("usage"))
		return exitOK
	}
	if len(args) > 1 {
		complain(stderr, fmt.Sprintf("health takes one URL, but got %q", args))
		show(stderr, helpText("usage"))
		return exitUsage
	}
	root := strings.Join(args, "")
	for _, entry := range env {
		if url, found := strings.CutPrefix(entry, "NOTIFICATION_EMULATOR_URL="); found {
			root = cmp.Or(root, url)
		}
	}
	root = cmp.Or(root, "http://127.0.0.1:8080")
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	text, err := health(ctx, strings.TrimRight(root, "/")+"/_emulator/health")
	if err != nil {
		complain(stderr, err)
		return exitFailure
	}
	show(stdout, text+"\n")
	return exitOK
}

// health returns what the emulator at that address says of itself.
func health(ctx context.Context, address string) (string, error) {
	if !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "https://") {
		return "", fmt.Errorf("the URL must begin with http:// or https://: %q", address)
	}
	//nolint:gosec // the user says where
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	response, err := new(http.Transport).RoundTrip(request) // which follows no redirect
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }() // it was read
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s answered %d", address, response.StatusCode)
	}
	var says struct{ Status, Version string }
	err = json.NewDecoder(io.LimitReader(response.Body, 1<<10)).Decode(&says)
	if err != nil || says.Status != "ok" || says.Version == "" {
		return "", fmt.Errorf("what answers at %s is not an emulator that works", address)
	}
	return fmt.Sprintf(`{"status":"ok","version":%+q}`, says.Version), nil
}
