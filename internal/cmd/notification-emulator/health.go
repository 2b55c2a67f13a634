package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// runHealth asks an emulator whether it works, past any proxy, and shows the answer.
func runHealth(ctx context.Context, args, env []string, stdout, stderr io.Writer) int {
	root := "http://127.0.0.1:8080"
	for _, entry := range env {
		if url, found := strings.CutPrefix(entry, "NOTIFICATION_EMULATOR_URL="); found {
			root = cmp.Or(url, root)
		}
	}
	if len(args) > 1 {
		complain(stderr, fmt.Sprintf("health takes one URL, but got %q", args))
		show(stderr, helpText("usage"))
		return exitUsage
	}
	if len(args) == 1 {
		root = args[0]
	}
	text, err := health(ctx, strings.TrimRight(root, "/")+"/_emulator/health")
	if err != nil {
		complain(stderr, err)
		return exitFailure
	}
	show(stdout, text+"\n")
	return exitOK
}

func health(ctx context.Context, address string) (string, error) {
	//nolint:gosec // the user says where
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	client := http.Client{Transport: new(http.Transport), Timeout: 2 * time.Second}
	response, err := client.Do(request) //nolint:gosec // as above
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }() // it was read
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s answered %s", address, response.Status)
	}
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<10))
	return string(text), err
}
