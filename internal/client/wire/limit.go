package wire

import (
	"context"
	"fmt"
	"net/http/httptrace"
	"time"
)

// The events of an attempt, in their order:
//
//	limitTime             starts the timer: Timeout to get a connection (dial, proxy, TLS), and no
//	                      longer than until the request's Latest
//	GotConn               restarts it: Timeout until the body is read. From here on the server may
//	                      get the request
//	RoundTrip             returns a response or an error
//	read                  reads the body
//	release               stops the timer
//
// GotConn comes again if a lookup is redirected, or if net/http replaces a pooled connection.
//
// The timer ends the attempt at any point, and so does the end of the caller's context. Only a
// request that must not be repeated then gets 6 more seconds for its response, if it has a
// connection, within the timer and the caller's deadline.

// maxGrace is how long a request that must not be repeated waits for its response once it is
// cancelled.
const maxGrace = 6 * time.Second

// limitTime returns the context of one attempt, which has the values of caller, is limited in time,
// and updates tracker. release stops the timer, and no longer watches caller.
func (t *Transport) limitTime(
	caller context.Context, r Request, tracker *connTracker,
) (limited context.Context, release func()) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(caller))
	toConnect := t.timeout
	if !r.Latest.IsZero() {
		toConnect = min(toConnect, time.Until(r.Latest))
	}
	timer := time.AfterFunc(toConnect, func() {
		if toConnect < t.timeout && !tracker.connected() {
			cancel(errTooLate)
		}
		cancel(fmt.Errorf("%w (%s)", ErrAttemptTimeout, t.timeout)) // the first cause counts
	})
	unwatch := context.AfterFunc(caller, func() {
		var grace time.Duration
		if !r.MayRepeat && tracker.connected() {
			grace = maxGrace
		}
		if deadline, ok := caller.Deadline(); ok {
			grace = min(grace, time.Until(deadline))
		}
		time.AfterFunc(grace, func() { cancel(ContextError(caller)) })
	})
	hooks := tracker.hooks(func() { timer.Reset(t.timeout) })
	return httptrace.WithClientTrace(ctx, hooks), func() {
		unwatch()
		timer.Stop()
		cancel(nil)
	}
}
