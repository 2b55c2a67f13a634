// Package notification strictly parses the body of a submission. See the service contract,
// "Submissions".
package notification

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
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

// Parse parses a notification. The body must be valid JSON. The error names a member that is
// invalid, as in "channels.type must not be blank".
func Parse(body json.RawMessage) (n Notification, err error) {
	var sent, understood any
	_ = json.Unmarshal(body, &sent) // valid JSON
	if err := json.Unmarshal(body, &n); err != nil {
		wrong, _ := errors.AsType[*json.UnmarshalTypeError](err)
		return n, fmt.Errorf("%s: expected %s", cmp.Or(wrong.Field, "the body"), kind(wrong.Type))
	}
	if _, isObject := sent.(map[string]any); !isObject {
		return n, errors.New("the body: expected an object")
	}
	// The struct ignores unknown members and null, and the case of names. It lacks what was not
	// understood, or differs there.
	again, _ := json.Marshal(n) // cannot fail for this type
	_ = json.Unmarshal(again, &understood)
	if err := compare("", sent, understood); err != nil {
		return n, err
	}
	switch {
	case len(n.Channels) == 0:
		err = errors.New("channels is missing or empty")
	case slices.ContainsFunc(n.Channels, func(c Channel) bool { return c.Type == "" }):
		err = errors.New("channels.type is missing")
	case !slices.Contains([]string{"HIGH", "NORMAL", "BATCH"}, n.Priority):
		err = fmt.Errorf("priority must be HIGH, NORMAL or BATCH, not %q", n.Priority)
	}
	return n, err
}

// kind returns the name of the JSON value that a type decodes.
func kind(of reflect.Type) string {
	switch of.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "an array"
	}
	return "an object"
}

// compare returns an error that names a value of the request, at or below the path at, that is blank
// or was not understood. Only values of fields may be blank.
func compare(at string, sent, understood any) error {
	switch sent := sent.(type) {
	case map[string]any:
		known, _ := understood.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(sent)) {
			path := strings.TrimPrefix(at+"."+name, ".")
			value, ok := known[name]
			if !ok {
				return fmt.Errorf("%s is an unknown member, or null or empty: leave it out", path)
			}
			if err := compare(path, sent[name], value); err != nil {
				return err
			}
		}
	case []any:
		items, _ := understood.([]any)
		if len(items) != len(sent) { // encoding/json takes "channelſ" for channels, too
			return fmt.Errorf("%s is given twice", at)
		}
		for i, item := range sent {
			if err := compare(at, item, items[i]); err != nil {
				return err
			}
		}
	case string:
		if strings.TrimSpace(sent) == "" && !strings.HasPrefix(at, "channels.fields.") {
			return fmt.Errorf("%s must not be blank", at)
		}
	default:
		return fmt.Errorf("%s must not be null", at)
	}
	return nil
}
