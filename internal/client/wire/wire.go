// Package wire makes one attempt at a request: sockets, TLS and proxies, time limits, one log line,
// and the answer as a whole.
//
// Its promise is to tell whether the server may have got a request that got no answer.
package wire

import (
	"net/http"
	"net/url"
	"time"

	"terraform-provider-notification/internal/client/redact"
)

// Key identifies a submission to a service that recognises it: one that answers a key which it has
// seen with its first answer, and does nothing more.
type Key struct {
	Header string // that carries it; empty for a service that recognises none
	Value  string
	Own    bool // chosen by the user, who may keep it secret, and other runs may submit under it
}

// Request is one request. It is not changed, so that it can be sent again.
type Request struct {
	Method string
	URL    *url.URL
	Header http.Header
	Body   []byte

	// Submission reports that the request must not be carried out twice. It gets a connection of
	// its own, and 10 s more for its answer after its caller was cancelled.
	Submission bool
	Key        Key // zero for what is not a submission

	// Confidential reports that the response may hold a secret that is not among Secrets yet: no
	// error quotes what is not HTTP.
	Confidential bool

	Limit  int64 // how many bytes of a 2xx answer are read; of others it is 64 KiB
	Number int   // of this attempt, for the log; the first is 1
	Trace  Trace // that the request belongs to

	Secrets *redact.Secrets // that no log line and no error may hold; may be nil
}

// NotSent is an attempt at r that ended with err before anything was sent, as would any other.
func (r Request) NotSent(err error) *Attempt {
	return &Attempt{URL: r.URL, Sent: time.Now(), Err: err, Permanent: true}
}

// Attempt is what became of one attempt at a request: an answer, or why there is none.
type Attempt struct {
	ID      ID        // zero when nothing was sent
	URL     *url.URL  // of the request; of an answer, after redirects
	Sent    time.Time // when the request got its connection, or the attempt began
	Written bool      // whether the server may have got the whole request before it answered

	Status  int // 0 when there is no answer
	Header  http.Header
	Body    []byte // without byte order mark (RFC 8259, section 8.1)
	BodyErr error  // why the body is not whole; nil when it is

	Err       error // why there is no answer; nil when there is one
	Permanent bool  // whether another attempt would come to the same
}
