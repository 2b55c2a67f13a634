package protocol

import (
	"context"
	"sync/atomic"
)

// contexts are those of the calls to a server. The framework's registerContext
// (internal/proto6server/serve.go) keeps the context of every call until Terraform stops the
// provider, to cancel it then, and with the context the loggers of the call: some 30 kB for a
// resource. An apply of 1,000 took 140 MB instead of 36 MB.
type contexts struct {
	// lasting is the context of ConfigureProvider without its cancellation.
	lasting atomic.Pointer[context.Context]
}

// outlive makes the values of ctx those of each call that has ended: what outlives a call, such as
// the early refresh of a token, still has a logger.
func (c *contexts) outlive(ctx context.Context) {
	lasting := context.WithoutCancel(ctx)
	c.lasting.Store(&lasting)
}

// releasing makes a call, and releases its context when the call ends.
func releasing[Request, Response any](
	ctx context.Context, c *contexts, req Request,
	call func(context.Context, Request) (Response, error),
) (Response, error) {
	ctx, end := c.releasable(ctx)
	defer end()
	return call(ctx, req)
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
func (c *contexts) releasable(ctx context.Context) (released context.Context, end func()) {
	own, cancel := context.WithCancel(context.Background())
	unwatch := context.AfterFunc(ctx, cancel)
	if ctx.Err() != nil {
		cancel() // AfterFunc would do it in a goroutine, after the call may have begun
	}
	call := &callContext{Context: own, lasting: &c.lasting}
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
