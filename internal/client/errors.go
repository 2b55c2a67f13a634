package client

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/notification/terraform-provider-notification/internal/client/redact"
	"github.com/notification/terraform-provider-notification/internal/client/response"
	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// Error is the error of an operation. Its untrusted text is sanitized, and can be displayed.
type Error struct {
	Operation Operation

	// Reason is why the last attempt failed, or why it was not retried: Cancelled, TimedOut or, if
	// the attempt has no other reason than its status, WaitTooLong.
	Reason Reason

	// Ambiguous reports whether the service may have processed the request anyway: an attempt was
	// sent, and no response made its outcome certain. OnlySignIn reports whether each such attempt
	// got an HTML page or a 302, which usually come from a gateway.
	Ambiguous, OnlySignIn bool

	Attempts int  // without the second request after a 401
	GaveUp   bool // whether another attempt might have succeeded

	Method   string
	URL      redact.Text // without query
	Key      wire.Key    // without its value if it is the user's own
	ID       wire.ID     // of the first ambiguous attempt, or else the last; may be zero
	Time     time.Time   // when that attempt got its connection, or else when it began
	ServerID redact.Text // the id in the response to that attempt, if it differs from ID

	// The last response, perhaps to an earlier attempt than the last.
	Status  int         // 0 if there was no response
	Detail  redact.Text // details: "to https://sso.test/login"
	Message redact.Text // the service's error message
	Code    redact.Text // the error code of an OAuth 2.0 error response (RFC 6749, section 5.2)
	JSON    redact.Text // the body, if that is JSON that says more than Message

	FirstJSON redact.Text // the JSON of the response to the first ambiguous attempt, if not the last

	TokenError    *Error        // why the last attempt had no access token; nil if it had one
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
	if !e.JSON.Empty() {
		text += ": " + e.JSON.String()
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

// Cause returns the TokenError, or else e.
func (e *Error) Cause() *Error { return cmp.Or(e.TokenError, e) }

// StatusLine returns status with its standard text: "404 Not Found".
func StatusLine(status int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", status, http.StatusText(status)))
}

// failure describes a failed operation; newError turns it into an Error.
type failure struct {
	last           *wire.Attempt // if that was not sent, the last one with a response
	reason         Reason
	firstAmbiguous *wire.Attempt // nil if there was none
	onlySignIn     bool          // whether each ambiguous attempt got an HTML page or a 302
	gaveUp         bool          // whether another attempt might have succeeded
	stopped        error         // why there was none, or no response; nil if max_retries ended them
	granted        []string      // the scopes of the access token; nil if unknown

	// Of a 2xx response: why it is not usable, and the message in it. Both may be empty.
	unusable error
	message  string
}

// newError returns the error of request, which failed as f says.
func newError(op Operation, request wire.Request, f *failure) *Error {
	last, identified, secrets := f.last, cmp.Or(f.firstAmbiguous, f.last), request.Secrets
	if request.SecretResponse { // a rejected request may get a token, too
		secrets = secrets.With(jsonString(membersOf(last.Body).AccessToken))
	}
	message, err := said(request, f)
	e := &Error{
		Operation: op, Method: request.Method, URL: secrets.CleanURL(last.URL), Key: request.Key,
		Reason: f.reason, Ambiguous: f.firstAmbiguous != nil, OnlySignIn: f.onlySignIn,
		Attempts: last.Number, GaveUp: f.gaveUp, ID: identified.ID, Time: identified.Began,
		Status: last.Status, Detail: detail(last, f.reason, secrets),
		Message: secrets.Quote(message), Code: secrets.Quote(response.OAuthCode(last.Body)),
		GrantedScopes: secrets.Quote(strings.Join(f.granted, " ")),
		Err:           secrets.CleanError(joinStop(err, f.stopped)),
	}
	e.TokenError, _ = errors.AsType[*Error](cmp.Or(last.Err, f.stopped))
	if f.stopped != nil {
		e.Reason = cmp.Or(endOf(f.stopped), f.reason, WaitTooLong)
	}
	if e.Key.Own {
		e.Key.Value = ""
	}
	if id := identified.ServerID(); id != e.ID.Request {
		e.ServerID = secrets.Quote(id)
	}
	body := response.JSON(last.Body)
	// Any member of a token response may be a token. Without a message, its JSON is all there is.
	mayQuote := !request.SecretResponse || response.JSONMessage(last.Body) == ""
	if last.Status/100 != 2 && mayQuote && response.SaysMore(last.Body, last.Status) {
		e.JSON = secrets.CleanJSON(body)
	}
	if first := response.JSON(identified.Body); first != body { // such as one that has the id
		e.FirstJSON = secrets.CleanJSON(first)
	}
	return e
}

// said returns the message in the last response, or why there is none, or no usable one.
func said(request wire.Request, f *failure) (message string, err error) {
	last, isPage := f.last, f.reason == HTMLPage
	switch {
	case last.Err != nil:
		return "", last.Err
	case last.Status/100 != 2, isPage && !request.SecretResponse:
		return errorMessage(last), nil
	case isPage: // it may hold a token
		return "", nil
	default:
		return f.message, cmp.Or(f.unusable, last.BodyErr)
	}
}

// joinStop returns the error of the last attempt with why there was no further one. Both may be nil.
func joinStop(err, stopped error) error {
	switch {
	case err == nil || stopped == nil:
		return cmp.Or(err, stopped)
	case endOf(stopped) != NoReason:
		return fmt.Errorf("%w, and %w before another attempt", err, stopped)
	default:
		return fmt.Errorf("%w; %w", err, stopped)
	}
}

// errorMessage returns the message in the body of an error response, and that in WWW-Authenticate
// (RFC 6750, section 3) if it names an error, or if the body has no message.
func errorMessage(attempt *wire.Attempt) string {
	challenges := strings.Join(attempt.Header.Values("WWW-Authenticate"), ", ")
	message := strings.TrimSpace(response.Message(attempt.Header, attempt.Body))
	switch {
	case response.IsEmpty([]byte(message)): // such as null
		return cmp.Or(challenges, message)
	case strings.Contains(strings.ToLower(challenges), "error"): // AWS only says "Unauthorized"
		return message + "; " + challenges
	}
	return message
}

// detail returns the details of a response, to be read after its status.
func detail(attempt *wire.Attempt, reason Reason, secrets *redact.Secrets) redact.Text {
	switch reason {
	case HTMLPage:
		contentType := cmp.Or(attempt.Header.Get("Content-Type"), "no Content-Type")
		return secrets.Quote("with an HTML page, " + contentType)
	case Firewall:
		return secrets.Quote("from a firewall, x-amzn-waf-action: " + wafAction(attempt))
	case Redirect:
		return secrets.Clean("to " + secrets.CleanURL(redirectTarget(attempt)).String())
	default:
		encoding := attempt.Header.Get("Content-Encoding")
		if encoding != "" && response.IsUnreadable(attempt.Header, attempt.Body) {
			return secrets.Quote("with Content-Encoding " + encoding)
		}
		return redact.Text{}
	}
}
