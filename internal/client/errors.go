package client

import (
	"cmp"
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

	// Reason is why the last attempt failed. Stopped is why it was not retried although it could
	// have been: Cancelled, TimedOut or OutOfTime; NoReason if there were no retries left.
	Reason, Stopped wire.Reason

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

// newError returns the error of op, whose last attempt at request was attempt. err is the reason
// why there was no response or no retry, or nil.
func newError(op Operation, request wire.Request, attempt *wire.Attempt, err error) *Error {
	secrets := request.Secrets
	e := &Error{
		Operation: op, Reason: attempt.Reason, Method: request.Method,
		URL: secrets.CleanURL(attempt.URL), Key: request.Key,
		Attempts: request.Number, Status: attempt.Status,
	}
	if e.Key.UserChosen {
		e.Key.Value = ""
	}
	e.identify(attempt, secrets)
	if attempt.Reason == wire.Firewall {
		e.WAFAction = secrets.Quote(attempt.WAFAction())
	}
	if to := attempt.RedirectTarget(); to != nil {
		e.Location = secrets.CleanURL(to)
	}
	contentType := attempt.Header.Get("Content-Type")
	page := attempt.Reason == wire.HTMLPage
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
	if id := attempt.ServerID(); id != e.ID.Request {
		e.ServerID = secrets.Quote(id)
	}
}
