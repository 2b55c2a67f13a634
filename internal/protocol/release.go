package protocol

import (
	"context"
	"iter"
	"sync/atomic"
)

// Release returns a server that releases the context of each call when the call ends. The
// framework's registerContext (internal/proto6server/serve.go) keeps the contexts until Terraform
// stops the provider, to cancel them then, and with each context the loggers of the call: some
// 30 kB for a resource. An apply of 1,000 took 140 MB instead of 36 MB. There is no issue about it
// yet.
func Release(server Server) Server {
	return &releaser{Server: server}
}

type releaser struct {
	Server

	// lasting is the context of ConfigureProvider, of which only the values are used.
	lasting atomic.Pointer[context.Context]
}

// release makes a call, and releases its context when the call ends.
func release[Request, Response any](
	ctx context.Context, r *releaser, req Request,
	call func(context.Context, Request) (Response, error),
) (Response, error) {
	ctx, end := r.releasable(ctx)
	defer end()
	return call(ctx, req)
}

// releaseStream makes a call that answers with a stream of items, and releases its context when
// they end: until then the call goes on.
func releaseStream[Request, Stream, Item any](
	ctx context.Context, r *releaser, req Request,
	call func(context.Context, Request) (Stream, error), itemsOf func(Stream) *iter.Seq[Item],
) (Stream, error) {
	ctx, end := r.releasable(ctx)
	stream, err := call(ctx, req)
	if err != nil {
		end()
		return stream, err
	}
	items := *itemsOf(stream)
	*itemsOf(stream) = func(push func(Item) bool) {
		defer end()
		items(push)
	}
	return stream, nil
}

// callContext has the values of a call until the call ends, and then those of lasting.
type callContext struct {
	context.Context //nolint:containedctx // it implements a context

	call    atomic.Pointer[context.Context]
	lasting *atomic.Pointer[context.Context]
}

// releasable returns a context that is cancelled when ctx is. Calling end cancels it too and
// removes its reference to ctx, so that a caller who keeps the context keeps almost no memory. It
// has no deadline, since Terraform's calls have none.
func (r *releaser) releasable(ctx context.Context) (released context.Context, end func()) {
	own, cancel := context.WithCancel(context.Background())
	unwatch := context.AfterFunc(ctx, cancel)
	if ctx.Err() != nil {
		cancel() // AfterFunc would do it in a goroutine, after the call may have begun
	}
	call := &callContext{Context: own, lasting: &r.lasting}
	call.call.Store(&ctx)
	return call, func() {
		unwatch()
		cancel()
		call.call.Store(nil)
	}
}

func (c *callContext) Value(key any) any {
	// Package context looks for the cancellation here. If it did not find it, each child context
	// would need a goroutine.
	if value := c.Context.Value(key); value != nil {
		return value
	}
	values := c.call.Load()
	if values == nil {
		values = c.lasting.Load()
	}
	if values == nil {
		return nil
	}
	return (*values).Value(key)
}
