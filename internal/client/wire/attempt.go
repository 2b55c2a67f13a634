package wire

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
	"golang.org/x/net/idna"
)

const (
	requestIDHeader = "X-Request-ID"

	errorLimit  = 64 << 10         // bytes
	maxRequests = 10               // of one lookup that is redirected
	maxGrace    = 10 * time.Second // without the answer to a submission its id would be lost
)

// Send makes one attempt and reads the answer, whatever its status. It ends with the transport's
// timeout and with ctx. A submission first waits, until ctx ends, for one of maxConns turns.
func (t *Transport) Send(ctx context.Context, r Request) *Attempt {
	if r.Submission && t.submissions.Acquire(ctx, 1) == nil {
		defer t.submissions.Release(1)
	}
	if ctx.Err() != nil { // perhaps while it waited
		return r.NotSent(ContextError(ctx))
	}
	began := time.Now()
	tracker := new(writeTracker)
	bounded, end := t.bound(ctx, r.Submission, tracker)
	defer end()

	body := bytes.NewReader(r.Body)
	req, err := http.NewRequestWithContext(bounded, r.Method, r.URL.String(), body)
	if err != nil {
		return r.NotSent(err)
	}
	id := ID{Trace: r.Trace.ID, Request: randomHex(8), Header: requestIDHeader}
	req.Header = r.Header.Clone()
	req.Header.Set("Traceparent", r.Trace.traceparent(id.Request))
	req.Header.Set(requestIDHeader, id.Request)
	if r.Key.Header != "" {
		if strings.EqualFold(r.Key.Header, requestIDHeader) {
			id.Header = ""
		}
		req.Header.Set(r.Key.Header, r.Key.Value)
	}
	attempt := t.exchange(req, r, tracker)
	if r.Confidential {
		attempt.Err, attempt.BodyErr = unquoted(attempt.Err), unquoted(attempt.BodyErr)
	}
	attempt.ID = id
	attempt.Sent = cmp.Or(tracker.gotConn, began) // nothing is written before
	log(ctx, r, attempt, time.Since(began))
	return attempt
}

// bound returns the context of one attempt, which keeps the values of caller. It ends with the
// timeout, which starts again when there is a connection: the wait for one takes none of the time
// in which the server may answer. It also ends with caller: at once, or for a submission that has
// got its connection after a grace, but not after the caller's deadline.
func (t *Transport) bound(
	caller context.Context, submission bool, tracker *writeTracker,
) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(caller))
	timeout := time.AfterFunc(t.timeout, func() {
		cancel(fmt.Errorf("%w (%s)", ErrAttemptTimeout, FormatDuration(t.timeout)))
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
	trace := tracker.trace(func() { timeout.Reset(t.timeout) })
	return httptrace.WithClientTrace(ctx, trace), func() {
		unwatch()
		timeout.Stop()
		cancel(nil)
	}
}

// exchange sends req, which is r, and reads the answer, up to r's limit where its status is 2xx.
func (t *Transport) exchange(req *http.Request, r Request, tracker *writeTracker) *Attempt {
	attempt := &Attempt{URL: req.URL}
	base := t.pooled
	if r.Submission {
		base = t.single
	}
	resp, err := follow(base, req) //nolint:bodyclose // read closes it
	attempt.Written, attempt.Err = tracker.written(), err
	if err != nil {
		attempt.interpretError(tracker)
		return attempt
	}
	attempt.URL, attempt.Status, attempt.Header = resp.Request.URL, resp.StatusCode, resp.Header
	// The answer may be here before net/http has said that it wrote the request.
	attempt.Written = attempt.Written || tracker.sent() >= req.ContentLength
	limit := r.Limit
	if attempt.Status/100 != 2 {
		limit = errorLimit
	}
	attempt.Body, attempt.BodyErr = read(resp.Body, limit)
	return attempt
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
		if to == nil || !followed || !SameOrigin(to, req.URL) {
			return resp, nil
		}
		_, _ = read(resp.Body, errorLimit) // so that its connection is used again
		req = req.Clone(req.Context())
		req.URL = to
		to.Host = strings.ToLower(to.Host) // net/http knows localhost only in lower case
	}
	return nil, errTooManyRedirects
}

// SameOrigin reports whether two addresses have the same scheme, host and port (RFC 6454, section
// 5). Names are not resolved: localhost may lead to ::1, where another program can listen on the
// same port as on 127.0.0.1.
func SameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && SameHost(a, b) && port(a) == port(b)
}

// SameHost reports whether two addresses have the same host: bücher.test is xn--bcher-kva.test.
func SameHost(a, b *url.URL) bool { return hostname(a) == hostname(b) }

func hostname(u *url.URL) string {
	name, _ := idna.Lookup.ToASCII(u.Hostname()) // of an address that is no name: the address
	return strings.ToLower(cmp.Or(name, u.Hostname()))
}

func port(u *url.URL) string {
	if u.Scheme == "https" {
		return cmp.Or(u.Port(), "443")
	}
	return cmp.Or(u.Port(), "80")
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
