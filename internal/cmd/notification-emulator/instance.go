package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

// stopTime bounds how long requests may take to end when the server stops.
const stopTime = time.Second

// instance is an emulator that listens.
type instance struct {
	server *http.Server
	root   string // http://HOST:PORT
	// insecure is "true" where the provider refuses plain HTTP unless it is told not to.
	insecure string
	failed   chan error // gets the error that ended the server, if one did
}

func start(ctx context.Context, o options) (*instance, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", o.listen)
	if err != nil {
		return nil, err
	}
	i := &instance{
		server: o.emulator.NewServer(),
		root:   "http://" + reachable(listener.Addr()),
		failed: make(chan error, 1),
	}
	if tcp, ok := listener.Addr().(*net.TCPAddr); ok && !tcp.IP.IsLoopback() && !tcp.IP.IsUnspecified() {
		i.insecure = "true"
	}
	go func() {
		if err := i.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			i.failed <- err
		}
	}()
	return i, nil
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

// variable is one variable of the environment that leads to the emulator.
type variable struct{ name, value string }

// variables are all that a client needs to reach the emulator, the secret last.
func (i *instance) variables(o options) []variable {
	variables := []variable{
		{"NOTIFICATION_EMULATOR_URL", i.root},
		{"NOTIFICATION_AUTH_URL", i.root},
		{"NOTIFICATION_BASE_URL", i.root},
		{"NOTIFICATION_SYSTEM", strings.Join(o.config.Systems[:min(1, len(o.config.Systems))], "")},
		{"NOTIFICATION_NOTIFICATIONS_PATH", strings.TrimPrefix(o.config.NotificationsPath, "/")},
		{"NOTIFICATION_STUDIES_PATH", strings.TrimPrefix(o.config.StudiesPath, "/")},
		{"NOTIFICATION_ALLOW_INSECURE_HTTP", i.insecure},
		{"NOTIFICATION_CLIENT_ID", o.config.ClientID},
		{"NOTIFICATION_CLIENT_SECRET", o.config.ClientSecret},
	}
	return slices.DeleteFunc(variables, func(v variable) bool { return v.value == "" })
}

// reachable is the address that a client on this machine can connect to: one that means every
// interface is no place to go to.
func reachable(address net.Addr) string {
	if tcp, ok := address.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return (&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: tcp.Port}).String()
	}
	return address.String()
}
