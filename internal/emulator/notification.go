package emulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// violation is a request that is JSON but not a notification: its text names the member, such as
// "channels[1].recipient[0] must not be blank".
type violation string

// Error returns the text of the violation.
func (v violation) Error() string { return string(v) }

func violationf(format string, args ...any) error {
	return violation(fmt.Sprintf(format, args...))
}

// parseSubmission reads a notification request (service's page, section 2) and fills in the
// channels and the priority. The error is a violation, or says where the body is not JSON.
//
// It goes through the members one by one because [encoding/json] matches names whatever their case
// and lets the last of several equal ones win.
func parseSubmission(body []byte) (Submission, error) {
	if !utf8.Valid(body) {
		return Submission{}, errors.New("the body is not UTF-8")
	}
	var raw json.RawMessage
	if err := json.Unmarshal(body, &raw); err != nil {
		return Submission{}, fmt.Errorf("the body is not JSON: %w", err)
	}
	members, err := readMembers("the body", raw, "channels", "priority")
	if err != nil {
		return Submission{}, err
	}
	items, err := readItems("channels", members["channels"])
	if err != nil {
		return Submission{}, err
	}
	var s Submission
	for i, item := range items {
		channel, err := readChannel(fmt.Sprintf("channels[%d]", i), item)
		if err != nil {
			return Submission{}, err
		}
		s.Channels = append(s.Channels, channel)
	}
	if s.Priority, err = readText("priority", members["priority"]); err != nil {
		return Submission{}, err
	}
	if !slices.Contains([]string{"HIGH", "NORMAL", "BATCH"}, s.Priority) {
		return Submission{}, violationf("priority must be HIGH, NORMAL or BATCH, not %q", s.Priority)
	}
	return s, nil
}

func readChannel(at string, raw json.RawMessage) (Channel, error) {
	members, err := readMembers(at, raw, "type", "recipient", "subject", "content_type", "template_id", "fields")
	if err != nil {
		return Channel{}, err
	}
	var c Channel
	if c.Type, err = readText(at+".type", members["type"]); err != nil {
		return Channel{}, err
	}
	if raw, ok := members["recipient"]; ok {
		items, err := readItems(at+".recipient", raw)
		if err != nil {
			return Channel{}, err
		}
		for i, item := range items {
			recipient, err := readText(fmt.Sprintf("%s.recipient[%d]", at, i), item)
			if err != nil {
				return Channel{}, err
			}
			c.Recipient = append(c.Recipient, recipient)
		}
	}
	for _, optional := range []struct {
		name string
		to   *string
	}{
		{"subject", &c.Subject},
		{"content_type", &c.ContentType},
		{"template_id", &c.TemplateID},
	} {
		if raw, ok := members[optional.name]; ok {
			if *optional.to, err = readText(at+"."+optional.name, raw); err != nil {
				return Channel{}, err
			}
		}
	}
	if raw, ok := members["fields"]; ok {
		if c.Fields, err = readFields(at+".fields", raw); err != nil {
			return Channel{}, err
		}
	}
	return c, nil
}

func readFields(at string, raw json.RawMessage) (map[string]string, error) {
	members, err := readMembers(at, raw)
	if err != nil {
		return nil, err
	}
	fields := make(map[string]string, len(members))
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if fields[name], err = readString(fmt.Sprintf("%s[%q]", at, name), members[name]); err != nil {
			return nil, err
		}
	}
	return fields, nil
}

// readMembers returns the members of an object. Without known names any are allowed.
func readMembers(at string, raw json.RawMessage, known ...string) (map[string]json.RawMessage, error) {
	if err := expect(at, raw, '{', "an object"); err != nil {
		return nil, err
	}
	members := make(map[string]json.RawMessage)
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if _, err := decoder.Token(); err != nil {
		return nil, err
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return nil, err
		}
		name, _ := key.(string) // a key is nothing else
		if len(known) > 0 && !slices.Contains(known, name) {
			return nil, violationf("%s must not have a member %q, only %s", at, name, strings.Join(known, ", "))
		}
		if _, twice := members[name]; twice {
			return nil, violationf("%s has more than one member %q", at, name)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, err
		}
		members[name] = value
	}
	return members, nil
}

// readItems returns the items of an array that has at least one.
func readItems(at string, raw json.RawMessage) ([]json.RawMessage, error) {
	if err := expect(at, raw, '[', "an array"); err != nil {
		return nil, err
	}
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, violationf("%s must not be empty", at)
	}
	return items, nil
}

// readText returns a string that is not blank.
func readText(at string, raw json.RawMessage) (string, error) {
	text, err := readString(at, raw)
	if err == nil && strings.TrimSpace(text) == "" {
		return "", violationf("%s must not be blank", at)
	}
	return text, err
}

func readString(at string, raw json.RawMessage) (string, error) {
	if err := expect(at, raw, '"', "a string"); err != nil {
		return "", err
	}
	var text string
	err := json.Unmarshal(raw, &text)
	return text, err
}

// expect checks the kind of a value, which its first character gives away. A raw value of nil is a
// member that is missing.
func expect(at string, raw json.RawMessage, first byte, kind string) error {
	switch {
	case len(raw) == 0:
		return violationf("%s is missing", at)
	case string(raw) == "null":
		return violationf("%s must not be null: leave it out or give %s", at, kind)
	case raw[0] != first:
		return violationf("%s must be %s", at, kind)
	}
	return nil
}
