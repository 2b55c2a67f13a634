package protocol

import (
	"context"
	"sync/atomic"
)

// release makes a call, and releases its context when the call ends. The framework's
// registerContext (internal/proto6server/serve.go) keeps each context until Terraform stops the
// provider, to cancel it then. A context holds the loggers of the call, some 30 kB for a resource:
// an apply of 1,000 took 234 MB instead of 52 MB.
func release[Request, Response any](
	ctx context.Context, req Request, call func(context.Context, Request) (Response, error),
) (Response, error) {
	ctx, end := releasable(ctx)
	defer end()
	return call(ctx, req)
}

// callContext has the values of a call until the call ends, and none after that. Whatever outlives
// the call, such as a token request that others wait for, can then no longer log.
type callContext struct {
	context.Context //nolint:containedctx // it implements a context, cancelled with the call

	call atomic.Pointer[context.Context]
}

// releasable returns a context that is cancelled when ctx is. Calling end cancels it too and removes
// its reference to ctx, so that a caller who keeps the context keeps almost no memory. It has no
// deadline, since Terraform's calls have none.
func releasable(ctx context.Context) (released context.Context, end func()) {
	own, cancel := context.WithCancel(context.Background())
	unwatch := context.AfterFunc(ctx, cancel)
	if ctx.Err() != nil {
		cancel() // AfterFunc would do it in a goroutine, after the call may have begun
	}
	call := &callContext{Context: own}
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
	if call := c.call.Load(); call != nil {
		return (*call).Value(key)
	}
	return nil
}
