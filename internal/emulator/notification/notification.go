// Package notification parses the body of a submission, and rejects unknown members. See the service
// contract, "Submissions".
package notification

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// Notification is the body of a submission. Its tags and those of [Channel] define the members for
// Parse.
type Notification struct {
	Channels []Channel `json:"channels"` // at least one
	Priority string    `json:"priority"` // HIGH, NORMAL or BATCH
}

// Channel is one channel of a notification. A member that the request lacks is zero.
type Channel struct {
	Type        string            `json:"type"`
	Recipient   []string          `json:"recipient,omitempty"`
	Subject     string            `json:"subject,omitempty"`
	ContentType string            `json:"content_type,omitempty"`
	TemplateID  string            `json:"template_id,omitempty"`
	Fields      map[string]string `json:"fields,omitzero"` // may be empty
}

// Parse parses a notification. The body must be valid JSON. The error names the member that is
// wrong, as in "channels.type is missing".
func Parse(body json.RawMessage) (n Notification, err error) {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&n); err != nil {
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return n, fmt.Errorf("%s has the wrong type", cmp.Or(wrong.Field, "the body"))
		}
		return n, err // names the unknown member
	}
	switch {
	case len(n.Channels) == 0:
		err = errors.New("channels is missing or empty")
	case slices.ContainsFunc(n.Channels, func(c Channel) bool { return c.Type == "" }):
		err = errors.New("channels.type is missing")
	case !slices.Contains([]string{"HIGH", "NORMAL", "BATCH"}, n.Priority):
		err = errors.New("priority must be HIGH, NORMAL or BATCH")
	}
	return n, err
}
