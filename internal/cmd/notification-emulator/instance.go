package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// stopTime bounds how long requests may take to end when the server stops.
const stopTime = time.Second

// instance is an emulator that listens.
type instance struct {
	server   *http.Server
	listener net.Listener
	root     string // http://HOST:PORT
	// insecure is "true" where the provider refuses plain HTTP unless it is told not to.
	insecure string
	failed   chan error // gets the error that ended the server, if one did
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
		failed:   make(chan error, 1),
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
			i.failed <- err
		}
	}()
}

// stop ends the server: in good order when that is possible in stopTime. It works after the end of
// ctx, too. The error is one that ended the server before.
func (i *instance) stop(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if err := i.server.Shutdown(ctx); err != nil {
		_ = i.server.Close() // there is no harder way to stop it
	}
	select {
	case err := <-i.failed:
		return err
	default:
		return nil
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
