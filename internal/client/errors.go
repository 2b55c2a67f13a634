package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"terraform-provider-notification/internal/client/token"
	"terraform-provider-notification/internal/client/wire"
)

// RequestID names an attempt at a request to those who operate the servers.
type RequestID = wire.ID

// Operation is what a request was for.
type Operation int

// The operations of the service's page, section 4.
const (
	FetchToken Operation = iota + 1
	SubmitNotification
	LookUpStudies
)

// String is a verb phrase: "submit the notification".
func (op Operation) String() string {
	return map[Operation]string{
		FetchToken:         "obtain an access token",
		SubmitNotification: "submit the notification",
		LookUpStudies:      "look studies up",
	}[op]
}

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
	if e.ServerID != "" {
		fmt.Fprintf(&b, " (to the server %q)", e.ServerID)
	}
	if e.ID.Request != "" {
		fmt.Fprintf(&b, " (%s)", e.ID)
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// tokenError is the *Error about a token that was not obtained: of the request for it, of its
// answer, or of ctx, which ended the wait for it.
func tokenError(ctx context.Context, address string, err error) *Error {
	var failed *Error
	if errors.As(err, &failed) {
		return failed
	}
	failed = &Error{
		Operation: FetchToken, Method: http.MethodPost, URL: address,
		Time: time.Now(), Attempts: 1,
	}
	var answered *token.Error
	if errors.As(err, &answered) {
		failed.Status, failed.ID = http.StatusOK, answered.ID
		failed.Code, failed.Message, failed.Err = answered.Code, answered.Message, answered.Err
	} else {
		failed.Err = wire.ContextError(ctx)
	}
	return failed
}

// StatusLine is the status with its standard text: "404 Not Found".
func (e *Error) StatusLine() string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status)))
}

// Cancelled reports whether the operation ended because its caller gave up.
func (e *Error) Cancelled() bool { return errors.Is(e.Err, wire.ErrCancelled) }

// TimedOut reports whether the time for the whole operation was used up.
func (e *Error) TimedOut() bool { return errors.Is(e.Err, wire.ErrTimedOut) }

// CertificateRefused reports whether the server rejected this client's certificate, or the lack of
// one.
func (e *Error) CertificateRefused() bool { return wire.CertificateRefused(e.Err) }

// NotBearer reports whether the access token is of a type that cannot be used.
func (e *Error) NotBearer() bool { return errors.Is(e.Err, token.ErrNotBearer) }
