package client

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"time"
)

// connections keeps net/http from opening more connections than there are
// requests to use them. By itself http.Transport dials for every request that
// finds no idle connection, and goes on dialling after the request has got one
// that another request gave back: with the handshakes of TLS that opens a
// multiple of what a run needs.
type connections struct {
	transport *http.Transport

	mu    sync.Mutex
	hosts map[string]*hostUse
}

// hostUse counts what concerns one origin. Connections to different origins
// cannot stand in for one another.
type hostUse struct {
	mu       sync.Mutex
	requests int           // under way
	open     int           // connections, those being dialled included
	waiting  int           // dials that wait for the numbers to change
	changed  chan struct{} // closed and replaced when they do
}

// demand is one request's wish for a connection, or for another one where
// net/http replaces one that it had not written to.
type demand struct {
	host *hostUse

	mu    sync.Mutex
	met   chan struct{} // closed when the request has a connection, or needs none any more
	dials []func()      // end the dials for it, and the counting of their connections
}

// want says that the request needs a connection.
func (d *demand) want() {
	d.meet()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.met = make(chan struct{})
}

// meet says that the request needs none.
func (d *demand) meet() {
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case <-d.met:
	default:
		close(d.met)
	}
}

func (d *demand) whenMet() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.met
}

type demandKey struct{}

// limited puts a limit on t's connections.
func limited(t *http.Transport) *connections {
	c := &connections{transport: t, hosts: make(map[string]*hostUse)}
	t.DialContext = dialWhenNeeded(t.DialContext)
	return c
}

func (c *connections) RoundTrip(req *http.Request) (*http.Response, error) {
	d := &demand{host: c.host(req), met: make(chan struct{})}
	defer d.meet()
	d.host.add(1, 0)
	ctx := context.WithValue(req.Context(), demandKey{}, d)
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GetConn: func(string) { d.want() },
		GotConn: func(info httptrace.GotConnInfo) {
			if conn := underlying(info.Conn); conn != nil {
				conn.used.Store(true)
			}
			d.meet()
		},
	})
	resp, err := c.transport.RoundTrip(req.WithContext(ctx))
	if err != nil {
		d.abandon()
		d.host.add(-1, 0)
		return nil, err
	}
	resp.Body = &usingBody{ReadCloser: resp.Body, done: sync.OnceFunc(func() { d.host.add(-1, 0) })}
	return resp, nil
}

// host is where the use of connections for req counts. Requests without TLS to any
// origin share the connections to their proxy.
func (c *connections) host(req *http.Request) *hostUse {
	key := origin(req.URL)
	if req.URL.Scheme == "http" {
		if proxy, err := c.transport.Proxy(req); err == nil && proxy != nil && strings.HasPrefix(proxy.Scheme, "http") {
			key = "proxy " + origin(proxy)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hosts[key] == nil {
		c.hosts[key] = &hostUse{changed: make(chan struct{})}
	}
	return c.hosts[key]
}

func (h *hostUse) add(requests, open int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.requests += requests
	h.open += open
	if h.waiting > 0 {
		close(h.changed)
		h.changed = make(chan struct{})
	}
}

// errNotNeeded ends a dial whose request has got another connection; net/http
// tells nobody.
var errNotNeeded = errors.New("the connection is not needed any more")

// take waits until there are more requests than connections and counts one more
// connection. There is no deadlock: until then each connection is used by another
// request, which will give it back, or is being dialled.
func (h *hostUse) take(ctx context.Context, d *demand) error {
	met := d.whenMet()
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.open >= h.requests {
		changed := h.changed
		h.waiting++
		h.mu.Unlock()
		var err error
		select {
		case <-changed:
		case <-met:
			err = errNotNeeded
		case <-ctx.Done():
			err = ctx.Err()
		}
		h.mu.Lock()
		h.waiting--
		if err != nil {
			return err
		}
	}
	h.open++
	return nil
}

// dialling says how to stop a dial for d.
func (d *demand) dialling(stop func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dials = append(d.dials, stop)
}

// abandon stops the dial for a request that has failed. net/http would go on with
// it; it may hang, and must not keep a repetition from dialling.
func (d *demand) abandon() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, stop := range d.dials {
		stop()
	}
}

// superfluousDial is how long a dial, or a handshake, may go on and count whose
// request has got another connection: a server at hand answers by then.
const superfluousDial = time.Second

// dialWhenNeeded makes dial wait until another connection is needed, and count
// the connections.
func dialWhenNeeded(dial func(context.Context, string, string) (net.Conn, error)) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		d, ok := ctx.Value(demandKey{}).(*demand)
		if !ok {
			return nil, errors.New("a connection that no request asked for") // only requests dial
		}
		if err := d.host.take(ctx, d); err != nil {
			return nil, err
		}
		release := sync.OnceFunc(func() { d.host.add(0, -1) })
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		d.dialling(func() {
			cancel()
			release()
		})
		counted := &countingConn{release: release}
		met := d.whenMet()
		go func() {
			<-met
			time.AfterFunc(superfluousDial, func() {
				if !counted.used.Load() {
					cancel()
					release()
				}
			})
		}()
		var err error
		if counted.Conn, err = dial(ctx, network, address); err != nil {
			release()
			return nil, err
		}
		return counted, nil
	}
}

// usingBody counts its request as under way until it is closed.
type usingBody struct {
	io.ReadCloser

	done func()
}

func (b *usingBody) Close() error {
	err := b.ReadCloser.Close()
	b.done()
	return err
}
