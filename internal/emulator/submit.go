package emulator

import (
	"crypto/sha256"
	"encoding/json"
	"net/http"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/notification/terraform-provider-notification/internal/emulator/notification"
)

// submit responds to a submission, and records the notification if it is accepted. See the service
// contract, "Submissions" and "Idempotency keys".
func (e *Emulator) submit(c *call) *response {
	if rejection := e.authorize(c, scopeWrite); rejection != nil {
		return rejection
	}
	switch {
	case c.mediaType != "application/json":
		return problem(http.StatusUnsupportedMediaType, "the Content-Type must be application/json")
	case c.r.ContentLength < 0:
		return problem(http.StatusLengthRequired, "the Content-Length is missing")
	case c.unreadable != nil:
		return c.unreadable
	case !utf8.Valid(c.body):
		return problem(http.StatusBadRequest, "the body is not UTF-8")
	}
	if err := json.Unmarshal(c.body, new(json.RawMessage)); err != nil {
		return problem(http.StatusBadRequest, "the body is not JSON: "+err.Error())
	}
	parsed, err := notification.Parse(c.body)
	if err != nil {
		return problem(http.StatusUnprocessableEntity, err.Error())
	}
	if name := e.config.IdempotencyKeyHeader; len(c.r.Header.Values(name)) > 1 {
		return problem(http.StatusBadRequest, "there is more than one "+name+" header")
	}
	accepted := Submission{
		NotificationID: uuid.NewString(),
		ReceivedAt:     time.Now().UTC(),
		System:         c.system,
		Channels:       parsed.Channels,
		Priority:       parsed.Priority,
		Body:           c.body,
		IdempotencyKey: c.record.IdempotencyKey,
	}
	id := e.acceptOnce(c, accepted)
	if id == "" {
		return problem(http.StatusUnprocessableEntity,
			"this idempotency key was used with another body")
	}
	return jsonResponse(http.StatusCreated, map[string]string{"notification_id": id})
}

// acceptOnce records the notification, or a repetition if one was accepted under its key before. It
// returns the id of the accepted notification, or "" if that has another body.
func (e *Emulator) acceptOnce(c *call, accepted Submission) (id string) {
	body := sha256.Sum256(accepted.Body)
	e.update(func() {
		first, known := e.keys[accepted.IdempotencyKey]
		switch {
		case !known:
			c.store.Accept(c.record, accepted)
			id = accepted.NotificationID
			if accepted.IdempotencyKey != "" && c.store == e.store { // no reset since the request arrived
				e.keys[accepted.IdempotencyKey] = keyUse{body, id}
			}
		case first.body == body:
			c.store.Repeat(c.record, first.id)
			id = first.id
		}
	})
	return id
}
