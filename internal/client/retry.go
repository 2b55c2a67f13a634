package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"terraform-provider-notification/internal/client/wire"
)

// DefaultTimeout limits an operation, including all retries and waits, if its context has no
// deadline.
const DefaultTimeout = 5 * time.Minute

const firstBackoff, maxBackoff = 500 * time.Millisecond, 30 * time.Second

// retrier sends requests, and retries them up to maxRetries times.
type retrier struct {
	next       sender
	maxRetries int
	trace      wire.Trace // if zero, each request starts a new trace
}

// sender makes one attempt at a request. If it could not obtain an access token, the attempt's Err
// is an *Error.
type sender interface {
	Send(ctx context.Context, request wire.Request) *wire.Attempt
}

// do sends request, with retries, and returns the accepted attempt. An error is an *Error.
func (r *retrier) do(
	ctx context.Context, op Operation, request wire.Request,
) (*wire.Attempt, error) {
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, DefaultTimeout)
		defer cancel()
	}
	request.Trace = cmp.Or(r.trace, wire.NewTrace())
	hasKey := request.Key.Header != ""
	var firstAmbiguous *wire.Attempt
	for {
		request.Number++
		attempt := r.next.Send(ctx, request)
		outcome := classify(op, hasKey, attempt)
		switch {
		case outcome == accepted:
			return attempt, nil
		case outcome == ambiguous && firstAmbiguous == nil:
			firstAmbiguous = attempt
		}
		retry := outcome == retryable || outcome == ambiguous && hasKey
		if !retry || request.Number > r.maxRetries ||
			attempt.Reason == wire.Cancelled || attempt.Reason == wire.TimedOut {
			return nil, operationError(op, request, attempt, firstAmbiguous, nil)
		}
		if stop := wait(ctx, attempt, request.Number); stop != nil {
			return nil, operationError(op, request, attempt, firstAmbiguous, stop)
		}
	}
}

// backoff returns how long to wait after so many attempts: it grows exponentially, with jitter.
func backoff(attempts int) time.Duration {
	full := min(firstBackoff<<min(attempts-1, 10), maxBackoff)
	return full/2 + rand.N(full/2) //nolint:gosec // jitter, not cryptography
}

// stopError is the reason why a retryable attempt was not retried.
type stopError struct {
	error

	reason wire.Reason // Cancelled, TimedOut or OutOfTime
}

func stoppedBy(ctx context.Context) *stopError {
	err := wire.ContextError(ctx)
	return &stopError{err, wire.ReasonOf(err)}
}

// wait waits for the Retry-After of failed, or else for the backoff. It returns an error if ctx is
// done, or at once if ctx would be done before the next attempt.
func wait(ctx context.Context, failed *wire.Attempt, attempts int) *stopError {
	if ctx.Err() != nil {
		return stoppedBy(ctx)
	}
	pause, asked := retryAfter(failed.Header, time.Now())
	why := "the service asked to wait"
	if !asked {
		pause, why = backoff(attempts), "the next attempt is due in"
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= pause {
		err := fmt.Errorf("%s %s, with only %s left", why, readable(pause),
			readable(time.Until(deadline)))
		return &stopError{err, wire.OutOfTime}
	}
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		return stoppedBy(ctx)
	}
}

// readable rounds d for display.
func readable(d time.Duration) time.Duration {
	switch {
	case d >= 10*time.Second:
		return d.Round(time.Second)
	case d >= 10*time.Millisecond:
		return d.Round(10 * time.Millisecond)
	}
	return d
}

// operationError returns the error of op, whose last attempt at request was attempt. stop is the
// reason why it was not retried, or nil.
func operationError(
	op Operation, request wire.Request, attempt, firstAmbiguous *wire.Attempt, stop *stopError,
) *Error {
	tokenError, isTokenError := errors.AsType[*Error](attempt.Err)
	if isTokenError && firstAmbiguous == nil {
		failed := *tokenError // a copy, since other callers share the error
		failed.Key.UserChosen = request.Key.UserChosen
		return &failed
	}
	failed := newError(op, request, attempt, explain(attempt.Err, stop, firstAmbiguous != nil))
	if stop != nil {
		failed.Stopped = stop.reason
	}
	if firstAmbiguous != nil {
		// The outcome of later attempts says nothing about the first ambiguous one.
		failed.Ambiguous = true
		failed.identify(firstAmbiguous, request.Secrets)
	}
	return failed
}

// explain returns why there was no response and no retry. Either reason may be nil. A cancellation
// hides why there was no response, unless the outcome is unknown.
func explain(noResponse error, stop *stopError, ambiguous bool) error {
	switch {
	case stop == nil:
		return noResponse
	case noResponse != nil && stop.reason == wire.OutOfTime:
		return fmt.Errorf("%w; %w", noResponse, stop)
	case noResponse != nil && ambiguous:
		return fmt.Errorf("%w; no further attempt: %w", noResponse, stop)
	}
	return stop
}
