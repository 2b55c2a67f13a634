package client

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/notification/terraform-provider-notification/internal/client/redact"
	"github.com/notification/terraform-provider-notification/internal/client/response"
	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// Operation is the purpose of a request, as a verb phrase: "cannot look up studies".
type Operation = wire.Operation

// The operations. See the service contract, "Access tokens", "Submissions" and "Studies".
const (
	FetchToken         = wire.FetchToken
	SubmitNotification = wire.SubmitNotification
	LookUpStudies      = wire.LookUpStudies
)

// Error is the error of an operation. Its untrusted text is sanitized, and can be displayed.
type Error struct {
	Operation Operation

	// Reason is why the last attempt failed, or why it was not retried: Cancelled, TimedOut or, if
	// the attempt has no other reason than its status, WaitTooLong.
	Reason Reason

	// Ambiguous reports whether the service may have processed the request anyway: the request was
	// sent, and no response made the outcome certain.
	Ambiguous bool

	// Definite reports whether there was a response that another attempt would not change.
	Definite bool

	Method   string
	URL      redact.Text // without query
	Key      wire.Key    // without its value if the user chose it
	ID       wire.ID     // of the first ambiguous attempt, or else the last; may be zero
	Time     time.Time   // when that attempt got its connection, or else when it began
	ServerID redact.Text // the id in the response to that attempt, if it differs from ID
	Attempts int         // without the second request after a 401

	// The response to the last attempt, if there was one.
	Status  int         // 0 if there was no response
	Detail  redact.Text // details: "to https://sso.test/login"
	Message redact.Text // the service's error message
	Code    redact.Text // the error code of an OAuth 2.0 error response (RFC 6749, section 5.2)

	GrantedScopes redact.Text   // the scopes of the access token; empty if unknown
	Err           *redact.Error // why there was no response, no usable one, or no retry; may be nil
}

// Error returns one line with the operation, the URL, the response and the request id.
func (e *Error) Error() string {
	text := fmt.Sprintf("cannot %s: %s %s", e.Operation, e.Method, e.URL)
	if e.Status != 0 {
		text += ": " + StatusLine(e.Status)
	}
	if !e.Message.Empty() {
		text += ": " + e.Message.String()
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if !e.ServerID.Empty() {
		text += fmt.Sprintf(" (logged by the server as %q)", e.ServerID)
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

// StatusLine returns status with its standard text: "404 Not Found".
func StatusLine(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

// newError returns the error of request, whose last attempt failed for reason.
func newError(request wire.Request, last *wire.Attempt, reason Reason) *Error {
	secrets := request.Secrets
	if request.Operation == FetchToken { // which may be in the response to a rejected request, too
		secrets = secrets.With(text(membersOf(last.Body).AccessToken))
	}
	e := &Error{
		Operation: request.Operation, Reason: reason, Method: request.Method,
		URL: secrets.CleanURL(last.URL), Key: request.Key, Attempts: last.Number, Status: last.Status,
		Detail: detail(last, reason, secrets),
	}
	e.identify(last, secrets)
	if e.Key.UserChosen {
		e.Key.Value = ""
	}
	success, page := last.Status/100 == 2, reason == HTMLPage
	if !success || page && e.Operation != FetchToken { // a page may contain the token
		e.Code = secrets.Quote(response.OAuthCode(last.Body))
		e.Message = secrets.Quote(errorMessage(last))
	}
	err := last.Err
	if success && !page {
		err = cmp.Or(err, last.BodyErr)
	}
	e.Err = secrets.CleanError(err)
	return e
}

// errorMessage returns the message in the body of an error response or, if there is none, that in
// WWW-Authenticate (RFC 6750, section 3).
func errorMessage(attempt *wire.Attempt) string {
	challenges := strings.Join(attempt.Header.Values("WWW-Authenticate"), ", ")
	message := response.Message(attempt.Header, attempt.Body)
	if json.Valid(attempt.Body) && response.JSONMessage(attempt.Body) == "" {
		return cmp.Or(challenges, message) // JSON without a message, such as {}
	}
	return cmp.Or(strings.TrimSpace(message), challenges)
}

// identify sets the ids and the time to those of attempt.
func (e *Error) identify(attempt *wire.Attempt, secrets *redact.Secrets) {
	e.ID, e.Time, e.ServerID = attempt.ID, attempt.Began, redact.Text{}
	if id := attempt.ServerID(); id != e.ID.Request {
		e.ServerID = secrets.Quote(id)
	}
}

// stop adds why there was no further attempt, although there could have been one. err is that of
// the last attempt; nil if there was a response.
func (e *Error) stop(err, stopped error, secrets *redact.Secrets) {
	e.Reason = cmp.Or(endOf(stopped), e.Reason, WaitTooLong)
	switch {
	case err == nil:
	case endOf(stopped) != NoReason:
		stopped = fmt.Errorf("%w, and %w before another attempt", err, stopped)
	default:
		stopped = fmt.Errorf("%w; %w", err, stopped)
	}
	e.Err = secrets.CleanError(stopped)
}

// detail returns the details of a response, to be read after its status.
func detail(attempt *wire.Attempt, reason Reason, secrets *redact.Secrets) redact.Text {
	switch reason {
	case HTMLPage:
		contentType := cmp.Or(attempt.Header.Get("Content-Type"), "no Content-Type")
		return secrets.Quote("with an HTML page, " + contentType)
	case Firewall:
		return secrets.Quote("from a firewall, x-amzn-waf-action: " + wafAction(attempt))
	case Redirect, Upgrade, TokenEndpointMoved:
		return secrets.Clean("to " + secrets.CleanURL(redirectTarget(attempt)).String())
	default:
		return redact.Text{}
	}
}
