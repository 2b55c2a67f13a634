package client

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"terraform-provider-notification/internal/client/answer"
	"terraform-provider-notification/internal/client/redact"
	"terraform-provider-notification/internal/client/token"
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

// Error is the failure of an operation. No field holds a secret.
type Error struct {
	Operation Operation

	// Ambiguous reports whether the operation may have been carried out all the same: the request
	// went out, and no answer told what became of it.
	Ambiguous bool

	Method   string
	URL      string    // without query
	ID       wire.ID   // of the last attempt; zero when nothing was tried
	Time     time.Time // when the last request got its connection, or its attempt began
	Attempts int       // how many there were

	// The last answer, as far as there was one.
	Status   int
	Message  string // what the service said, one line of cleaned text
	Code     string // the error code of an OAuth 2.0 answer (RFC 6749, section 5.2)
	ServerID string // how the server logged the request, when it said so by another id than ID
	HTML     string // the Content-Type of an HTML page; empty for other answers
	Location string // where the service redirected to, without query

	GrantedScopes []string // those of the access token; nil when not known
	Err           error    // why there was no answer, or why it is of no use
}

// Error is one line: what was tried, where, and what came back.
func (e *Error) Error() string {
	text := fmt.Sprintf("cannot %s: %s %s", e.Operation, e.Method, e.URL)
	if e.Status != 0 {
		text += ": " + e.StatusLine()
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if e.ServerID != "" {
		text += fmt.Sprintf(" (to the server %q)", e.ServerID)
	}
	if e.ID.Request != "" {
		text += fmt.Sprintf(" (%s)", e.ID)
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// StatusLine is the status with its standard text: "404 Not Found".
func (e *Error) StatusLine() string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status)))
}

// Cancelled reports whether the operation ended because its caller gave up.
func (e *Error) Cancelled() bool { return errors.Is(e.Err, wire.ErrCancelled) }

// TimedOut reports whether the time for the whole operation was used up.
func (e *Error) TimedOut() bool { return errors.Is(e.Err, wire.ErrTimedOut) }

// CertificateRefused reports whether the server rejected this client's certificate or lack of one.
func (e *Error) CertificateRefused() bool { return wire.CertificateRefused(e.Err) }

// NotBearer reports whether the access token is of a type that cannot be used.
func (e *Error) NotBearer() bool { return errors.Is(e.Err, token.ErrNotBearer) }

// describe adds what attempt, the last at request, tells of the failure.
func (e *Error) describe(request wire.Request, attempt *wire.Attempt, secrets *redact.Secrets) {
	e.Method, e.Attempts = request.Method, request.Number
	e.URL = secrets.Clean(bareURL(attempt.URL))
	e.ID, e.Time, e.Status = attempt.ID, attempt.Sent, attempt.Status
	e.Location = secrets.Quote(location(attempt))
	e.ServerID = secrets.Quote(serverID(attempt.Header))
	if e.ServerID == e.ID.Request {
		e.ServerID = ""
	}
	e.Err = cmp.Or(e.Err, attempt.Err)
	contentType := attempt.Header.Get("Content-Type")
	page, success := answer.IsHTML(contentType, attempt.Body), attempt.Status/100 == 2
	if success && page {
		e.HTML = secrets.Quote(cmp.Or(contentType, "no Content-Type"))
	}
	if success && !page {
		e.Err = cmp.Or(e.Err, attempt.BodyErr)
	} else {
		e.Code = secrets.Quote(answer.OAuthCode(attempt.Body))
		if e.Operation != FetchToken || !bytes.Contains(attempt.Body, []byte("access_token")) {
			// A token that an error holds is in no set of secrets.
			e.Message = secrets.Quote(answer.Message(contentType, attempt.Body))
		}
	}
	e.Err = secrets.CleanError(e.Err)
}

// tokenError is the *Error about a token that was not obtained: of the request for it, of its
// answer, or of ctx, which ended the wait for it.
func tokenError(ctx context.Context, address string, err error) *Error {
	var failed *Error
	if errors.As(err, &failed) {
		return failed
	}
	failed = &Error{Operation: FetchToken, Method: http.MethodPost, URL: address, Attempts: 1}
	failed.Time, failed.Err = time.Now(), wire.ContextError(ctx)
	var answered *token.Error
	if errors.As(err, &answered) {
		failed.Status, failed.ID = http.StatusOK, answered.ID
		failed.Code, failed.Message, failed.Err = answered.Code, answered.Message, answered.Err
	}
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

// serverID is the id under which a server or gateway says it logged a request; empty for none.
func serverID(header http.Header) string {
	return cmp.Or(header.Get("X-Request-Id"), header.Get("X-Correlation-Id"),
		header.Get("Request-Id"), header.Get("X-Amzn-Requestid"), header.Get("X-Ms-Request-Id"),
		header.Get("X-Trace-Id"), header.Get("Cf-Ray"))
}
