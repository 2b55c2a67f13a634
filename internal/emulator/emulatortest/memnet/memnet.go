// Package memnet is a network in memory, for tests under a fake clock.
package memnet

import (
	"context"
	"net"
	"net/http"
	"testing"
)

// Network is a network in memory: a listener to serve on, and the Dial that reaches it under every
// address. Without sockets, tests can run under a fake clock (testing/synctest). Its connections
// are not TCP: a reset of one looks like an orderly end.
type Network struct {
	dialled chan net.Conn
	closed  chan struct{}
}

// Serve returns a network on which server serves until the test ends.
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

// Dial connects to whoever accepts. The error is net.ErrClosed after Close, or ctx's.
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

// Accept waits for the next Dial. The error is net.ErrClosed after Close.
func (n *Network) Accept() (net.Conn, error) {
	select {
	case conn := <-n.dialled:
		return conn, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

// Close refuses further connections.
func (n *Network) Close() error {
	close(n.closed) // once: http.Server sees to that
	return nil
}

// Addr is not a real address.
func (n *Network) Addr() net.Addr { return &net.UnixAddr{Name: "memory", Net: "memory"} }
