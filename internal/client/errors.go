package client

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Outcome says what became of an operation that failed.
type Outcome int

const (
	// NotSubmitted means that nothing was carried out.
	NotSubmitted Outcome = iota
	// PossiblySubmitted means that the request went out and no answer told what became of it.
	PossiblySubmitted
)

// Error is the failure of an operation. No field holds a secret.
type Error struct {
	Operation Operation
	Outcome   Outcome

	// Method and URL are those of the request; URL has no query.
	Method, URL string

	// Time is when the last attempt began, Attempts how many there were.
	Time     time.Time
	Attempts int

	// Status is that of the last answer, 0 when there was none.
	Status int

	// Message is what the service said of it, one line of cleaned text.
	Message string

	// Code is the error code of an OAuth 2.0 answer (RFC 6749, section 5.2).
	Code string

	// RequestID is how the server logged the request, when it said so.
	RequestID string

	// HTML is the Content-Type of an answer that is a page for people; empty for others.
	HTML string

	// Location is where the service redirected to, without query.
	Location string

	// GrantedScopes are those of the token that was used, nil when not known.
	GrantedScopes []string

	// Err is why there was no answer, or why it is of no use.
	Err error
}

// Error is one line: what was tried, where, and what came back.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "cannot %s: %s %s", e.Operation, e.Method, e.URL)
	if e.Status != 0 {
		fmt.Fprintf(&b, ": %s", e.StatusLine())
	}
	if e.Message != "" {
		fmt.Fprintf(&b, ": %s", e.Message)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %s", e.Err)
	}
	if e.RequestID != "" {
		fmt.Fprintf(&b, " (request id %s)", e.RequestID)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// StatusLine is the status with its standard text: "404 Not Found".
func (e *Error) StatusLine() string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status)))
}

// Cancelled reports whether the operation ended because its caller gave up.
func (e *Error) Cancelled() bool {
	var caller *endedError
	return errors.As(e.Err, &caller) && caller.cancelled
}

// TimedOut reports whether the time for the whole operation was used up.
func (e *Error) TimedOut() bool {
	var caller *endedError
	return errors.As(e.Err, &caller) && !caller.cancelled
}

// CertificateRefused reports whether the server did not accept this client's
// certificate, or wants one.
func (e *Error) CertificateRefused() bool { return certificateRefused(e.Err) }

// failure describes how x ended. err is what retryablehttp returned; nil when
// there was an answer to complain about.
func (s sender) failure(x *exchange, req *http.Request, err error) *Error {
	var inner *Error
	if errors.As(err, &inner) {
		return inner // the access token could not be had
	}
	failed := &Error{
		Operation: x.op,
		Method:    req.Method,
		URL:       bareURL(req.URL),
		Time:      x.sent,
		Attempts:  x.attempts,
		Err:       withoutURL(err),
	}
	if failed.Time.IsZero() {
		failed.Time = x.began
	}
	if x.verdict == lost {
		failed.Outcome = PossiblySubmitted
	}
	if ans := x.answer; ans != nil {
		failed.Status = ans.status
		failed.URL = bareURL(ans.url)
		failed.RequestID = s.secrets.quote(requestID(ans.header))
		failed.Location = s.secrets.quote(location(ans))
		switch {
		case ans.isHTML() && ans.status <= 299:
			failed.HTML = s.secrets.quote(cmp.Or(ans.header.Get("Content-Type"), "no Content-Type"))
			failed.Message = s.secrets.quote(message(ans))
		case ans.status <= 299:
			failed.Err = cmp.Or(failed.Err, ans.broken)
		default:
			failed.Code, failed.Message = s.secrets.quote(oauthCode(ans.body)), s.secrets.quote(message(ans))
		}
	}
	if failed.Err != nil {
		failed.Err = s.secrets.cleanError(failed.Err)
	}
	return failed
}

// withoutURL takes off what net/http puts around an error: the address, with
// its query, which Error names without.
func withoutURL(err error) error {
	if wrapped, ok := err.(*url.Error); ok { //nolint:errorlint // only where it is the outermost
		return wrapped.Err
	}
	return err
}

// bareURL is u without what may hold secrets.
func bareURL(u *url.URL) string {
	bare := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}
	return bare.String()
}

// location is where an answer redirects to, without query; empty when it does not.
func location(ans *answer) string {
	value := ans.header.Get("Location")
	if value == "" {
		return ""
	}
	to, err := ans.url.Parse(value)
	if err != nil {
		return ""
	}
	return bareURL(to)
}
