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

// runHealth requests the health of an emulator, bypassing any proxy.
func runHealth(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("health", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	wait := flags.Duration("wait", 0, "")
	err := flags.Parse(args)
	root := cmp.Or(flags.Arg(0), "http://127.0.0.1:8080")
	switch {
	case errors.Is(err, flag.ErrHelp):
		show(stdout, usage)
		return exitOK
	case err != nil:
	case flags.NArg() > 1:
		err = fmt.Errorf("health takes one URL, but got %q", flags.Args())
	case !strings.HasPrefix(root, "http://") && !strings.HasPrefix(root, "https://"):
		err = fmt.Errorf("%q is no URL: it must begin with http://", root)
	}
	if err != nil {
		return fail(stderr, fmt.Sprintf("%v\n%s", err, usage), exitUsage)
	}
	address := strings.TrimRight(root, "/") + "/_emulator/health"
	end := time.Now().Add(*wait)
	err = health(ctx, address)
	for ; err != nil && time.Now().Before(end); err = health(ctx, address) {
		time.Sleep(50 * time.Millisecond)
	}
	if err != nil {
		return fail(stderr, err, exitFailure)
	}
	return exitOK
}

// health returns an error unless an emulator responds at the address of its health check: other
// servers respond to any path.
func health(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := new(http.Transport).RoundTrip(request) // does not follow redirects
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }() // all of the body that matters was read
	var says struct{ Status, Version string }
	err = json.NewDecoder(io.LimitReader(response.Body, 1<<10)).Decode(&says)
	if err != nil || response.StatusCode != http.StatusOK || says.Status != "ok" || says.Version == "" {
		return fmt.Errorf("%s responded with %d, not as an emulator does", address, response.StatusCode)
	}
	return nil
}
