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

// submit responds to a submission, and records the notification if it is accepted. See the service
// contract, "Submissions" and "Idempotency keys".
func (e *Emulator) submit(x *exchange) response {
	if rejection := e.authorize(x, scopeWrite); rejection != nil {
		return *rejection
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

// acceptOnce records the notification, or a repetition if one with the same body was accepted under
// its idempotency key before. It returns the id of the accepted notification, or "" if the earlier
// one has another body.
func (e *Emulator) acceptOnce(x *exchange, accepted Submission) (id string) {
	body := sha256.Sum256(accepted.Body)
	e.update(func() {
		first, known := e.keys[accepted.IdempotencyKey]
		switch {
		case !known:
			x.store.Accept(x.record, accepted)
			id = accepted.NotificationID
			if accepted.IdempotencyKey != "" && x.store == e.store { // no reset since the request arrived
				e.keys[accepted.IdempotencyKey] = keyUse{body, id}
			}
		case first.body == body:
			x.store.Repeat(x.record, first.id)
			id = first.id
		}
	})
	return id
}

// newUUID returns a random UUID (version 4 of RFC 9562).
func newUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never returns an error
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
