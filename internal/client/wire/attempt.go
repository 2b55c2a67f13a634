package wire

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-log/tflog"
)

const (
	requestIDHeader = "X-Request-ID"

	errorLimit  = 64 << 10 // bytes
	maxRequests = 10       // for one lookup, redirects included
)

// Send makes one attempt and reads the response, whatever its status. It ends at the limits in
// limit.go, or when ctx is done.
func (t *Transport) Send(ctx context.Context, r Request) *Attempt {
	switch {
	case ctx.Err() != nil:
		return Unsent(r, ContextError(ctx))
	case !r.Latest.IsZero() && time.Now().After(r.Latest): // such as after a slow token request
		return Unsent(r, errTooLate)
	}
	base := t.single
	if r.MayRepeat {
		base = t.pooled
	}
	began := time.Now()
	tracker := new(connTracker)
	limited, release := t.limitTime(ctx, r, tracker)
	defer release()

	req, err := http.NewRequestWithContext(limited, r.Method, r.URL.String(), bytes.NewReader(r.Body))
	if err != nil {
		return Unsent(r, err)
	}
	requestID := uuid.NewString() // many gateways replace an id that is not a UUID
	parentID := parentID(requestID)
	id := ID{Trace: r.Trace.ID, Request: requestID, Header: requestIDHeader}
	req.Header = r.Header.Clone()
	req.Header.Set("Traceparent", r.Trace.traceparent(parentID))
	req.Header.Set(requestIDHeader, requestID)
	if r.Key.Header != "" {
		if strings.EqualFold(r.Key.Header, requestIDHeader) { // only traceparent has the id then
			id.Request, id.Header = parentID, ""
		}
		req.Header.Set(r.Key.Header, r.Key.Value)
	}
	attempt := roundTrip(base, req, r.Limit, tracker)
	if r.SecretResponse {
		attempt.Err, attempt.BodyErr = unquoted(attempt.Err), unquoted(attempt.BodyErr)
	}
	attempt.Number = r.Number
	if attempt.Sent {
		attempt.ID = id
	}
	attempt.Began = *cmp.Or(tracker.gotConn.Load(), &began) // nothing is sent earlier
	log(ctx, r, attempt, time.Since(began))
	return attempt
}

// roundTrip sends req and reads the response: up to limit bytes of a 2xx body.
func roundTrip(
	base *http.Transport, req *http.Request, limit int64, tracker *connTracker,
) *Attempt {
	resp, err := exchange(base, req)
	attempt := &Attempt{URL: req.URL, Sent: tracker.maySend(err)}
	if err != nil {
		attempt.Permanent, attempt.Err = interpret(err, tracker.connected())
		return attempt
	}
	attempt.URL, attempt.Status, attempt.Header = resp.Request.URL, resp.StatusCode, resp.Header
	switch {
	case attempt.Status == http.StatusSwitchingProtocols:
		_ = resp.Body.Close() // reading it would ignore the context
		return attempt
	case attempt.Status/100 != 2:
		limit = errorLimit
	}
	attempt.Body, attempt.BodyErr = read(resp.Body, limit)
	return attempt
}

// exchange sends req, and follows redirects of a GET request within its origin, if they keep its
// query parameters: without its name, a lookup would find all studies. It returns any other
// redirect as the response: following it could send the client secret, an access token or a
// notification to a server that is not configured.
func exchange(base *http.Transport, req *http.Request) (*http.Response, error) {
	query := req.URL.RawQuery
	for range maxRequests {
		resp, err := base.RoundTrip(req)
		if err != nil {
			return nil, err
		}
		if resp.StatusCode < http.StatusContinue { // net/http accepts 000
			_ = resp.Body.Close()
			return nil, fmt.Errorf("malformed HTTP status code %q", resp.Status)
		}
		to, _ := resp.Location() // nil without a valid Location
		isRedirect := resp.StatusCode/100 == 3 && req.Method == http.MethodGet
		if to == nil || !isRedirect || !SameOrigin(to, req.URL) || !hasParameters(to.RawQuery, query) {
			return resp, nil
		}
		_, _ = read(resp.Body, errorLimit) // so that the connection can be reused
		req = req.Clone(req.Context())
		req.URL = to
		to.Host = strings.ToLower(to.Host) // net/http recognizes localhost only in lower case
	}
	return nil, errTooManyRedirects
}

// hasParameters reports whether query has each parameter of wanted, with the same values. If one of
// them cannot be parsed, it reports whether they are the same.
func hasParameters(query, wanted string) bool {
	got, _ := url.ParseQuery(query)
	parameters, err := url.ParseQuery(wanted)
	for name, values := range parameters {
		if !slices.Equal(got[name], values) {
			return false
		}
	}
	return err == nil || query == wanted
}

// read reads up to limit bytes of body and closes it. It removes a byte order mark.
func read(body io.ReadCloser, limit int64) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(body, limit+1))
	_ = body.Close() // an error does not matter after reading
	if int64(len(content)) > limit {
		content, err = content[:limit], ErrTooLarge
	}
	return bytes.TrimPrefix(content, []byte("\xef\xbb\xbf")), reworded(err)
}

// log logs one line about an attempt, without query, body, or headers except a random key.
func log(ctx context.Context, r Request, attempt *Attempt, took time.Duration) {
	fields := map[string]any{
		"method":      r.Method,
		"host":        r.URL.Host,
		"path":        r.URL.Path,
		"duration_ms": took.Milliseconds(),
		"attempt":     r.Number,
	}
	maps.Copy(fields, attempt.ID.LogFields())
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
		tflog.Warn(ctx, "Received no response", fields)
		return
	}
	fields["status"] = attempt.Status
	tflog.Debug(ctx, "Received response", fields)
}
