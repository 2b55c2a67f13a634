package emulator

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"time"

	"terraform-provider-notification/internal/emulator/notification"
)

// submit responds to a submission. What it accepts is in the ledger when it returns. Idempotency
// keys are those of draft-ietf-httpapi-idempotency-key-header.
func (e *Emulator) submit(x *exchange) response {
	if refusal := e.authorize(x, scopeWrite); refusal != nil {
		return *refusal
	}
	switch {
	case x.mediaType != "application/json":
		return problem(http.StatusUnsupportedMediaType, "the Content-Type must be application/json")
	case x.r.ContentLength < 0:
		return problem(http.StatusLengthRequired, "the Content-Length is missing")
	case x.bodyErr != nil:
		return x.bodyProblem()
	}
	parsed, err := notification.Parse(x.body)
	if invalid, ok := errors.AsType[notification.InvalidError](err); ok {
		return problem(http.StatusUnprocessableEntity, invalid.Error())
	}
	if err != nil {
		return problem(http.StatusBadRequest, err.Error())
	}
	if name := e.config.IdempotencyKeyHeader; len(x.r.Header.Values(name)) > 1 {
		return problem(http.StatusBadRequest, "there is more than one "+name+" header")
	}
	accepted := Submission{
		NotificationID: newUUID(),
		ReceivedAt:     time.Now().UTC(),
		System:         x.system,
		Channels:       parsed.Channels,
		Priority:       parsed.Priority,
		Body:           x.body,
		IdempotencyKey: x.record.IdempotencyKey,
		Trace:          x.record.Trace,
	}
	id := e.acceptOnce(x, accepted)
	if id == "" {
		return problem(http.StatusUnprocessableEntity,
			"this idempotency key was used with another body")
	}
	return jsonResponse(http.StatusCreated, "application/json", struct {
		NotificationID string `json:"notification_id"`
	}{id})
}

// acceptOnce records the notification, or a repetition where one with the same body was accepted
// under its idempotency key. It returns the id of the one that was accepted, or "" where that one
// has another body.
func (e *Emulator) acceptOnce(x *exchange, accepted Submission) (id string) {
	body := sha256.Sum256(accepted.Body)
	e.change(func() {
		first, known := e.keys[accepted.IdempotencyKey]
		switch {
		case !known:
			x.book.Accept(x.record, accepted)
			id = accepted.NotificationID
			if accepted.IdempotencyKey != "" && x.book == e.book { // which was not reset meanwhile
				e.keys[accepted.IdempotencyKey] = keyUse{body, id}
			}
		case first.body == body:
			x.book.Repeat(x.record, first.id)
			id = first.id
		}
	})
	return id
}

// newUUID returns a random UUID, version 4 of RFC 9562.
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // is documented never to fail
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
