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

// Operation is what a request was for, a verb phrase.
type Operation string

// The operations of the service's page, section 4.
const (
	FetchToken         Operation = "obtain an access token"
	SubmitNotification Operation = "submit the notification"
	LookUpStudies      Operation = "look studies up"
)

// Error is the failure of an operation. What it holds from outside is fit to be shown.
type Error struct {
	Operation Operation

	// Ambiguous reports whether the operation may have been carried out anyway: the request
	// went out, and no answer told what became of it.
	Ambiguous bool

	Method   string
	URL      redact.Text // without query
	Key      wire.Key    // without its value where that is the user's own
	ID       wire.ID     // of the first ambiguous attempt, or of the last; zero when there was none
	Time     time.Time   // when that request got its connection, or its attempt began
	Attempts int         // how many there were

	// The last answer, as far as there was one.
	Status   int
	Message  redact.Text // what the service said
	Code     redact.Text // the error code of an OAuth 2.0 answer (RFC 6749, section 5.2)
	ServerID redact.Text // of the request in the server's log, when it sent one that is not ID's
	HTML     redact.Text // the Content-Type of an HTML page; empty for other answers
	Location redact.Text // where the service redirected to, without query
	Firewall redact.Text // what AWS WAF asked for instead of passing the request on; may be empty

	GrantedScopes redact.Text   // those of the access token; empty when not known
	Err           *redact.Error // why there was no answer, or why it is of no use; may be nil

	// Stopped is why no further attempt was made, where Err says why the last one had no answer.
	Stopped *redact.Error
}

// Error is one line: what was tried, where, and what came back.
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

// StatusLine is the status with its standard text: "404 Not Found".
func (e *Error) StatusLine() string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status)))
}

// Cancelled reports whether the operation ended because its caller gave up.
func (e *Error) Cancelled() bool { return errors.Is(e, wire.ErrCancelled) }

// TimedOut reports whether the time for the whole operation was used up.
func (e *Error) TimedOut() bool { return errors.Is(e, wire.ErrTimedOut) }

// outOfTimeError says that a wait before the next attempt would take all the time that is left.
type outOfTimeError string

func (e outOfTimeError) Error() string { return string(e) }

// OutOfTime reports whether another attempt was due too late: more retries would not have helped.
func (e *Error) OutOfTime() bool {
	_, late := errors.AsType[outOfTimeError](e)
	return late
}

// CertificateRefused reports whether the server rejected this client's certificate or lack of one.
func (e *Error) CertificateRefused() bool { return wire.CertificateRefused(e) }

// errNotBearer says that a token is of another type than Bearer.
var errNotBearer = errors.New("only Bearer tokens can be used")

// NotBearer reports whether the access token is of a type that cannot be used.
func (e *Error) NotBearer() bool { return errors.Is(e, errNotBearer) }

// newError is the error of op, which ended with attempt, the last at request. err is why there was
// no response, or no retry; it may be nil.
func newError(op Operation, request wire.Request, attempt *wire.Attempt, err error) *Error {
	secrets := request.Secrets.With(response.Tokens(attempt.Body)...) // of this response alone
	e := &Error{
		Operation: op, Method: request.Method, URL: address(secrets, attempt.URL), Key: request.Key,
		Attempts: request.Number, Status: attempt.Status,
	}
	if e.Key.Own {
		e.Key.Value = ""
	}
	e.identify(attempt, secrets)
	if attempt.Status < 500 {
		e.Firewall = secrets.Quote(wafAction(attempt))
	}
	if to := redirectTarget(attempt); to != nil {
		e.Location = address(secrets, to)
	}
	contentType := attempt.Header.Get("Content-Type")
	page := response.IsHTMLPage(attempt.Status, contentType, attempt.Body)
	if page {
		e.HTML = secrets.Quote(cmp.Or(contentType, "no Content-Type"))
	}
	switch {
	case attempt.Status/100 != 2, page && op != FetchToken: // which may show the token
		e.Code = secrets.Quote(response.OAuthCode(attempt.Body))
		e.Message = secrets.Quote(response.Message(contentType, attempt.Body))
	case !page:
		err = cmp.Or(err, attempt.BodyErr)
	}
	e.Err = secrets.CleanError(err)
	return e
}

// identify makes e tell which request it is about: attempt.
func (e *Error) identify(attempt *wire.Attempt, secrets *redact.Secrets) {
	e.ID, e.Time, e.ServerID = attempt.ID, attempt.Sent, redact.Text{}
	if id := serverID(attempt.Header); id != e.ID.Request {
		e.ServerID = secrets.Quote(id)
	}
}

var userInfo = regexp.MustCompile(`//[^/]*@`)

// address is u without what may hold secrets: user information, query and fragment.
func address(secrets *redact.Secrets, u *url.URL) redact.Text {
	text := secrets.Clean(u.String()).String() // before it is cut where a secret holds ? or #
	if end := strings.IndexAny(text, "?#"); end >= 0 {
		text = text[:end]
	}
	return secrets.Clean(userInfo.ReplaceAllString(text, "//"))
}

// serverID is the id under which a server or gateway says it logged a request; empty for none.
func serverID(header http.Header) string {
	return cmp.Or(header.Get("X-Request-Id"), header.Get("X-Correlation-Id"),
		header.Get("Request-Id"), header.Get("X-Amzn-Requestid"), header.Get("X-Ms-Request-Id"),
		header.Get("X-Trace-Id"), header.Get("Cf-Ray"))
}

// wafAction is what AWS WAF asks for where it has blocked a request; empty where it has not. To a
// challenge, which only a browser can solve, its response is 202 with an empty body.
func wafAction(attempt *wire.Attempt) string { return attempt.Header.Get("X-Amzn-Waf-Action") }

// redirectTarget is where a response redirects to; nil where that cannot be read.
func redirectTarget(attempt *wire.Attempt) *url.URL {
	location := attempt.Header.Get("Location")
	if to, err := attempt.URL.Parse(location); err == nil && location != "" && to.Host != "" {
		return to
	}
	return nil
}
