package emulator

import (
	"crypto/rand"
	"errors"
	"fmt"
	"mime"
	"net/http"
)

// submit answers a submission. What it accepts is in the ledger when it returns.
func (e *Emulator) submit(x *exchange) answer {
	if refusal := e.authorize(x.r, scopeWrite); refusal != nil {
		return *refusal
	}
	if mediaType, _, err := mime.ParseMediaType(x.r.Header.Get("Content-Type")); err != nil || mediaType != "application/json" {
		return problem(http.StatusUnsupportedMediaType, "the Content-Type must be application/json")
	}
	switch {
	case x.r.ContentLength < 0:
		return problem(http.StatusLengthRequired, "the Content-Length is missing")
	case x.bodyErr != nil:
		return x.bodyProblem()
	}
	submission, err := parseSubmission(x.body)
	if v, ok := errors.AsType[violation](err); ok {
		return problem(http.StatusUnprocessableEntity, v.Error())
	}
	if err != nil {
		return problem(http.StatusBadRequest, err.Error())
	}
	submission.NotificationID = newUUID()
	submission.ReceivedAt = e.now().UTC()
	submission.System = x.system
	submission.Body = x.body
	submission.Trace = x.record.Trace

	e.mu.Lock()
	x.record.Submission, x.record.NotificationID = &submission, submission.NotificationID
	x.book.notifications++
	e.announce()
	e.mu.Unlock()
	return jsonAnswer(http.StatusCreated, "application/json", struct {
		NotificationID string `json:"notification_id"`
	}{submission.NotificationID})
}

// newUUID returns a random UUID, version 4 of RFC 9562.
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // is documented never to fail
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
