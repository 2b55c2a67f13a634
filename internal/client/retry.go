package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
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

// sender makes one attempt at a request. The attempt's Err is an *Error when there was no access
// token for it.
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
	hasKey := request.Key.Header != "" // when the service gets the submission again
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

// backoff grows exponentially with the number of attempts, with jitter.
func backoff(attempts int) time.Duration {
	full := min(firstBackoff<<min(attempts-1, 10), maxBackoff)
	return full/2 + rand.N(full/2) //nolint:gosec // jitter, not cryptography
}

// wait waits after failed, as long as its response asked for, or else by backoff. An error says why
// there is no next attempt: ctx is done, or would be after the wait, which then does not begin.
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

// longestRetryAfter, beyond any deadline, keeps absurd numbers of seconds from overflowing.
const longestRetryAfter = 365 * 24 * time.Hour

// retryAfter reads the Retry-After field (RFC 9110, section 10.2.3), a number of seconds or a date;
// a date that has passed is not a wait. ok is false without the field and with one that is neither.
func retryAfter(header http.Header, now time.Time) (wait time.Duration, ok bool) {
	value := strings.TrimSpace(header.Get("Retry-After"))
	seconds, err := strconv.ParseUint(value, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) { // and seconds is the largest there is
		seconds = min(seconds, uint64(longestRetryAfter.Seconds()))
		return time.Duration(seconds) * time.Second, true //nolint:gosec // at most a year
	}
	date, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	return min(max(date.Sub(now), 0), longestRetryAfter), true
}

// operationError is the error of op, which ended with attempt, the last at request. noRetry is why
// that was not retried although it could have been; nil where it could not.
func operationError(
	op Operation, request wire.Request, attempt, firstAmbiguous *wire.Attempt, noRetry error,
) *Error {
	tokenError, noToken := errors.AsType[*Error](attempt.Err)
	if noToken && firstAmbiguous == nil {
		failed := *tokenError // which others share
		failed.Key.Own = request.Key.Own
		return &failed
	}
	failed := newError(op, request, attempt, cmp.Or(noRetry, attempt.Err))
	if firstAmbiguous == nil {
		return failed
	}
	if attempt.Err != nil && isContextError(noRetry) {
		// Whoever cancels still needs to know why there was no answer.
		failed.Err = request.Secrets.CleanError(attempt.Err)
		failed.Stopped = request.Secrets.CleanError(noRetry)
	}
	// What became of later attempts does not tell what became of the first ambiguous one.
	failed.Ambiguous = true
	failed.identify(firstAmbiguous, request.Secrets)
	return failed
}

// isContextError reports whether err says that the context of an operation was done.
func isContextError(err error) bool {
	return errors.Is(err, wire.ErrCancelled) || errors.Is(err, wire.ErrTimedOut)
}
