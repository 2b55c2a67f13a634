package client

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"terraform-provider-notification/internal/client/redact"
	"terraform-provider-notification/internal/client/response"
	"terraform-provider-notification/internal/client/wire"
)

// Operation is the purpose of a request, and what users can check if it fails.
type Operation struct {
	name string // a verb phrase: "cannot obtain an access token"

	// AddressSetting and PathSetting are the provider settings that make up the URL. PathSetting is
	// empty if there is none.
	AddressSetting, PathSetting string
}

func (o Operation) String() string { return o.name }

// The operations. See the service contract, "Access tokens", "Submissions" and "Studies".
var (
	FetchToken         = Operation{"obtain an access token", "auth_url", ""}
	SubmitNotification = Operation{"submit the notification", "base_url", "notifications_path"}
	LookUpStudies      = Operation{"look up studies", "base_url", "studies_path"}
)

// Error is the error of an operation. Its untrusted text is sanitized, and can be displayed.
type Error struct {
	Operation Operation

	// Reason is why the last attempt failed, or why it was not retried: Cancelled, TimedOut or, if
	// the attempt has no other reason than its status, OutOfTime.
	Reason Reason

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
	Status   int         // 0 if there was no response
	Detail   redact.Text // what the status does not say: "to https://sso.test/login"
	Message  redact.Text // the service's error message
	Code     redact.Text // the error code of an OAuth 2.0 error response (RFC 6749, section 5.2)
	ServerID redact.Text // the server's id for the request, if it differs from ID

	GrantedScopes redact.Text   // the scopes of the access token; empty if unknown
	Err           *redact.Error // why there was no response, no usable one, or no retry; may be nil
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

// StatusLine returns the status with its standard text: "404 Not Found".
func (e *Error) StatusLine() string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status)))
}

// newError returns the error of op, after the attempts at request. Its response is that of the last
// attempt, which failed for reason. Its ids and time are those of the first ambiguous one, if any:
// the outcome of later attempts says nothing about that. stopped is why there was no retry, or nil.
func newError(op Operation, request wire.Request, last, firstAmbiguous *wire.Attempt,
	reason Reason, stopped error,
) *Error {
	tokenError, isTokenError := errors.AsType[*Error](last.Err)
	if isTokenError && firstAmbiguous == nil {
		failed := *tokenError // a copy, since other callers share the error
		failed.Key.UserChosen = request.Key.UserChosen
		return &failed
	}
	secrets := request.Secrets
	identified := cmp.Or(firstAmbiguous, last)
	e := &Error{
		Operation: op, Reason: reason, Ambiguous: firstAmbiguous != nil, Method: request.Method,
		URL: secrets.CleanURL(last.URL), Key: request.Key, ID: identified.ID, Time: identified.Sent,
		Attempts: last.Number, Status: last.Status, Detail: detail(last, reason, secrets),
	}
	if e.Key.UserChosen {
		e.Key.Value = ""
	}
	if id := identified.ServerID(); id != e.ID.Request {
		e.ServerID = secrets.Quote(id)
	}
	page := reason == HTMLPage
	if last.Status/100 != 2 || page && op != FetchToken { // a page may contain the token
		e.Code = secrets.Quote(response.OAuthCode(last.Body))
		e.Message = secrets.Quote(response.Message(last.Header.Get("Content-Type"), last.Body))
	}
	err := last.Err
	if stopped != nil {
		e.Reason = cmp.Or(endOf(stopped), reason, OutOfTime)
		if err = stopped; last.Err != nil {
			err = fmt.Errorf("%w; %w", last.Err, stopped)
			if endOf(stopped) != NoReason {
				err = fmt.Errorf("%w, and %w before another attempt", last.Err, stopped)
			}
		}
	}
	if last.Status/100 == 2 && !page {
		err = cmp.Or(err, last.BodyErr)
	}
	e.Err = secrets.CleanError(err)
	return e
}

// detail returns what the status of a response does not say, to be read after it.
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
		return redact.Text{}
	}
}
