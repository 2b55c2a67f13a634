package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// DefaultTimeout limits an operation, including all retries and waits, if its context has no
// deadline.
const DefaultTimeout = 5 * time.Minute

const firstBackoff, maxBackoff = 500 * time.Millisecond, 30 * time.Second

// retrier sends requests, and retries them up to maxRetries times.
type retrier struct {
	maxRetries int
	trace      wire.Trace // if zero, each request starts a new trace

	// uncounted429 reports whether a 429 that asks for a wait of a second or more does not count: of
	// many submissions at once, a slow service refuses most again and again. There is only one token
	// request at a time.
	uncounted429 bool

	// reserve is kept for the response to a request that must not be repeated, or a tenth of the whole
	// time if that is less: if the end of the time cuts it off, its outcome is unknown.
	reserve time.Duration
}

// sender makes one attempt at a request. If it could not obtain an access token, the attempt's Err
// is an *Error.
type sender interface {
	Send(ctx context.Context, request wire.Request) *wire.Attempt
}

// do sends request through next, with retries, and returns the accepted attempt, and the first
// ambiguous one before it, if any; or else why it failed.
func (r *retrier) do(
	ctx context.Context, next sender, request wire.Request,
) (attempt, firstAmbiguous *wire.Attempt, failed *failure) {
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, DefaultTimeout)
		defer cancel()
	}
	request.Trace = cmp.Or(r.trace, wire.NewTrace())
	latest, _ := ctx.Deadline()
	if !request.MayRepeat {
		latest = latest.Add(-min(r.reserve, time.Until(latest)/10))
		request.Latest = latest
	}
	var answered *wire.Attempt // the last one that got a response
	var answeredReason Reason
	onlySignIn, counted := true, 0 // attempts that count
	for {
		request.Number++
		attempt := next.Send(ctx, request)
		outcome, reason := judge(request, attempt)
		if outcome == accepted {
			return attempt, firstAmbiguous, nil
		}
		if attempt.Status != 0 {
			answered, answeredReason = attempt, reason
		}
		if outcome == ambiguous {
			firstAmbiguous = cmp.Or(firstAmbiguous, attempt)
			onlySignIn = onlySignIn && (reason == HTMLPage || attempt.Status == http.StatusFound)
		}
		asked := retryAfter(attempt.Header, time.Now())
		isUncounted := r.uncounted429 && r.maxRetries > 0 && asked > 0 &&
			attempt.Status == http.StatusTooManyRequests
		if !isUncounted {
			counted++
		}
		mayRetry := reason != Cancelled && reason != TimedOut &&
			(outcome == retryable || outcome == ambiguous && request.Key.Header != "")
		var stopped error
		if mayRetry && (isUncounted || counted <= r.maxRetries) {
			pause, jitter := backoff(max(counted, 1)), time.Duration(0)
			if isUncounted { // requests that were refused together should not return together
				jitter = rand.N(pause) //nolint:gosec // jitter, not cryptography
			}
			if stopped = wait(ctx, latest, pause, asked, jitter); stopped == nil {
				continue
			}
		}
		if !attempt.Sent && answered != nil { // an earlier one has more to tell
			last := *answered
			last.Number, stopped = attempt.Number, joinStop(attempt.Err, stopped)
			attempt, reason = &last, cmp.Or(answeredReason, reason)
		}
		return nil, nil, &failure{
			last: attempt, firstAmbiguous: firstAmbiguous, reason: reason,
			onlySignIn: onlySignIn && firstAmbiguous != nil, gaveUp: mayRetry, stopped: stopped,
		}
	}
}

// backoff returns how long to wait after the given number of attempts: it grows exponentially, with
// jitter.
func backoff(attempts int) time.Duration {
	full := min(firstBackoff<<min(attempts-1, 10), maxBackoff)
	return full/2 + rand.N(full/2) //nolint:gosec // jitter, not cryptography
}

// wait waits for the longer of backoff and what the service asked for, and then for jitter if the
// time allows that. It returns an error of wire if ctx is done, or another one at once if the next
// attempt would begin after latest.
func wait(ctx context.Context, latest time.Time, backoff, asked, jitter time.Duration) error {
	if ctx.Err() != nil {
		return wire.ContextError(ctx)
	}
	pause, left := max(backoff, asked), time.Until(latest)
	switch {
	case left <= pause && asked >= backoff && left >= time.Second:
		return fmt.Errorf("the service asked to wait %s, with only %s left to begin another attempt",
			asked, left.Truncate(time.Second))
	case left <= pause:
		return errors.New("too little time is left for another attempt")
	case left > pause+jitter:
		pause += jitter
	}
	select {
	case <-time.After(pause):
		return nil
	case <-ctx.Done():
		return wire.ContextError(ctx)
	}
}
