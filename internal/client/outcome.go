package client

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"terraform-provider-notification/internal/client/redact"
	"terraform-provider-notification/internal/client/wire"
)

const (
	firstBackoff = 500 * time.Millisecond
	maxBackoff   = 30 * time.Second

	// longestRetryAfter, beyond any deadline, keeps absurd numbers of seconds from overflowing.
	longestRetryAfter = 365 * 24 * time.Hour
)

// verdict is what an attempt came to.
type verdict int

const (
	accepted  verdict = iota // the service carried the request out and answered
	rejected                 // nothing was carried out, and a retry would not help
	retryable                // nothing was carried out, or it does no harm twice
	ambiguous                // it may have been carried out, and would be again
)

// classify tells what an attempt came to: what happened decides, not the method. ans is nil when
// there is none, and then err says why.
func classify(op Operation, ans *wire.Answer, err error) verdict {
	if ans == nil {
		return classifyError(op, err)
	}
	switch status := ans.Status; {
	case status/100 == 2:
		switch {
		case redact.IsHTML(ans.Header.Get("Content-Type"), ans.Body):
			return rejected
		case op == SubmitNotification, ans.BodyErr == nil:
			return accepted
		case errors.Is(ans.BodyErr, wire.ErrTooLarge):
			return rejected
		}
		return retryable
	case status == http.StatusTooEarly, status == http.StatusTooManyRequests:
		return retryable
	case status >= 300 && status <= 499 && status != http.StatusRequestTimeout:
		return rejected
	case op != SubmitNotification:
		return retryable
	case status == http.StatusRequestTimeout && !ans.Written:
		return retryable
	case status == http.StatusServiceUnavailable:
		// A service that says when to come back has rejected the request. Proxies say so too when
		// their upstream broke off after it had got the request: Varnish and Fastly with
		// Retry-After, but on an HTML page.
		if _, ok := retryAfter(ans.Header, time.Now()); ok && isJSON(ans.Body) {
			return retryable
		}
	}
	return ambiguous
}

func classifyError(op Operation, err error) verdict {
	var attempt *wire.Error
	var noToken *Error
	switch {
	case errors.As(err, &noToken) || !errors.As(err, &attempt):
		return rejected // the token has had retries of its own
	case attempt.Written && op == SubmitNotification:
		return ambiguous
	case attempt.Permanent:
		return rejected
	}
	return retryable
}

// isJSON reports whether body is a whole JSON object or array.
func isJSON(body []byte) bool {
	body = bytes.TrimSpace(body)
	return len(body) > 0 && (body[0] == '{' || body[0] == '[') && json.Valid(body)
}

// delay is what the service asked for, or grows exponentially with jitter. ans may be nil.
func delay(ans *wire.Answer, attempt int) time.Duration {
	if ans != nil {
		if wait, ok := retryAfter(ans.Header, time.Now()); ok {
			return wait
		}
	}
	full := min(firstBackoff<<min(attempt-1, 10), maxBackoff)
	return full/2 + rand.N(full/2) //nolint:gosec // jitter, not cryptography
}

// retryAfter reads the Retry-After field (RFC 9110, section 10.2.3), a number of seconds or a date;
// a date that has passed is no wait. ok is false without the field and with one that is neither.
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

// waitError says that the next attempt would come too late.
type waitError struct {
	wait, left time.Duration
}

func (e *waitError) Error() string {
	wait, left := e.wait.Round(time.Millisecond), e.left.Round(time.Millisecond)
	return fmt.Sprintf("the next attempt would be due in %s, but only %s are left for the whole "+
		"operation", wait, left)
}

// call is one request with its retries.
type call struct {
	op      Operation
	request wire.Request // of the last attempt
	secrets *redact.Secrets
}

// failure describes how c ended: with the answer to its last attempt, or err when there was none;
// and because of stopped where another attempt was due.
func (c *call) failure(outcome verdict, ans *wire.Answer, err, stopped error) *Error {
	var failed *Error
	if errors.As(err, &failed) {
		return failed // there was no access token
	}
	failed = &Error{
		Operation: c.op,
		Ambiguous: outcome == ambiguous,
		Method:    c.request.Method,
		URL:       c.secrets.Clean(bareURL(c.request.URL)),
		Attempts:  c.request.Attempt,
		Err:       cmp.Or(stopped, err),
	}
	var attempt *wire.Error
	if errors.As(err, &attempt) {
		failed.ID, failed.Time = attempt.ID, attempt.Sent
	}
	var late *waitError
	if err != nil && errors.As(stopped, &late) {
		failed.Err = fmt.Errorf("%w; %w", err, stopped)
	}
	if ans != nil {
		contentType := ans.Header.Get("Content-Type")
		page, success := redact.IsHTML(contentType, ans.Body), ans.Status/100 == 2
		failed.ID, failed.Time, failed.Status = ans.ID, ans.Sent, ans.Status
		failed.URL = c.secrets.Clean(bareURL(ans.URL))
		failed.ServerID = c.secrets.Quote(serverID(ans.Header))
		failed.Location = c.secrets.Quote(location(ans))
		if success && !page {
			failed.Err = cmp.Or(failed.Err, ans.BodyErr)
		} else {
			failed.Code = c.secrets.Quote(redact.OAuthCode(ans.Body))
			if c.op != FetchToken || !bytes.Contains(ans.Body, []byte("access_token")) {
				// A token that an error holds is in no set of secrets.
				failed.Message = c.secrets.Quote(redact.Message(contentType, ans.Body))
			}
		}
		if success && page {
			failed.HTML = c.secrets.Quote(cmp.Or(contentType, "no Content-Type"))
		}
	}
	failed.Err = c.secrets.CleanError(failed.Err)
	return failed
}

// bareURL is u without what may hold secrets, and in one spelling.
func bareURL(u *url.URL) string {
	bare := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	return bare.String()
}

// location is where an answer redirects to, without query; empty when it does not.
func location(ans *wire.Answer) string {
	to, err := ans.URL.Parse(ans.Header.Get("Location"))
	if err != nil || ans.Header.Get("Location") == "" {
		return ""
	}
	return bareURL(to)
}

// serverID is how the server logged a request, by the usual names of servers and gateways; empty
// when it did not say so.
func serverID(header http.Header) string {
	for _, name := range []string{
		"X-Request-Id", "X-Correlation-Id", "Request-Id", "X-Amzn-Requestid", "X-Ms-Request-Id",
		"X-Trace-Id", "Cf-Ray",
	} {
		if id := header.Get(name); id != "" {
			return id
		}
	}
	return ""
}
