package wire

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

const (
	errorLimit  = 64 << 10 // bytes
	maxRequests = 10       // of one lookup that is redirected
)

// Transport makes attempts. It is safe for concurrent use, and all callers share its connections.
type Transport struct {
	connections connections
	timeout     time.Duration
	idHeader    string
}

// New returns a transport whose attempts take at most timeout to get a connection, and as much from
// then to the last byte of the answer. idHeader is a header for the id of each attempt, besides
// traceparent; it may be empty. roots replaces the system's certificate authorities, certificate
// authenticates this client to servers, and dial opens connections; each may be nil.
func New(
	timeout time.Duration, idHeader string,
	roots *x509.CertPool, certificate *tls.Certificate, dial DialFunc,
) *Transport {
	base := newSockets(timeout, roots, certificate, dial)
	single := base.Clone()
	single.DisableKeepAlives = true
	return &Transport{
		connections: connections{base: base, single: single}, timeout: timeout, idHeader: idHeader,
	}
}

// Send makes one attempt and reads the answer, whatever its status.
//
// The attempt ends with the transport's timeout and with ctx: at once, or after the request's grace
// where ctx was cancelled.
func (t *Transport) Send(ctx context.Context, r Request) *Attempt {
	began := time.Now()
	if ctx.Err() != nil {
		return r.NotSent(ContextError(ctx))
	}
	tracker := new(writeTracker)
	bounded, end := t.bound(ctx, r.Grace, tracker)
	defer end()
	bounded = httptrace.WithClientTrace(bounded, tracker.trace())

	body := bytes.NewReader(r.Body)
	req, err := http.NewRequestWithContext(bounded, r.Method, r.URL.String(), body)
	if err != nil {
		return r.NotSent(err)
	}
	id := ID{Trace: r.Trace.ID, Request: randomHex(8), Header: t.idHeader}
	req.Header = r.Header.Clone()
	req.Header.Set("Traceparent", r.Trace.parent(id.Request))
	if t.idHeader != "" {
		req.Header.Set(t.idHeader, id.Request)
	}
	if r.Key.Header != "" {
		req.Header.Set(r.Key.Header, r.Key.Value)
		req.GetBody = nil // or net/http repeats requests with some of these headers by itself
	}
	attempt := t.exchange(req, tracker, r.Limit)
	attempt.ID = id
	attempt.Sent = cmp.Or(tracker.gotConn, began) // nothing is written before
	log(ctx, r, attempt, time.Since(began))
	return attempt
}

// exchange sends req, and reads the whole answer, up to limit where its status is 2xx.
func (t *Transport) exchange(req *http.Request, tracker *writeTracker, limit int64) *Attempt {
	attempt := &Attempt{URL: req.URL}
	host := t.connections.host(Origin(req.URL))
	base, err := host.take(req.Context())
	var resp *http.Response
	if err == nil {
		defer host.release()
		resp, err = follow(base, req) //nolint:bodyclose // read closes it
	}
	attempt.Written, attempt.Err = tracker.written(), err
	if err != nil {
		attempt.explain(tracker)
		if tracker.reused() && attempt.lost() {
			host.closes.Store(true)
		}
		return attempt
	}
	attempt.URL, attempt.Status, attempt.Header = resp.Request.URL, resp.StatusCode, resp.Header
	attempt.Written = attempt.Written || tracker.sent() >= req.ContentLength
	if attempt.Status/100 != 2 {
		limit = errorLimit
	}
	attempt.Body, attempt.BodyErr = read(resp.Body, limit)
	return attempt
}

// bound returns the context of one attempt, which keeps the values of caller. It ends with the
// caller's deadline, and with the caller's cancellation, at once or, for a request that has got its
// connection, after the grace. It also ends with the timeout, which starts again when there is a
// connection: the wait for one of maxConns takes none of the time in which the server may answer.
func (t *Transport) bound(
	caller context.Context, grace time.Duration, tracker *writeTracker,
) (context.Context, func()) {
	cancellable, cancel := context.WithCancelCause(context.WithoutCancel(caller))
	ctx, release := cancellable, func() {}
	if deadline, ok := caller.Deadline(); ok {
		ctx, release = context.WithDeadlineCause(cancellable, deadline, ErrTimedOut)
	}
	timeout := time.AfterFunc(t.timeout, func() {
		cancel(fmt.Errorf("%w (%s)", ErrAttemptTimeout, InWords(t.timeout)))
	})
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { timeout.Reset(t.timeout) },
	})
	unwatch := context.AfterFunc(caller, func() {
		if tracker.connected() {
			select {
			case <-time.After(grace):
			case <-ctx.Done():
			}
		}
		cancel(ContextError(caller))
	})
	return ctx, func() {
		unwatch()
		timeout.Stop()
		release()
		cancel(nil)
	}
}

// follow sends req and follows the redirects of a GET within its origin. Others are answers:
// following them would carry the client secret, an access token or a notification to an address
// that nobody configured.
func follow(base *http.Transport, req *http.Request) (*http.Response, error) {
	for range maxRequests {
		resp, err := base.RoundTrip(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode == http.StatusSwitchingProtocols {
			_ = resp.Body.Close() // reading it would end with no context
		}
		to, _ := resp.Location() // nil where it cannot be read
		followed := resp.StatusCode/100 == 3 && req.Method == http.MethodGet
		if to == nil || !followed || Origin(to) != Origin(req.URL) {
			return resp, nil
		}
		_, _ = read(resp.Body, errorLimit) // so that its connection is used again
		req = req.Clone(req.Context())
		req.URL = to
	}
	return nil, errTooManyRedirects
}

// read takes a body out of its connection, up to limit, and closes it.
func read(body io.ReadCloser, limit int64) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(body, limit+1))
	_ = body.Close() // what was read is all that counts
	if int64(len(content)) > limit {
		content, err = content[:limit], ErrTooLarge
	}
	return bytes.TrimPrefix(content, []byte("\xef\xbb\xbf")), err
}

// log writes a line about an attempt: no query, header or body.
func log(ctx context.Context, r Request, attempt *Attempt, took time.Duration) {
	fields := map[string]any{
		"method":      r.Method,
		"host":        r.URL.Host,
		"path":        r.URL.Path,
		"duration_ms": took.Milliseconds(),
		"attempt":     r.Number,
		"request_id":  attempt.ID.Request,
		"trace_id":    attempt.ID.Trace,
	}
	if r.Key.Header != "" {
		fields["idempotency_key_header"] = r.Key.Header
		if !r.Key.Own {
			fields["idempotency_key"] = r.Key.Value
		}
	}
	if err := cmp.Or(attempt.Err, attempt.BodyErr); err != nil {
		fields["error"] = r.Secrets.CleanError(err).Error()
	}
	if attempt.Err != nil {
		tflog.Warn(ctx, "Request got no answer", fields)
		return
	}
	fields["status"] = attempt.Status
	tflog.Debug(ctx, "Request answered", fields)
}
