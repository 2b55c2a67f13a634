package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"time"
)

// runServe runs the emulator until a signal comes or ctx ends.
func runServe(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, status, done := parseOptions("serve", args, stdout, stderr)
	if done {
		return status
	}
	i, err := listen(ctx, o)
	if err == nil && o.envFile != "" {
		err = i.appendTo(o.envFile, o)
	}
	if err != nil {
		printError(stderr, err)
		return exitFailure
	}
	ctx, stop := signal.NotifyContext(ctx, append(stopSignals(), os.Interrupt)...)
	defer stop()
	show(stdout, i.exports(o)) // complete when it responds, as the file is
	i.serve()
	<-ctx.Done()
	stop() // a second signal ends the process at once
	i.stop(ctx)
	show(stderr, "\n"+summary(o.emulator.Ledger()))
	return exitOK
}

// appendTo appends to a file what a CI system takes for variables. Only its owner can read a new
// one: it holds the secret.
func (i *instance) appendTo(name string, o options) error {
	//nolint:gosec // the user says where
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	lines := strings.Join(i.variables(o), "\n") + "\n"
	if info, _ := file.Stat(); info != nil && info.Mode().IsRegular() {
		before, _ := os.ReadFile(name) //nolint:gosec // as above
		if len(before) > 0 && !bytes.HasSuffix(before, []byte("\n")) {
			lines = "\n" + lines
		}
	}
	_, err = file.WriteString(lines)
	return errors.Join(err, file.Close())
}

// exports are lines for a POSIX shell.
func (i *instance) exports(o options) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# The emulator shows what arrives at %s; Ctrl-C stops it.\n", i.root)
	for _, variable := range i.variables(o) {
		name, value, _ := strings.Cut(variable, "=")
		fmt.Fprintf(&b, "export %s='%s'\n", name, strings.ReplaceAll(value, "'", `'\''`))
	}
	return b.String()
}

// instance is an emulator that listens.
type instance struct {
	server   *http.Server
	listener net.Listener
	root     string // http://HOST:PORT
	// insecure is "true" where the provider refuses plain HTTP unless it is told not to.
	insecure string
}

// listen returns an instance that takes connections, and responds from serve on.
func listen(ctx context.Context, o options) (*instance, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", o.listen)
	if err != nil {
		return nil, err
	}
	i := &instance{
		server:   o.emulator.NewServer(),
		listener: listener,
		root:     "http://" + listener.Addr().String(),
	}
	switch tcp, ok := listener.Addr().(*net.TCPAddr); {
	case ok && tcp.IP.IsUnspecified(): // means every interface, and is not a place to go to
		i.root = "http://127.0.0.1:" + strconv.Itoa(tcp.Port)
	case ok && !tcp.IP.IsLoopback():
		i.insecure = "true"
	}
	return i, nil
}

func (i *instance) serve() {
	go func() {
		if err := i.server.Serve(i.listener); !errors.Is(err, http.ErrServerClosed) {
			panic(err) // nobody can reach the emulator any more
		}
	}()
}

// stop ends the server: in good order when that is possible in a second. It works after the end of
// ctx, too.
func (i *instance) stop(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := i.server.Shutdown(ctx); err != nil {
		_ = i.server.Close() // there is no harder way to stop it
	}
}

// variables are all that a client needs to reach the emulator, as NAME=VALUE, the secret last.
func (i *instance) variables(o options) []string {
	variables := []string{
		"NOTIFICATION_EMULATOR_URL=" + i.root,
		"TF_VAR_notification_emulator_url=" + i.root, // assertions of `terraform test` see no others
		"NOTIFICATION_AUTH_URL=" + i.root,
		"NOTIFICATION_BASE_URL=" + i.root,
		"NOTIFICATION_SYSTEM=" + strings.Join(o.config.Systems[:min(1, len(o.config.Systems))], ""),
		"NOTIFICATION_NOTIFICATIONS_PATH=" + strings.TrimPrefix(o.config.NotificationsPath, "/"),
		"NOTIFICATION_STUDIES_PATH=" + strings.TrimPrefix(o.config.StudiesPath, "/"),
		"NOTIFICATION_IDEMPOTENCY_KEY_HEADER=" + o.config.IdempotencyKeyHeader,
		"NOTIFICATION_ALLOW_INSECURE_HTTP=" + i.insecure,
		"NOTIFICATION_CLIENT_ID=" + o.config.ClientID,
		"NOTIFICATION_CLIENT_SECRET=" + o.config.ClientSecret,
	}
	return slices.DeleteFunc(variables, func(variable string) bool {
		_, value, _ := strings.Cut(variable, "=")
		return value == ""
	})
}
