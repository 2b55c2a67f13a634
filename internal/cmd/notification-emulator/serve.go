package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"
)

// runServe runs the emulator until a signal arrives or ctx ends.
func runServe(ctx context.Context, args, env []string, stdout, stderr io.Writer) int {
	o, status, done := parseOptions("serve", args, env, stdout, stderr)
	if done {
		return status
	}
	i, err := listen(ctx, o)
	if err == nil && o.envFile != "" {
		err = i.appendTo(o.envFile, o)
	}
	if err != nil {
		return fail(stderr, err, exitFailure)
	}
	ctx, stop := signal.NotifyContext(ctx, append(stopSignals(), os.Interrupt)...)
	defer stop()
	show(stdout, i.exports(o)) // like the file, complete before the emulator responds
	i.serve()
	<-ctx.Done()
	i.stop(ctx)
	show(stderr, "\n"+summary(o.emulator.Ledger()))
	return exitOK
}

// appendTo appends the variables to a file in the format of CI systems.
func (i *instance) appendTo(name string, o options) error {
	//nolint:gosec // the user chooses the file
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600) // it has the secret
	if err != nil {
		return err
	}
	_, err = file.WriteString(strings.Join(i.variables(o), "\n") + "\n")
	return errors.Join(err, file.Close())
}

// exports returns lines for a POSIX shell.
func (i *instance) exports(o options) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# The emulator's web UI is at %s; Ctrl-C stops the emulator.\n", i.root)
	for _, variable := range i.variables(o) {
		name, value, _ := strings.Cut(variable, "=")
		fmt.Fprintf(&b, "export %s='%s'\n", name, strings.ReplaceAll(value, "'", `'\''`))
	}
	return b.String()
}

type instance struct {
	server   *http.Server
	listener net.Listener
	address  netip.AddrPort // that clients connect to
	root     string         // URL
}

// listen returns an instance that accepts connections, but responds only after serve.
func listen(ctx context.Context, o options) (*instance, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", o.listen)
	if err != nil {
		return nil, err
	}
	address := netip.MustParseAddrPort(listener.Addr().String())
	if address.Addr().IsUnspecified() {
		address = netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), address.Port())
	}
	return &instance{o.emulator.NewServer(), listener, address, "http://" + address.String()}, nil
}

func (i *instance) serve() {
	go func() {
		if err := i.server.Serve(i.listener); !errors.Is(err, http.ErrServerClosed) {
			panic(err) // clients can no longer reach the emulator
		}
	}()
}

// stop shuts the server down, gracefully if that takes less than a second. ctx may already be done.
func (i *instance) stop(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := i.server.Shutdown(ctx); err != nil {
		_ = i.server.Close() // the process is about to exit
	}
}

// variables returns all variables that a client needs, as NAME=VALUE, the secret last.
func (i *instance) variables(o options) []string {
	insecure := "" // whether the provider has to accept plain HTTP to another machine
	if !i.address.Addr().IsLoopback() {
		insecure = "true"
	}
	variables := []string{
		// First, because a file without a newline at its end swallows the first line of -env-file:
		// NOTIFICATION_EMULATOR_URL keeps the provider from other addresses.
		"TF_VAR_notification_emulator_url=" + i.root,
		"NOTIFICATION_EMULATOR_URL=" + i.root,
		"NOTIFICATION_AUTH_URL=" + i.root,
		"NOTIFICATION_BASE_URL=" + i.root,
		"NOTIFICATION_TOKEN_PATH=" + strings.TrimPrefix(o.config.TokenPath, "/"),
		"NOTIFICATION_NOTIFICATIONS_PATH=" + strings.TrimPrefix(o.config.NotificationsPath, "/"),
		"NOTIFICATION_STUDIES_PATH=" + strings.TrimPrefix(o.config.StudiesPath, "/"),
		"NOTIFICATION_IDEMPOTENCY_KEY_HEADER=" + o.config.IdempotencyKeyHeader,
		"NOTIFICATION_ALLOW_INSECURE_HTTP=" + insecure,
		"NOTIFICATION_CLIENT_ID=" + o.config.ClientID,
		"NOTIFICATION_CLIENT_SECRET=" + o.config.ClientSecret,
	}
	return slices.DeleteFunc(variables, func(variable string) bool {
		_, value, _ := strings.Cut(variable, "=")
		return value == ""
	})
}
