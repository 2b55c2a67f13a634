// Package notification strictly parses the body of a submission. See the service contract,
// "Submissions".
package notification

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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

// Parse parses a notification. The body must be valid JSON. The error names the member that is
// wrong, as in "channels.type is missing".
func Parse(body json.RawMessage) (n Notification, err error) {
	if err := json.Unmarshal(body, &n); err != nil {
		wrong, _ := errors.AsType[*json.UnmarshalTypeError](err)
		return n, fmt.Errorf("%s has the wrong type", cmp.Or(wrong.Field, "the body"))
	}
	// encoding/json merges members that are given twice, or uses the last one.
	if name := givenTwice(json.NewDecoder(bytes.NewReader(body))); name != "" {
		return n, fmt.Errorf("%.100s is given twice", name)
	}
	// It also ignores unknown members, null and the case of names: n then differs from the body.
	var sent, parsed any
	encoded, _ := json.Marshal(n) // cannot fail for this type
	_, _ = json.Unmarshal(body, &sent), json.Unmarshal(encoded, &parsed)
	if path := difference("", sent, parsed); path != "" {
		return n, fmt.Errorf("%.100s is blank, null or unknown: correct it or leave it out", path)
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

// givenTwice reads a value and returns the name of a member that an object in it has twice; empty
// if there is none.
func givenTwice(valid *json.Decoder) (name string) {
	begin, _ := valid.Token()
	names := make(map[json.Token]bool)
	for (begin == json.Delim('{') || begin == json.Delim('[')) && valid.More() {
		if begin == json.Delim('{') {
			member, _ := valid.Token()
			if names[member] {
				return fmt.Sprint(member)
			}
			names[member] = true
		}
		if name = givenTwice(valid); name != "" {
			return name
		}
	}
	if _, isDelim := begin.(json.Delim); isDelim {
		_, _ = valid.Token() // its end
	}
	return ""
}

// difference returns the path of a value in sent, which is at a path itself, that is blank or that
// parsed lacks; empty if there is none. Only values of fields may be blank.
func difference(at string, sent, parsed any) (path string) {
	switch sent := sent.(type) {
	case map[string]any:
		members, _ := parsed.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(sent)) {
			inner := strings.TrimPrefix(at+"."+name, ".")
			value, known := members[name]
			if !known {
				return cmp.Or(inner, "a member without a name")
			}
			if path = difference(inner, sent[name], value); path != "" {
				return path
			}
		}
	case []any:
		items, _ := parsed.([]any)
		for i, item := range sent {
			if i == len(items) { // it also takes "channelſ" for channels
				return at
			}
			if path = difference(at, item, items[i]); path != "" {
				return path
			}
		}
	case string:
		if strings.TrimSpace(sent) == "" && !strings.HasPrefix(at, "channels.fields.") {
			return at
		}
	default: // null: all other types are wrong
		return cmp.Or(at, "the body")
	}
	return ""
}
