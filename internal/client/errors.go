package client

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"terraform-provider-notification/internal/client/token"
	"terraform-provider-notification/internal/client/wire"
)

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
	switch op {
	case FetchToken:
		return "fetch an access token"
	case SubmitNotification:
		return "submit the notification"
	case LookUpStudies:
		return "look studies up"
	default:
		return "unknown operation"
	}
}

// Error is the failure of an operation. No field holds a secret.
type Error struct {
	Operation Operation

	// Ambiguous reports whether the operation may have been carried out all the
	// same: the request went out, and no answer told what became of it.
	Ambiguous bool

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

	// HTML is the Content-Type of an answer that is an HTML page; empty for others.
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
func (e *Error) Cancelled() bool { return wire.Cancelled(e.Err) }

// TimedOut reports whether the time for the whole operation was used up.
func (e *Error) TimedOut() bool { return wire.TimedOut(e.Err) }

// CertificateRefused reports whether the server did not accept this client's
// certificate, or wants one.
func (e *Error) CertificateRefused() bool { return wire.CertificateRefused(e.Err) }

// NotBearer reports whether the access token is of a type that cannot be used.
func (e *Error) NotBearer() bool { return errors.Is(e.Err, token.ErrNotBearer) }
