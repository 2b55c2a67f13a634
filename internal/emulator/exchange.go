package emulator

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

const (
	// maxBody bounds the bodies that are taken in, in bytes.
	maxBody = 1 << 20
	// maxDiscard bounds what is read and thrown away of a body that is too large: a client that is
	// still writing would miss the answer.
	maxDiscard = 16 * maxBody
	// readTime bounds how long a body may take to arrive.
	readTime = 30 * time.Second
)

// errTooLarge is the body error of a request of more than maxBody bytes.
var errTooLarge = errors.New("the body is larger than 1 MiB")

// exchange is one request to the service, the fault it met and what has been read of it.
type exchange struct {
	w      http.ResponseWriter
	r      *http.Request
	to     target
	system string
	fault  step
	book   *book   // which holds the record
	record *record // guarded by the emulator's lock

	body    []byte // all of it, when bodyErr is nil
	bodyErr error
}

// arrive enters the request in the ledger and takes the fault that is its turn.
func (e *Emulator) arrive(
	w http.ResponseWriter, r *http.Request, to target, system string,
) *exchange {
	x := &exchange{w: w, r: r, to: to, system: system}
	x.record = &record{Request: newRequest(r, to, e.now())}

	e.mu.Lock()
	defer e.mu.Unlock()
	queue := e.faults[to]
	x.fault = queue.take()
	e.faults[to] = queue
	if x.fault.name != "pass" {
		x.record.Fault = x.fault.text
	}
	x.book = e.book
	x.book.enter(x.record, r)
	return x
}

// read takes in the body. A token request's parameters enter the ledger here, whatever becomes of
// the request.
func (e *Emulator) read(x *exchange) {
	x.body, x.bodyErr = readBody(x.w, x.r)
	if x.to != targetToken || x.bodyErr != nil {
		return
	}
	if form := newForm(x.r, x.body); form != nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		x.record.Form = form
	}
}

// readBody reads up to maxBody bytes in readTime. The deadline is that of the body alone: one of
// the server would end answers that are late on purpose.
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

// bodyProblem is the answer to a request whose body could not be read.
func (x *exchange) bodyProblem() answer {
	switch {
	case errors.Is(x.bodyErr, errTooLarge):
		return x.refuse(http.StatusRequestEntityTooLarge, x.bodyErr.Error())
	case errors.Is(x.bodyErr, os.ErrDeadlineExceeded):
		return x.refuse(http.StatusRequestTimeout, fmt.Sprintf("the body took more than %s", readTime))
	}
	return x.refuse(http.StatusBadRequest, "the body could not be read")
}

// refuse is an error answer in the form of the endpoint.
func (x *exchange) refuse(status int, why string) answer {
	if x.to == targetToken {
		return oauthError(status, "invalid_request", why)
	}
	return problem(status, why)
}

// conclude enters what became of the request in the ledger: just before the answer goes out, or
// with status 0 where none does. The reason is empty for a request that was accepted.
func (e *Emulator) conclude(x *exchange, status int, reason string) {
	e.mu.Lock()
	x.record.Status, x.record.Reason = status, reason
	if reason != "" && x.record.Submission == nil {
		x.book.rejected++
	}
	x.book.weigh(x.record, e.config.LedgerLimit)
	e.announce()
	request := x.record.Request
	e.mu.Unlock()
	if e.config.Log != nil {
		e.config.Log(request)
	}
}
