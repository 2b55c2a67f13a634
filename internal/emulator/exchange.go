package emulator

import (
	"errors"
	"io"
	"net/http"
)

const (
	// maxBody bounds the bodies that are taken in, in bytes.
	maxBody = 1 << 20
	// maxDiscard bounds what is read and thrown away of a body that is too large:
	// a client that is still writing would miss the answer.
	maxDiscard = 16 * maxBody
)

// errTooLarge is the body error of a request of more than maxBody bytes.
var errTooLarge = errors.New("the body is larger than 1 MiB")

// exchange is one request to the service, the fault it met and what has been
// read of it.
type exchange struct {
	w      http.ResponseWriter
	r      *http.Request
	to     target
	fault  step
	record *Request // guarded by the emulator's lock

	body    []byte // all of it, when bodyErr is nil
	bodyErr error
}

// arrive enters the request in the ledger and takes the fault that is its turn.
func (e *Emulator) arrive(w http.ResponseWriter, r *http.Request, to target) *exchange {
	x := &exchange{w: w, r: r, to: to}
	record := newRequest(r, to, e.now())

	e.mu.Lock()
	defer e.mu.Unlock()
	queue := e.faults[to]
	x.fault = queue.take()
	e.faults[to] = queue
	if x.fault.name != faultPass {
		record.Fault = x.fault.String()
	}
	x.record = record
	e.book.enter(record, connectionOf(r))
	return x
}

// connectionOf identifies the connection that the request came over.
func connectionOf(r *http.Request) any {
	if c, ok := r.Context().Value(connectionKey{}).(*connection); ok {
		return c
	}
	return r.RemoteAddr
}

// read takes in the body. A token request's parameters enter the ledger here,
// whatever becomes of the request.
func (e *Emulator) read(x *exchange) {
	x.body, x.bodyErr = io.ReadAll(io.LimitReader(x.r.Body, maxBody+1))
	if x.bodyErr == nil && len(x.body) > maxBody {
		_, _ = io.CopyN(io.Discard, x.r.Body, maxDiscard) // the answer is the same if it fails
		x.body, x.bodyErr = nil, errTooLarge
	}
	if x.to != toToken || x.bodyErr != nil {
		return
	}
	if form := newForm(x.r, x.body); form != nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		x.record.Form = form
	}
}
