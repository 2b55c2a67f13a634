package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// runHealth requests the health of an emulator, bypassing any proxy, and prints it.
func runHealth(ctx context.Context, args, env []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("health", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	wait := flags.Duration("wait", 0, "")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		show(stdout, usage)
		return exitOK
	}
	if err == nil && flags.NArg() > 1 {
		err = fmt.Errorf("health takes one URL, but got %q", flags.Args())
	}
	if err != nil {
		return fail(stderr, fmt.Sprintf("%v\n%s", err, usage), exitUsage)
	}
	root := flags.Arg(0)
	for _, entry := range env {
		if url, found := strings.CutPrefix(entry, "NOTIFICATION_EMULATOR_URL="); found {
			root = cmp.Or(root, url)
		}
	}
	root = cmp.Or(root, "http://127.0.0.1:8080")
	address := strings.TrimRight(root, "/") + "/_emulator/health"
	end := time.Now().Add(*wait)
	text, err := health(ctx, address)
	for ; err != nil && time.Now().Before(end); text, err = health(ctx, address) {
		time.Sleep(50 * time.Millisecond)
	}
	if err != nil {
		return fail(stderr, err, exitFailure)
	}
	show(stdout, text+"\n")
	return exitOK
}

// health returns the status and version of the emulator, whose health check is at address, as JSON.
func health(ctx context.Context, address string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return "", err
	}
	response, err := new(http.Transport).RoundTrip(request) // does not follow redirects
	if err != nil {
		return "", err
	}
	defer func() { _ = response.Body.Close() }() // all of the body that matters was read
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s responded with %d", address, response.StatusCode)
	}
	var says struct{ Status, Version string }
	err = json.NewDecoder(io.LimitReader(response.Body, 1<<10)).Decode(&says)
	if err != nil || says.Status != "ok" || says.Version == "" {
		return "", fmt.Errorf("the server at %s is not a working emulator", address)
	}
	return fmt.Sprintf(`{"status":"ok","version":%+q}`, says.Version), nil
}
