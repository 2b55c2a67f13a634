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

// DefaultTimeout bounds an operation, every retry and wait included, when its context has no
// deadline of its own.
const DefaultTimeout = 5 * time.Minute

const firstBackoff, maxBackoff = 500 * time.Millisecond, 30 * time.Second

// retrier sends requests until they succeed, fail for good, or run out of retries or time.
type retrier struct {
	next       sender
	maxRetries int
	trace      wire.Trace // zero for a new one with each request
}

// sender makes one attempt at a request. Its Err is an *Error when there was no access token for it.
type sender interface {
	Send(ctx context.Context, request wire.Request) *wire.Attempt
}

// do makes attempts at request until one is accepted or none should follow. An error is an *Error.
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
	recognised := request.Key.Header != "" // if the service gets it again
	var doubt *wire.Attempt                // the first whose outcome is not known
	for {
		request.Number++
		attempt := r.next.Send(ctx, request)
		outcome := classify(op, recognised, attempt)
		switch {
		case outcome == accepted:
			return attempt, nil
		case outcome == ambiguous && doubt == nil:
			doubt = attempt
		}
		again := outcome == retryable || outcome == ambiguous && recognised
		var stopped error
		if again && request.Number <= r.maxRetries {
			stopped = pause(ctx, attempt, request.Number)
			if stopped == nil {
				continue
			}
		}
		return nil, lastError(op, request, attempt, doubt, stopped)
	}
}

// backoff grows exponentially with the number of attempts, with jitter.
func backoff(attempts int) time.Duration {
	full := min(firstBackoff<<min(attempts-1, 10), maxBackoff)
	return full/2 + rand.N(full/2) //nolint:gosec // jitter, not cryptography
}

// pause waits after failed, as long as the service asked for in its response or else by backoff. It
// does not wait if no time would be left for another attempt. The error then says so, after why
// there was no response.
func pause(ctx context.Context, failed *wire.Attempt, attempts int) error {
	if ctx.Err() != nil {
		return wire.ContextError(ctx)
	}
	wait, asked := retryAfter(failed.Header, time.Now())
	reason := "the service asked to wait"
	if !asked {
		wait, reason = backoff(attempts), "the next attempt is due in"
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= wait {
		late := outOfTimeError(fmt.Sprintf("%s %s, with only %s left", reason, wire.InWords(wait),
			wire.InWords(time.Until(deadline))))
		if failed.Err == nil {
			return late
		}
		return fmt.Errorf("%w; %w", failed.Err, late)
	}
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return wire.ContextError(ctx)
	}
}

// lastError is how op ended: with attempt, the last at request, and because of stopped where another
// was due. Once an attempt was in doubt, nothing but an acceptance ends that.
func lastError(
	op Operation, request wire.Request, attempt, doubt *wire.Attempt, stopped error,
) *Error {
	if noToken, ok := errors.AsType[*Error](attempt.Err); ok && doubt == nil {
		return noToken
	}
	err := cmp.Or(stopped, attempt.Err)
	// The end of the run must not hide what left the last attempt in doubt.
	ended := doubt != nil && attempt.Err != nil && !givenUp(attempt.Err) && givenUp(stopped)
	if ended {
		err = attempt.Err
	}
	failed := newError(op, request, attempt, err)
	if ended {
		failed.Stopped = request.Secrets.CleanError(stopped)
	}
	if doubt != nil {
		failed.Ambiguous = true
		failed.identify(doubt, request.Secrets)
	}
	return failed
}

// givenUp reports whether an operation ended because of its caller or its time.
func givenUp(err error) bool {
	return errors.Is(err, wire.ErrCancelled) || errors.Is(err, wire.ErrTimedOut)
}
