// Package wire makes one attempt at a request: it handles connections, TLS, proxies and time
// limits, reads the whole response and logs one line. If there is no response, it reports whether
// the server may have received the request.
package wire

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/notification/terraform-provider-notification/internal/client/redact"
)

// Key is the idempotency key of a submission; zero if it carries none. See the service contract,
// "Idempotency keys".
type Key struct {
	Header string // the header that carries the key
	Value  string
	Own    bool // the user's, not random: it may be secret, and other runs may use it
}

// Request is one request. Send does not modify it, so that it can be retried.
type Request struct {
	Method string
	URL    *url.URL
	Header http.Header // not nil
	Body   []byte
	Key    Key

	// MayRepeat reports whether it is harmless if the server processes the request twice. If it is
	// not, the request gets a separate connection, and up to 6 more seconds to wait for its
	// response after the caller cancels it.
	MayRepeat bool

	Latest time.Time // the latest time at which it may get a connection; zero for no limit

	Limit  int64 // maximum size of a 2xx body in bytes; of any other it is 64 KiB
	Number int   // number of this attempt, starting at 1
	Trace  Trace // the trace of the request

	// Secrets are masked in the log and in errors; they may be nil. If SecretResponse is true, the
	// response may contain others: errors do not quote a response that is not valid HTTP.
	Secrets        *redact.Secrets
	SecretResponse bool
}

// Attempt is the result of one attempt at a request: a response, or the reason why there is none.
type Attempt struct {
	Number int       // that of the Request
	ID     ID        // zero if no server can have logged the request
	URL    *url.URL  // the URL of the request, after redirects
	Began  time.Time // when the request got a connection, or else when the attempt began
	Sent   bool      // whether the server may have received the request

	Status  int // 0 if there is no response
	Header  http.Header
	Body    []byte // without byte order mark (RFC 8259, section 8.1)
	BodyErr error  // why the body is incomplete; nil if it is complete

	Err       error // why there is no response; nil if there is one
	Permanent bool  // whether another attempt would fail in the same way
}

// Unsent returns an attempt at r that failed permanently with err before anything was sent.
func Unsent(r Request, err error) *Attempt {
	return &Attempt{Number: r.Number, URL: r.URL, Began: time.Now(), Err: err, Permanent: true}
}

// ServerID returns the id that a server or gateway assigned to the request; empty if there is none.
func (a *Attempt) ServerID() string {
	h := a.Header
	return cmp.Or(h.Get("X-Request-Id"), h.Get("X-Correlation-Id"), h.Get("Request-Id"),
		h.Get("X-Amzn-Requestid"), h.Get("Apigw-Requestid"), h.Get("X-Ms-Request-Id"),
		h.Get("Activityid"), h.Get("X-Kong-Request-Id"), h.Get("X-Trace-Id"), h.Get("Cf-Ray"),
		h.Get("X-Amz-Cf-Id"))
}

// The errors of attempts that this package makes. Timeouts reported by the network, such as a dial
// timeout, are not among them.
var (
	ErrCancelled        = errors.New("the operation was cancelled")
	ErrTimedOut         = errors.New("the time for the whole operation was used up")
	ErrAttemptTimeout   = errors.New("the time limit of one attempt was reached")
	ErrTooLarge         = errors.New("the response is larger than this provider reads")
	errTooManyRedirects = errors.New("the service redirected the request too many times")
)

// errTooLate is the ErrTimedOut of a request that was not sent, since too little time was left.
var errTooLate error = &rewordedError{"too little time was left for a response", ErrTimedOut}

// ContextError returns the reason why ctx is done: ErrTimedOut or ErrCancelled.
func ContextError(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return ErrTimedOut
	}
	return ErrCancelled
}
