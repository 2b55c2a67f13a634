package client

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"terraform-provider-notification/internal/client/answer"
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

// classify tells what an attempt came to: what happened decides, not the method.
func classify(op Operation, attempt *wire.Attempt) verdict {
	switch status := attempt.Status; {
	case attempt.Err != nil:
		switch {
		case op == SubmitNotification && attempt.Written:
			return ambiguous
		case attempt.Permanent:
			return rejected
		}
		return retryable
	case status/100 == 2:
		switch {
		case answer.IsHTML(attempt.Header.Get("Content-Type"), attempt.Body):
			return rejected
		case op == SubmitNotification, attempt.BodyErr == nil:
			return accepted
		case errors.Is(attempt.BodyErr, wire.ErrTooLarge):
			return rejected
		}
		return retryable
	case status == http.StatusTooEarly, status == http.StatusTooManyRequests:
		return retryable
	case status >= 300 && status <= 499 && status != http.StatusRequestTimeout:
		return rejected
	case op != SubmitNotification:
		return retryable
	case status == http.StatusRequestTimeout && !attempt.Written:
		return retryable
	case status == http.StatusServiceUnavailable:
		// A service that says when to come back has rejected the request. Proxies say so too when
		// their upstream broke off after it had got the request: Varnish and Fastly with
		// Retry-After, but on an HTML page.
		if _, ok := retryAfter(attempt.Header, time.Now()); ok && answer.IsJSON(attempt.Body) {
			return retryable
		}
	}
	return ambiguous
}

// delay is what the service asked for in its answer, or grows exponentially with jitter.
func delay(header http.Header, attempt int) time.Duration {
	if wait, ok := retryAfter(header, time.Now()); ok {
		return wait
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
type waitError struct{ wait, left time.Duration }

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

// failure describes how c ended: with its last attempt, and because of stopped where another was
// due.
func (c *call) failure(outcome verdict, attempt *wire.Attempt, stopped error) *Error {
	var noToken *Error
	if errors.As(attempt.Err, &noToken) {
		return noToken
	}
	failed := &Error{
		Operation: c.op,
		Ambiguous: outcome == ambiguous,
		Method:    c.request.Method,
		URL:       c.secrets.Clean(bareURL(attempt.URL)),
		ID:        attempt.ID,
		Time:      attempt.Sent,
		Attempts:  c.request.Number,
		Status:    attempt.Status,
		ServerID:  c.secrets.Quote(serverID(attempt.Header)),
		Location:  c.secrets.Quote(location(attempt)),
		Err:       cmp.Or(stopped, attempt.Err),
	}
	var late *waitError
	if attempt.Err != nil && errors.As(stopped, &late) {
		failed.Err = fmt.Errorf("%w; %w", attempt.Err, stopped)
	}
	contentType := attempt.Header.Get("Content-Type")
	page, success := answer.IsHTML(contentType, attempt.Body), attempt.Status/100 == 2
	if success && page {
		failed.HTML = c.secrets.Quote(cmp.Or(contentType, "no Content-Type"))
	}
	if success && !page {
		failed.Err = cmp.Or(failed.Err, attempt.BodyErr)
	} else {
		failed.Code = c.secrets.Quote(answer.OAuthCode(attempt.Body))
		if c.op != FetchToken || !bytes.Contains(attempt.Body, []byte("access_token")) {
			// A token that an error holds is in no set of secrets.
			failed.Message = c.secrets.Quote(answer.Message(contentType, attempt.Body))
		}
	}
	if failed.ServerID == failed.ID.Request {
		failed.ServerID = ""
	}
	failed.Err = c.secrets.CleanError(failed.Err)
	return failed
}

// bareURL is u without what may hold secrets, and in one spelling.
func bareURL(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// location is where an answer redirects to, without query; empty when it does not.
func location(attempt *wire.Attempt) string {
	to, err := attempt.URL.Parse(attempt.Header.Get("Location"))
	if err != nil || attempt.Header.Get("Location") == "" {
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
