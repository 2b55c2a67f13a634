package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"
)

// submissionGrace is how long a submission that is on the wire may still wait
// for its answer after its caller was cancelled. Without the answer there would
// be no id to remember.
const submissionGrace = 10 * time.Second

var errAttemptTimeout = errors.New("no complete answer within the time limit of one attempt")

// endedError says that an operation ended because its caller gave up or because
// its time was used up. Errors of the network that call themselves timeouts are
// none of these.
type endedError struct {
	cancelled bool
}

func (e *endedError) Error() string {
	if e.cancelled {
		return "the operation was cancelled"
	}
	return "the time for the whole operation was used up"
}

// ended is why ctx, which is done, is done.
func ended(ctx context.Context) error {
	return &endedError{cancelled: !errors.Is(ctx.Err(), context.DeadlineExceeded)}
}

// transportError is why an attempt got no answer, and whether the request may
// have been written all the same.
type transportError struct {
	err     error
	written bool
}

func (e *transportError) Error() string { return e.err.Error() }
func (e *transportError) Unwrap() error { return e.err }

// attemptTransport bounds one attempt in time, decides what the caller's
// cancellation means for it, and knows whether it was written.
type attemptTransport struct {
	base    http.RoundTripper
	timeout time.Duration

	// grace is what a submission gets; requests that are safe to repeat get none.
	grace time.Duration
}

func (t *attemptTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	caller := req.Context()
	if caller.Err() != nil {
		closeBody(req.Body)
		return nil, &transportError{err: ended(caller)}
	}
	if x := exchangeOf(caller); x != nil {
		x.sent = time.Now()
	}

	watch := new(writeWatch)
	ctx, end := t.bound(caller, req.Method, watch)
	resp, err := t.base.RoundTrip(req.WithContext(httptrace.WithClientTrace(ctx, watch.trace())))
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		} else {
			err = explain(err, watch.written())
		}
		end()
		return nil, &transportError{err: err, written: watch.written()}
	}
	tame(resp)
	resp.Body = &attemptBody{ReadCloser: resp.Body, ctx: ctx, end: end}
	return resp, nil
}

// bound returns the context of one attempt. It ends with the attempt's timeout
// and with the caller's deadline; with the caller's cancellation too, at once or,
// for a submission that has got its connection, after the grace.
func (t *attemptTransport) bound(caller context.Context, method string, watch *writeWatch) (context.Context, func()) {
	detached := context.WithoutCancel(caller)
	limit := time.Now().Add(t.timeout)
	cause := fmt.Errorf("%w (%s)", errAttemptTimeout, t.timeout)
	if deadline, ok := caller.Deadline(); ok && deadline.Before(limit) {
		limit, cause = deadline, &endedError{}
	}
	timed, release := context.WithDeadlineCause(detached, limit, cause)
	ctx, cancel := context.WithCancelCause(timed)

	var mu sync.Mutex
	var timer *time.Timer
	unwatch := context.AfterFunc(caller, func() {
		grace := t.grace > 0 && method != http.MethodGet && watch.connected.Load()
		if !grace || errors.Is(caller.Err(), context.DeadlineExceeded) {
			cancel(ended(caller))
			return
		}
		mu.Lock()
		defer mu.Unlock()
		timer = time.AfterFunc(t.grace, func() { cancel(ended(caller)) })
	})
	end := func() {
		unwatch()
		mu.Lock()
		defer mu.Unlock()
		if timer != nil {
			timer.Stop()
		}
		cancel(nil)
		release()
	}
	return ctx, end
}

// attemptBody keeps the attempt's bounds until the answer is read.
type attemptBody struct {
	io.ReadCloser

	ctx context.Context //nolint:containedctx // ends with the body, as the body of net/http does
	end func()
}

func (b *attemptBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		if cause := context.Cause(b.ctx); cause != nil {
			err = cause
		}
		err = &transportError{err: err, written: true}
	}
	return n, err
}

func (b *attemptBody) Close() error {
	err := b.ReadCloser.Close()
	b.end()
	return err
}

// explain puts words to errors of net/http that need them.
func explain(err error, written bool) error {
	var noTLS tls.RecordHeaderError
	switch {
	case errors.Is(err, io.EOF):
		return fmt.Errorf("the connection was closed before an answer arrived: %w", err)
	case !written && errors.As(err, &noTLS) && string(noTLS.RecordHeader[:]) == "HTTP/":
		return fmt.Errorf("the server speaks plain HTTP at an https address: %w", err)
	}
	return err
}

// tame takes out of an answer what net/http would not let go of or not hand on: a
// connection that was switched to another protocol, which ends with no context,
// and a redirect to something that is no address.
func tame(resp *http.Response) {
	if resp.StatusCode == http.StatusSwitchingProtocols {
		_ = resp.Body.Close() // nothing is read from it
		resp.Body = http.NoBody
	}
	if _, err := resp.Location(); err != nil {
		resp.Header.Del("Location")
	}
}

// closeBody fulfils the duty of a RoundTripper that does not send the body.
func closeBody(body io.Closer) {
	if body != nil {
		_ = body.Close() // of a reader in memory
	}
}
