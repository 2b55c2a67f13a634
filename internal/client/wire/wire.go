// Package wire makes one attempt at a request: it handles connections, TLS, proxies and time
// limits, reads the whole response and logs one line. If there is no response, it reports whether
// the server may have received the request.
package wire

import (
	"cmp"
	"net/http"
	"net/url"
	"time"

	"terraform-provider-notification/internal/client/redact"
)

// Key is the idempotency key of a submission. See the service contract, "Idempotency keys".
type Key struct {
	Header     string // the header that carries the key; empty if the service does not honour keys
	Value      string
	UserChosen bool // not random: it may be secret, and other runs may use it
}

// Kind is the purpose of a request.
type Kind int

// The kinds.
const (
	// Lookup is a request that can be repeated without harm.
	Lookup Kind = iota

	// Submission is a request that must not be processed twice. It gets a separate connection, and
	// up to 10 more seconds to wait for its response after the caller cancels it.
	Submission

	// TokenRequest is a lookup whose response may contain a secret that is not in Secrets yet.
	// Errors do not quote a response to it that is not valid HTTP.
	TokenRequest
)

// Request is one request. Send does not modify it, so that it can be retried.
type Request struct {
	Method string
	URL    *url.URL
	Header http.Header
	Body   []byte

	Kind Kind
	Key  Key // zero unless it is a Submission

	Limit  int64 // maximum size of a 2xx body in bytes; of any other it is 64 KiB
	Number int   // number of this attempt, for the log, starting at 1
	Trace  Trace // the trace of the request

	Secrets *redact.Secrets // masked in the log and in errors; may be nil
}

// NotSent returns a permanent attempt at r that failed with err before anything was sent.
func (r Request) NotSent(err error) *Attempt {
	return &Attempt{
		URL: r.URL, Sent: time.Now(), Err: err, Reason: ReasonOf(err), Permanent: true,
	}
}

// Attempt is the result of one attempt at a request: a response, or the reason why there is none.
type Attempt struct {
	ID      ID        // zero for an attempt of NotSent
	URL     *url.URL  // the URL of the request, after redirects
	Sent    time.Time // when the request got a connection, or else when the attempt began
	Written bool      // whether the server may have received the whole request before it responded

	Status  int // 0 if there is no response
	Header  http.Header
	Body    []byte // without byte order mark (RFC 8259, section 8.1)
	BodyErr error  // why the body is incomplete; nil if it is complete

	Err       error  // why there is no response; nil if there is one
	Reason    Reason // why the attempt failed
	Permanent bool   // whether another attempt would fail in the same way
}

// ServerID returns the id that a server or gateway assigned to the request; empty if there is none.
func (a *Attempt) ServerID() string {
	return cmp.Or(a.Header.Get("X-Request-Id"), a.Header.Get("X-Correlation-Id"),
		a.Header.Get("Request-Id"), a.Header.Get("X-Amzn-Requestid"),
		a.Header.Get("X-Ms-Request-Id"), a.Header.Get("X-Trace-Id"), a.Header.Get("Cf-Ray"))
}

// WAFAction returns the action that AWS WAF requires after it blocked the request; empty if it did
// not. AWS WAF sends a challenge, which only a browser can solve, with status 202 and no body.
func (a *Attempt) WAFAction() string { return a.Header.Get("X-Amzn-Waf-Action") }

// RedirectTarget returns the URL that the response redirects to, or nil without a valid Location.
func (a *Attempt) RedirectTarget() *url.URL {
	location := a.Header.Get("Location")
	if to, err := a.URL.Parse(location); err == nil && location != "" && to.Host != "" {
		return to
	}
	return nil
}
