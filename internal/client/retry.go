package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"time"
)

const (
	firstBackoff = 500 * time.Millisecond
	maxBackoff   = 30 * time.Second
)

// verdict is what an attempt came to.
type verdict int

const (
	done    verdict = iota // the service took the request and answered
	refused                // nothing was done with it, and repeating it is no use
	again                  // nothing was done with it, or it does no harm twice
	lost                   // it may have been carried out, and would be again
)

// exchange is one request with its repetitions.
type exchange struct {
	op Operation

	maxRetries int
	secrets    *redactor

	// attempts is the number of the present attempt, from 1. began is when it began,
	// sent when it went on to the network, with its access token.
	attempts    int
	began, sent time.Time

	// answer and verdict are those of the last attempt that ended. answer is nil
	// when there was none.
	answer  *answer
	verdict verdict

	wait time.Duration
}

// begin marks the start of the next attempt.
func (x *exchange) begin() {
	x.began, x.sent = time.Now(), time.Time{}
	x.attempts++
}

type exchangeKey struct{}

// exchangeOf is the exchange that a request belongs to; nil for none.
func exchangeOf(ctx context.Context) *exchange {
	x, _ := ctx.Value(exchangeKey{}).(*exchange)
	return x
}

// prepare is a retryablehttp.PrepareRetry.
func (x *exchange) prepare(*http.Request) error {
	x.begin()
	return nil
}

// check is a retryablehttp.CheckRetry. It reads the answer, and decides about a
// repetition with the time that is left for it in mind: a wait that cannot be
// followed by an attempt is not begun.
func (x *exchange) check(ctx context.Context, resp *http.Response, err error) (bool, error) {
	x.answer = nil
	if err == nil {
		x.answer = read(resp, x.op.limit())
	}
	x.verdict = x.op.judge(x.answer, err)
	if x.verdict != again || x.attempts > x.maxRetries {
		return false, err
	}
	if ctx.Err() != nil {
		return false, ended(ctx)
	}
	x.wait = x.delay()
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) <= x.wait {
		return false, &waitError{wait: x.wait, left: time.Until(deadline), cause: withoutURL(err)}
	}
	return true, nil
}

// backoff is a retryablehttp.Backoff.
func (x *exchange) backoff(_, _ time.Duration, _ int, _ *http.Response) time.Duration {
	return x.wait
}

// delay is what the service asked for, or grows exponentially with jitter.
func (x *exchange) delay() time.Duration {
	if x.answer != nil {
		if wait, ok := retryAfter(x.answer.header, time.Now()); ok {
			return wait
		}
	}
	full := min(firstBackoff<<min(x.attempts-1, 10), maxBackoff)
	return full/2 + rand.N(full/2) //nolint:gosec // jitter, not cryptography
}

// judge holds an attempt against the outcome table. ans is nil when there is
// none, and then err says why.
func (op Operation) judge(ans *answer, err error) verdict {
	if ans == nil {
		return op.judgeError(err)
	}
	switch status := ans.status; {
	case status >= 200 && status <= 299:
		switch {
		case ans.isHTML():
			return refused
		case ans.broken != nil && op.repeatable() && !errors.Is(ans.broken, errTooLarge):
			return again
		case ans.broken != nil && op.repeatable():
			return refused
		}
		return done
	case status == http.StatusRequestTimeout, status == http.StatusTooEarly, status == http.StatusTooManyRequests:
		return again
	case status >= 300 && status <= 499:
		return refused
	case op.repeatable():
		return again
	case status == http.StatusServiceUnavailable:
		// A service that says when to come back has turned the request down.
		// Without that, 503 is also what a proxy says whose upstream broke off.
		if _, ok := retryAfter(ans.header, time.Now()); ok {
			return again
		}
	}
	return lost
}

func (op Operation) judgeError(err error) verdict {
	var noToken *Error
	var transport *transportError
	var caller *endedError
	var proxy *proxyError
	switch {
	case errors.As(err, &noToken):
		return refused // the token has had repetitions of its own
	case !errors.As(err, &transport):
		return refused // a redirect that cannot be followed
	case certificateRefused(err):
		return refused // also when it says so after the request was written
	case transport.written && !op.repeatable():
		return lost
	case refusedByTLS(err), errors.As(err, &proxy) && proxy.final():
		return refused
	case errors.As(err, &caller):
		return refused
	}
	return again
}

// refusedByTLS reports whether the two sides did not accept each other before a
// request was written, which no repetition will change.
func refusedByTLS(err error) bool {
	var untrusted *tls.CertificateVerificationError
	var noTLS tls.RecordHeaderError
	return errors.As(err, &untrusted) || errors.As(err, &noTLS)
}

// certificateRefused reports whether the server did not accept this client's
// certificate, or wants one. In TLS 1.3 it says so after the request was written,
// and has not looked at that.
func certificateRefused(err error) bool {
	var remote *net.OpError
	if !errors.As(err, &remote) || remote.Op != "remote error" {
		return false
	}
	// crypto/tls keeps the alert's type to itself; its text is that of AlertError.
	for _, alert := range certificateAlerts {
		if remote.Err.Error() == alert.Error() {
			return true
		}
	}
	return false
}

// certificateAlerts are about the certificate of the receiver (RFC 8446, section 6.2).
var certificateAlerts = []tls.AlertError{42, 43, 44, 45, 46, 48, 49, 116}

// waitError says that the next attempt would come too late.
type waitError struct {
	wait, left time.Duration
	cause      error
}

func (e *waitError) Error() string {
	text := fmt.Sprintf("the next attempt would be due in %s, but only %s are left for the whole operation",
		e.wait.Round(time.Millisecond), max(e.left, 0).Round(time.Millisecond))
	if e.cause != nil {
		text = e.cause.Error() + "; " + text
	}
	return text
}

func (e *waitError) Unwrap() error { return e.cause }
