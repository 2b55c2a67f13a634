// Package notification strictly parses the body of a submission. See the service contract,
// "Submissions".
package notification

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Notification is the body of a submission. Its tags and those of [Channel] define the members for
// Parse. A member without omitempty is required.
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
	Fields      map[string]string `json:"fields,omitempty"`
}

// member returns the JSON name of a field, and whether the member is optional.
func member(field reflect.StructField) (name string, optional bool) {
	return strings.CutSuffix(field.Tag.Get("json"), ",omitempty")
}

// Parse parses a notification. The body must be valid JSON. The error names the first member that is
// invalid, as in "channels[1].recipient[0] must not be blank".
//
// It decodes the members one by one because [encoding/json] ignores the case of their names and
// silently accepts duplicates.
func Parse(body json.RawMessage) (Notification, error) {
	var p parser
	var n Notification
	p.read("", bytes.TrimSpace(body), reflect.ValueOf(&n).Elem())
	if !slices.Contains([]string{"HIGH", "NORMAL", "BATCH"}, n.Priority) {
		p.fail("priority must be HIGH, NORMAL or BATCH, not %q", n.Priority)
	}
	return n, p.err
}

// parser decodes valid JSON and keeps the first error, after which its methods do nothing.
type parser struct{ err error }

// read decodes the value of the member named at into to.
func (p *parser) read(at string, raw json.RawMessage, to reflect.Value) {
	switch to.Kind() {
	case reflect.Struct:
		var names []string
		for field := range to.Type().Fields() {
			name, _ := member(field)
			names = append(names, name)
		}
		members := p.members(cmp.Or(at, "the body"), raw, names...)
		for field, value := range to.Fields() {
			name, optional := member(field)
			if raw, given := members[name]; given || !optional {
				p.read(strings.TrimPrefix(at+"."+name, "."), raw, value)
			}
		}
	case reflect.Slice:
		var items []json.RawMessage
		if p.expect(at, raw, '[', "an array") {
			_ = json.Unmarshal(raw, &items) // valid JSON
		}
		if len(items) == 0 {
			p.fail("%s must not be empty", at)
		}
		to.Set(reflect.MakeSlice(to.Type(), len(items), len(items)))
		for i, item := range items {
			p.read(fmt.Sprintf("%s[%d]", at, i), item, to.Index(i))
		}
	case reflect.Map:
		texts := make(map[string]string)
		members := p.members(at, raw)
		for _, name := range slices.Sorted(maps.Keys(members)) {
			texts[name] = p.string(fmt.Sprintf("%s[%q]", at, name), members[name])
		}
		to.Set(reflect.ValueOf(texts))
	default:
		to.SetString(p.string(at, raw))
		if strings.TrimSpace(to.String()) == "" {
			p.fail("%s must not be blank", at)
		}
	}
}

// members returns the members of an object. If known is not empty, it allows only those names.
func (p *parser) members(
	at string, raw json.RawMessage, known ...string,
) map[string]json.RawMessage {
	if !p.expect(at, raw, '{', "an object") {
		return nil
	}
	members := make(map[string]json.RawMessage)
	decoder := json.NewDecoder(bytes.NewReader(raw))
	_, _ = decoder.Token() // the brace; nothing here fails, because raw is valid JSON
	for decoder.More() {
		key, _ := decoder.Token()
		name, _ := key.(string)
		if len(known) > 0 && !slices.Contains(known, name) {
			p.fail("%s must not have a member %q, only %s", at, name, strings.Join(known, ", "))
			return nil
		}
		if _, twice := members[name]; twice {
			p.fail("%s has more than one member %q", at, name)
			return nil
		}
		var value json.RawMessage
		_ = decoder.Decode(&value)
		members[name] = value
	}
	return members
}

func (p *parser) string(at string, raw json.RawMessage) (text string) {
	if p.expect(at, raw, '"', "a string") {
		_ = json.Unmarshal(raw, &text) // valid JSON
	}
	return text
}

// expect checks the kind of a value by its first character. A nil value is a missing member.
func (p *parser) expect(at string, raw json.RawMessage, first byte, kind string) bool {
	switch {
	case len(raw) == 0:
		p.fail("%s is missing", at)
	case string(raw) == "null":
		p.fail("%s must not be null: leave it out or give %s", at, kind)
	case raw[0] != first:
		p.fail("%s must be %s", at, kind)
	}
	return p.err == nil
}

func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}
