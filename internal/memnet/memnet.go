// Package memnet provides an in-memory network for tests under a fake clock.
package memnet

import (
	"context"
	"net"
	"net/http"
	"testing"
)

// Network is an in-memory network: a listener, and a Dial that connects to it whatever the address.
// Without sockets, tests can run under a fake clock (testing/synctest). The connections are not
// TCP: a reset looks like an orderly close.
type Network struct {
	dialled chan net.Conn
	closed  chan struct{}
}

// Serve returns a network that server listens on until the test ends.
func Serve(t testing.TB, server *http.Server) *Network {
	n := &Network{dialled: make(chan net.Conn), closed: make(chan struct{})}
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		_ = server.Serve(n) // ends with Close
	}()
	t.Cleanup(func() {
		_ = server.Close()
		<-stopped
	})
	return n
}

// Dial connects to the listener. The error wraps net.ErrClosed after Close, or is from ctx.
func (n *Network) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	err := net.ErrClosed
	select {
	case n.dialled <- far:
		return near, nil
	case <-n.closed:
	case <-ctx.Done():
		err = ctx.Err()
	}
	return nil, &net.OpError{Op: "dial", Net: "memory", Err: err}
}

// Accept waits for the next Dial. It returns net.ErrClosed after Close.
func (n *Network) Accept() (net.Conn, error) {
	select {
	case conn := <-n.dialled:
		return conn, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

// Close makes Dial and Accept fail.
func (n *Network) Close() error {
	close(n.closed) // http.Server calls Close only once
	return nil
}

// Addr returns a placeholder.
func (n *Network) Addr() net.Addr { return &net.UnixAddr{Name: "memory", Net: "memory"} }
