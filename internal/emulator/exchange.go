package emulator

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"terraform-provider-notification/internal/emulator/fault"
	"terraform-provider-notification/internal/emulator/ledger"
	"terraform-provider-notification/internal/emulator/route"
)

const (
	// maxBody bounds the bodies that are read, in bytes.
	maxBody = 1 << 20
	// maxDiscard bounds what is read and thrown away of a body that is too large: a client that is
	// still writing would miss the response.
	maxDiscard = 16 * maxBody
	// readTime bounds how long a body may take to arrive.
	readTime = 30 * time.Second
	// formType is the media type of a token request.
	formType = "application/x-www-form-urlencoded"
)

// errTooLarge is the body error of a request of more than maxBody bytes.
var errTooLarge = errors.New("the body is larger than 1 MiB")

// exchange is one request to the service, the fault it met and what has been read of it.
type exchange struct {
	w      http.ResponseWriter
	r      *http.Request
	target route.Target
	system string
	fault  fault.Step
	book   *ledger.Book   // which holds the record
	record *ledger.Record // guarded by the lock of the service

	mediaType string // of the body; empty where the header does not say, or is malformed
	body      []byte // all of it, when bodyErr is nil
	bodyErr   error
	form      url.Values // of a token request; nil: the body is not a form
}

// arrive enters the request in the ledger and takes the fault that is its turn.
func (s *service) arrive(x *exchange) {
	x.record = &ledger.Record{
		Request: ledger.NewRequest(x.r, x.target, time.Now()), System: x.system,
	}
	if x.target == route.Submission {
		x.record.IdempotencyKey = x.r.Header.Get(s.config.IdempotencyKeyHeader)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	x.fault = s.faults.Take(x.target)
	if x.fault.String() != "pass" {
		x.record.Fault = x.fault.String()
	}
	x.book = s.book
	x.book.Enter(x.record, x.r)
}

// read takes in the body. A token request's parameters enter the ledger here, whatever becomes of
// the request.
func (s *service) read(x *exchange) {
	if mediaType, _, err := mime.ParseMediaType(x.r.Header.Get("Content-Type")); err == nil {
		x.mediaType = mediaType
	}
	x.body, x.bodyErr = readBody(x.w, x.r)
	if x.target != route.Token || x.mediaType != formType || x.bodyErr != nil {
		return
	}
	if form, err := url.ParseQuery(string(x.body)); err == nil {
		x.form = form
		s.mu.Lock()
		defer s.mu.Unlock()
		x.record.Form = ledger.NewForm(form)
	}
}

// readBody reads up to maxBody bytes in readTime. The deadline is that of the body alone: one of
// the server would end responses that are late on purpose.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.Body == http.NoBody {
		return nil, nil
	}
	controller := http.NewResponseController(w)
	_ = controller.SetReadDeadline(time.Now().Add(readTime)) // fails without a connection
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
	complete := err == nil
	if err == nil && len(body) > maxBody {
		_, rest := io.CopyN(io.Discard, r.Body, maxDiscard)
		complete = errors.Is(rest, io.EOF)
		body, err = nil, errTooLarge
	}
	if complete { // or else the server would wait for what is left
		_ = controller.SetReadDeadline(time.Time{}) // as above
	}
	return body, err
}

// bodyProblem is the response to a request whose body could not be read.
func (x *exchange) bodyProblem() response {
	switch {
	case errors.Is(x.bodyErr, errTooLarge):
		return x.refuse(http.StatusRequestEntityTooLarge, x.bodyErr.Error())
	case errors.Is(x.bodyErr, os.ErrDeadlineExceeded):
		return x.refuse(http.StatusRequestTimeout, fmt.Sprintf("the body took more than %s", readTime))
	}
	return x.refuse(http.StatusBadRequest, "the body could not be read")
}

// refuse is an error response in the form of the endpoint.
func (x *exchange) refuse(status int, why string) response {
	if x.target == route.Token {
		return oauthError(status, "invalid_request", why)
	}
	return problem(status, why)
}

// conclude enters what became of the request in the ledger: just before the response is sent, or
// with status 0 where none is. The reason is empty for a request that was accepted.
func (s *service) conclude(x *exchange, status int, reason string) {
	body := "" // a form that was sent to the wrong path holds the secret
	if x.target == route.Submission && x.record.Submission == nil && x.mediaType != formType {
		body = strings.ToValidUTF8(string(x.body), "\uFFFD")
	}
	var request Request
	s.change(func() {
		x.book.Conclude(x.record, status, reason, body)
		request = x.record.Request
	})
	if s.config.Log != nil {
		s.config.Log(request)
	}
}
