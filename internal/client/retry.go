package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"

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
	ctx = tflog.MaskLogStrings(ctx, request.Secrets.All()...)
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
		if !retry || request.Number > r.maxRetries || isContextError(attempt.Err) {
			return nil, operationError(op, request, attempt, firstAmbiguous, nil)
		}
		if err := wait(ctx, attempt, request.Number); err != nil {
			return nil, operationError(op, request, attempt, firstAmbiguous, err)
		}
	}
}

// backoff returns how long to wait after so many attempts: it grows exponentially, with jitter.
func backoff(attempts int) time.Duration {
	full := min(firstBackoff<<min(attempts-1, 10), maxBackoff)
	return full/2 + rand.N(full/2) //nolint:gosec // jitter, not cryptography
}

// wait waits for the Retry-After of failed, or else for the backoff. It returns an error if ctx is
// done, or at once if ctx would be done before the next attempt.
func wait(ctx context.Context, failed *wire.Attempt, attempts int) error {
	if ctx.Err() != nil {
		return wire.ContextError(ctx)
	}
	pause, asked := retryAfter(failed.Header, time.Now())
	reason := "the service asked to wait"
	if !asked {
		pause, reason = backoff(attempts), "the next attempt is due in"
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= pause {
		outOfTime := outOfTimeError(fmt.Sprintf("%s %s, with only %s left", reason,
			wire.FormatDuration(pause), wire.FormatDuration(time.Until(deadline))))
		if failed.Err == nil {
			return outOfTime
		}
		return fmt.Errorf("%w; %w", failed.Err, outOfTime)
	}
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		return wire.ContextError(ctx)
	}
}

// operationError returns the error of op, whose last attempt at request was attempt. noRetry is the
// reason why a retryable attempt was not retried, or nil.
func operationError(
	op Operation, request wire.Request, attempt, firstAmbiguous *wire.Attempt, noRetry error,
) *Error {
	tokenError, isTokenError := errors.AsType[*Error](attempt.Err)
	if isTokenError && firstAmbiguous == nil {
		failed := *tokenError // a copy, since other callers share the error
		failed.Key.UserChosen = request.Key.UserChosen
		return &failed
	}
	failed := newError(op, request, attempt, cmp.Or(noRetry, attempt.Err))
	if firstAmbiguous == nil {
		return failed
	}
	if attempt.Err != nil && isContextError(noRetry) {
		// Keep the reason why there was no response, which the cancellation would hide.
		failed.Err = request.Secrets.CleanError(attempt.Err)
		failed.Stopped = request.Secrets.CleanError(noRetry)
	}
	// The outcome of later attempts says nothing about the first ambiguous one.
	failed.Ambiguous = true
	failed.identify(firstAmbiguous, request.Secrets)
	return failed
}

// isContextError reports whether err means that the context of the operation is done.
func isContextError(err error) bool {
	return errors.Is(err, wire.ErrCancelled) || errors.Is(err, wire.ErrTimedOut)
}
