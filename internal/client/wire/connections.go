package wire

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
)

// connections are those to all servers. A server may close an idle connection without having said
// so, and never see the next request on it. Once that has happened, each request to it has a
// connection of its own.
type connections struct {
	base   *http.Transport // keeps connections for further requests
	single *http.Transport // closes each after one request
	hosts  sync.Map        // *host by its origin
}

// host is one origin. It bounds the requests to it that are under way, and with them the
// connections: base and single each have a limit of their own.
type host struct {
	*connections

	slots  chan struct{} // one for each request under way
	closes atomic.Bool   // whether it has closed an idle connection without having said so
}

func (c *connections) host(origin string) *host {
	empty := &host{connections: c, slots: make(chan struct{}, maxConns)}
	kept, _ := c.hosts.LoadOrStore(origin, empty)
	return kept.(*host) //nolint:forcetypeassert // nothing else is stored
}

// take waits until another request to the host may begin, and returns what sends it. The request
// ends with release.
func (h *host) take(ctx context.Context) (*http.Transport, error) {
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if h.closes.Load() {
		return h.single, nil
	}
	return h.base, nil
}

func (h *host) release() {
	if h.closes.Load() {
		h.base.CloseIdleConnections() // of all hosts; the others open new ones
	}
	<-h.slots
}
