package wire

import (
	"context"
	"fmt"
	"net/http/httptrace"
	"time"
)

// The events of an attempt, in their order:
//
//	Send                  waits for a slot, which counts towards no limit of the attempt
//	limitTime             starts the timer: Timeout to get a connection (dial, proxy, TLS)
//	GotConn               restarts it: Timeout until the body is read. Bytes that the connection
//	                      takes from here on belong to the request
//	  countingConn.Write  counts them when the system begins to take them; if it fails, it returns
//	                      when reading has failed, too
//	  WroteRequest        net/http has written the request, though perhaps only to its buffer
//	  GotFirstResponseByte
//	RoundTrip returns     with an error: net/http has stopped writing, so written is final;
//	                      with a response: WroteRequest may still follow
//	read                  reads the body
//	release               stops the timer
//
// GotConn and what follows it come again if a lookup is redirected, or if net/http replaces a
// pooled connection to which it has written nothing. Two goroutines of net/http write and read, so
// GotFirstResponseByte may precede WroteRequest.
//
// The timer ends the attempt at any point, and so does the end of the caller's context. Only a
// submission that has a connection then gets 6 more seconds for its response, within the timer and
// the caller's deadline.

// maxGrace is how long a cancelled submission waits for its response.
const maxGrace = 6 * time.Second

// limitTime returns the context of one attempt, which has the values of caller, is limited in time,
// and updates tracker. release stops the timer, and no longer watches caller.
func (t *Transport) limitTime(
	caller context.Context, submission bool, tracker *writeTracker,
) (limited context.Context, release func()) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(caller))
	timer := time.AfterFunc(t.timeout, func() {
		cancel(fmt.Errorf("%w (%s)", ErrAttemptTimeout, t.timeout))
	})
	unwatch := context.AfterFunc(caller, func() {
		var grace time.Duration
		if submission && tracker.connected() {
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
