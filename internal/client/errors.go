package client

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"terraform-provider-notification/internal/client/redact"
	"terraform-provider-notification/internal/client/response"
	"terraform-provider-notification/internal/client/wire"
)

// Operation is the purpose of a request, as a verb phrase: "cannot obtain an access token".
type Operation string

// The operations. See the service contract, "Access tokens", "Submissions" and "Studies".
const (
	FetchToken         Operation = "obtain an access token"
	SubmitNotification Operation = "submit the notification"
	LookUpStudies      Operation = "look up studies"
)

// Error is the error of an operation. Its untrusted text is sanitized, and can be displayed.
type Error struct {
	Operation Operation

	// Ambiguous reports whether the service may have processed the request anyway: the request was
	// sent, and no response made the outcome certain.
	Ambiguous bool

	Method   string
	URL      redact.Text // without query
	Key      wire.Key    // without its value if the user chose it
	ID       wire.ID     // of the first ambiguous attempt, or else the last; zero if there was none
	Time     time.Time   // when that attempt got its connection, or else when it began
	Attempts int

	// The response to the last attempt, if there was one.
	Status    int         // 0 if there was no response
	Message   redact.Text // the service's error message
	Code      redact.Text // the error code of an OAuth 2.0 error response (RFC 6749, section 5.2)
	ServerID  redact.Text // the server's id for the request, if it differs from ID
	HTMLType  redact.Text // the Content-Type of an HTML page; empty for other responses
	Location  redact.Text // the target of a redirect, without query
	WAFAction redact.Text // the x-amzn-waf-action with which AWS WAF blocked the request

	GrantedScopes redact.Text   // the scopes of the access token; empty if unknown
	Err           *redact.Error // why there was no response, or no usable one; may be nil

	// Stopped is the reason for making no further attempt; set only if Err explains the last one.
	Stopped *redact.Error
}

// Error returns one line with the operation, the URL, the response and the request id.
func (e *Error) Error() string {
	text := fmt.Sprintf("cannot %s: %s %s", e.Operation, e.Method, e.URL)
	if e.Status != 0 {
		text += ": " + e.StatusLine()
	}
	if !e.Message.Empty() {
		text += ": " + e.Message.String()
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if !e.ServerID.Empty() {
		text += fmt.Sprintf(" (to the server %q)", e.ServerID)
	}
	if e.ID.Request != "" {
		text += fmt.Sprintf(" (%s)", e.ID)
	}
	return text
}

func (e *Error) Unwrap() error {
	if e.Err == nil {
		return nil
	}
	return e.Err
}

// StatusLine returns the status with its standard text: "404 Not Found".
func (e *Error) StatusLine() string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status)))
}

// Cancelled reports whether the caller cancelled the operation.
func (e *Error) Cancelled() bool { return errors.Is(e, wire.ErrCancelled) }

// TimedOut reports whether the time for the whole operation was used up.
func (e *Error) TimedOut() bool { return errors.Is(e, wire.ErrTimedOut) }

// outOfTimeError reports that the wait before the next attempt would exceed the deadline.
type outOfTimeError string

func (e outOfTimeError) Error() string { return string(e) }

// OutOfTime reports whether a wait would have exceeded the deadline: more retries would not help.
func (e *Error) OutOfTime() bool {
	_, late := errors.AsType[outOfTimeError](e)
	return late
}

// CertificateRejected reports whether the server rejected this client's certificate or lack of one.
func (e *Error) CertificateRejected() bool { return wire.CertificateRejected(e) }

var errNotBearer = errors.New("only Bearer tokens can be used")

// NotBearer reports whether the access token has another type than Bearer.
func (e *Error) NotBearer() bool { return errors.Is(e, errNotBearer) }

// newError returns the error of op, whose last attempt at request was attempt. err is the reason
// why there was no response or no retry, or nil.
func newError(op Operation, request wire.Request, attempt *wire.Attempt, err error) *Error {
	secrets := request.Secrets.With(response.Tokens(attempt.Body)...) // for this response only
	e := &Error{
		Operation: op, Method: request.Method, URL: address(secrets, attempt.URL), Key: request.Key,
		Attempts: request.Number, Status: attempt.Status,
	}
	if e.Key.UserChosen {
		e.Key.Value = ""
	}
	e.identify(attempt, secrets)
	if attempt.Status < 500 {
		e.WAFAction = secrets.Quote(wafAction(attempt))
	}
	if to := redirectTarget(attempt); to != nil {
		e.Location = address(secrets, to)
	}
	contentType := attempt.Header.Get("Content-Type")
	page := response.IsHTMLPage(attempt.Status, contentType, attempt.Body)
	if page {
		e.HTMLType = secrets.Quote(cmp.Or(contentType, "no Content-Type"))
	}
	if attempt.Status/100 != 2 || page && op != FetchToken { // a page may contain the token
		e.Code = secrets.Quote(response.OAuthCode(attempt.Body))
		e.Message = secrets.Quote(response.Message(contentType, attempt.Body))
	}
	if attempt.Status/100 == 2 && !page {
		err = cmp.Or(err, attempt.BodyErr)
	}
	e.Err = secrets.CleanError(err)
	return e
}

// identify sets the ids and the time of e to those of attempt.
func (e *Error) identify(attempt *wire.Attempt, secrets *redact.Secrets) {
	e.ID, e.Time, e.ServerID = attempt.ID, attempt.Sent, redact.Text{}
	if id := serverID(attempt.Header); id != e.ID.Request {
		e.ServerID = secrets.Quote(id)
	}
}

var userInfo = regexp.MustCompile(`//[^/]*@`)

// address returns u without user information, query and fragment, which may contain secrets.
func address(secrets *redact.Secrets, u *url.URL) redact.Text {
	text := secrets.Clean(u.String()).String() // first, since a secret may contain ? or #
	if end := strings.IndexAny(text, "?#"); end >= 0 {
		text = text[:end]
	}
	return secrets.Clean(userInfo.ReplaceAllString(text, "//"))
}

// serverID returns the id that a server or gateway assigned to a request; empty if there is none.
func serverID(header http.Header) string {
	return cmp.Or(header.Get("X-Request-Id"), header.Get("X-Correlation-Id"),
		header.Get("Request-Id"), header.Get("X-Amzn-Requestid"), header.Get("X-Ms-Request-Id"),
		header.Get("X-Trace-Id"), header.Get("Cf-Ray"))
}

// wafAction returns the action that AWS WAF requires after it blocked a request; empty if it did
// not. AWS WAF sends a challenge, which only a browser can solve, with status 202 and no body.
func wafAction(attempt *wire.Attempt) string { return attempt.Header.Get("X-Amzn-Waf-Action") }

// redirectTarget returns the URL that a response redirects to, or nil without a valid Location.
func redirectTarget(attempt *wire.Attempt) *url.URL {
	location := attempt.Header.Get("Location")
	if to, err := attempt.URL.Parse(location); err == nil && location != "" && to.Host != "" {
		return to
	}
	return nil
}
