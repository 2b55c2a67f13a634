package client

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/notification/terraform-provider-notification/internal/client/redact"
	"github.com/notification/terraform-provider-notification/internal/client/response"
	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// NotificationRequest is the body of a submission. Unset members are omitted. See the service
// contract, "Submissions".
type NotificationRequest struct {
	Channels []Channel `json:"channels"`
	Priority string    `json:"priority"`
}

// Channel is one channel of a notification. A nil member is unset; an empty map or list is not.
type Channel struct {
	Type        string            `json:"type"`
	Recipient   []string          `json:"recipient,omitzero"`
	Subject     *string           `json:"subject,omitzero"`
	ContentType *string           `json:"content_type,omitzero"`
	TemplateID  *string           `json:"template_id,omitzero"`
	Fields      map[string]string `json:"fields,omitzero"`

	// SecretFields are merged into Fields, and masked in errors. For a key in both, the value in
	// Fields is sent.
	SecretFields map[string]string `json:"-"`
}

// NotificationID is an id that was checked. See the service contract, "Submissions".
type NotificationID = redact.ID

// Receipt describes the 2xx response to a submission. Its untrusted text is sanitized, and can be
// displayed.
type Receipt struct {
	NotificationID NotificationID // as the service returned it; empty if there is no usable one

	// Failures is what the response says about failures although it has an id: the whole body of a
	// 207, or else the members error and errors of the JSON. It may be empty.
	Failures redact.Text

	// ID is that of the request, and Time when the response arrived. Without a notification id,
	// both are those of the first ambiguous attempt, if there was one.
	ID   wire.ID
	Time time.Time

	Status int

	// Without a notification id: why, and what a complete response says instead, since its message
	// may leave out that nobody was notified, or the id. All but NoID may be empty.
	NoID     redact.Text
	Message  redact.Text
	JSON     redact.Text // the body, if it is a JSON object or array
	Location redact.Text // the field, without user information and query
}

// SubmitNotification submits a notification, and never causes it to be sent twice: it retries only
// if the service did not process the submission, or if it carries an idempotency key. An empty key
// means a random one; without an IdempotencyKeyHeader none is sent. An error is an *Error, whose
// Ambiguous reports whether the notification may have been submitted. A 2xx response without a
// usable id is not an error, unless it is an HTML page or a firewall's. Without a deadline, ctx is
// limited to DefaultTimeout; once it is cancelled, a request that has a connection waits up to 6
// seconds more for its response.
func (c *Client) SubmitNotification(
	ctx context.Context, request NotificationRequest, key string,
) (*Receipt, error) {
	body, fieldValues := encode(request)
	withFields := c.secrets.With(fieldValues...)
	secrets := withFields.With(key)
	submission := c.config.request(SubmitNotification, secrets)
	submission.Body = body
	if header := c.config.IdempotencyKeyHeader; header != "" {
		submission.Key = wire.Key{
			Header: header, Value: cmp.Or(key, uuid.NewString()), Own: key != "",
		}
	}
	attempt, firstAmbiguous, err := c.do(ctx, SubmitNotification, submission)
	if err != nil {
		return nil, err
	}
	receipt := &Receipt{ID: attempt.ID, Time: time.Now(), Status: attempt.Status}
	fields := attempt.ID.LogFields()
	id, err := notificationID(attempt, withFields) // some services return the key as the id
	if err == nil {
		receipt.NotificationID, fields["notification_id"] = id, id.String()
		failures, _ := response.ErrorMembers(attempt.Body)
		if attempt.Status == http.StatusMultiStatus {
			failures = string(attempt.Body)
		}
		receipt.Failures = secrets.CleanJSON(failures)
		tflog.Info(ctx, "Submitted notification", fields)
		return receipt, nil
	}
	tflog.Info(ctx, "Received no notification id", fields)
	if firstAmbiguous != nil {
		receipt.ID, receipt.Time = firstAmbiguous.ID, firstAmbiguous.Began
	}
	receipt.NoID = secrets.Clean(err.Error())
	if attempt.BodyErr == nil {
		receipt.Message = secrets.Quote(response.Message(attempt.Header, attempt.Body))
		receipt.JSON = secrets.CleanJSON(response.JSON(attempt.Body))
	}
	receipt.Location = secrets.CleanReference(attempt.Header.Get("Location"))
	return receipt, nil
}

// encode returns request as JSON, and the secrets that it contains.
func encode(request NotificationRequest) (body []byte, secrets []string) {
	request.Channels = slices.Clone(request.Channels)
	for i, channel := range request.Channels {
		if len(channel.SecretFields) == 0 {
			continue
		}
		secrets = slices.AppendSeq(secrets, maps.Values(channel.SecretFields))
		merged := maps.Clone(channel.SecretFields)
		maps.Copy(merged, channel.Fields)
		request.Channels[i].Fields = merged
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(request) // strings can always be encoded
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), secrets
}

// notificationID returns the notification_id of a response, whatever its Content-Type. It must not
// repeat one of secrets.
func notificationID(attempt *wire.Attempt, secrets *redact.Secrets) (NotificationID, error) {
	var none NotificationID
	var members struct {
		ID json.RawMessage `json:"notification_id"` // in any case; the last one counts
	}
	body := bytes.TrimSpace(attempt.Body)
	err := json.Unmarshal(body, &members)
	switch {
	case err != nil && errors.Is(attempt.BodyErr, wire.ErrTooLarge):
		return none, attempt.BodyErr
	case err != nil && attempt.BodyErr != nil:
		got := len(attempt.Body)
		return none, fmt.Errorf("the response broke off after %d bytes: %w", got, attempt.BodyErr)
	case len(body) == 0:
		return none, errors.New("the response was empty")
	case err != nil:
		return none, errors.New("the response is not a JSON object")
	case members.ID == nil:
		return none, errors.New("the response has no member notification_id")
	case string(members.ID) == "null":
		return none, errors.New("the member notification_id of the response is null")
	}
	var id string
	if json.Unmarshal(members.ID, &id) != nil {
		return none, errors.New("the member notification_id of the response is not a string")
	}
	checked, err := secrets.CheckID(id)
	if err != nil {
		return none, fmt.Errorf("the member notification_id of the response %w", err)
	}
	return checked, nil
}

// CheckNotificationID checks an id that does not come from a response, as the response's is checked.
func CheckNotificationID(id string) (NotificationID, error) {
	return new(redact.Secrets).CheckID(id)
}
