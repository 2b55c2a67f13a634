// Package notification reads the body of a submission (service's page, section 2), and is strict
// about it.
package notification

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Notification is what a submission asks the service to send. Its tags, and those of [Channel], are
// the only list of members: how they are read and what the ledger can be asked for follow from it.
// A member without omitempty is required.
type Notification struct {
	Channels []Channel `json:"channels"` // at least one
	Priority string    `json:"priority"` // HIGH, NORMAL or BATCH
}

// Channel is one channel of a notification. Zero members were not in the request.
type Channel struct {
	Type        string            `json:"type"`
	Recipient   []string          `json:"recipient,omitempty"`
	Subject     string            `json:"subject,omitempty"`
	ContentType string            `json:"content_type,omitempty"`
	TemplateID  string            `json:"template_id,omitempty"`
	Fields      map[string]string `json:"fields,omitempty"`
}

// member returns the name of a member in JSON.
func member(field reflect.StructField) (name string, optional bool) {
	return strings.CutSuffix(field.Tag.Get("json"), ",omitempty")
}

// ChannelMembers returns the names of the members of a channel. Those of maps get the suffix.
func ChannelMembers(suffix string) []string {
	return memberNames(reflect.TypeFor[Channel](), suffix)
}

func memberNames(of reflect.Type, suffix string) (names []string) {
	for field := range of.Fields() {
		name, _ := member(field)
		if field.Type.Kind() == reflect.Map {
			name += suffix
		}
		names = append(names, name)
	}
	return names
}

// Has says whether a member has the value: in a list, one of the items. The name of a map's member
// is such as fields.NAME. An empty value is that of a missing member.
func (c Channel) Has(name, value string) bool {
	name, key, _ := strings.Cut(name, ".")
	for field, of := range reflect.ValueOf(c).Fields() {
		if found, _ := member(field); found != name {
			continue
		}
		switch got := of.Interface().(type) {
		case string:
			return got == value
		case []string:
			return slices.Contains(got, value) || value == "" && len(got) == 0
		case map[string]string:
			return got[key] == value
		}
	}
	return false
}

// InvalidError is why a body is JSON but not a notification: its text names the member, such as
// "channels[1].recipient[0] must not be blank".
type InvalidError string

// Error returns that text.
func (e InvalidError) Error() string { return string(e) }

// Parse reads a notification. The error is an [InvalidError], or says where the body is not JSON.
//
// It goes through the members one by one because [encoding/json] matches names whatever their case
// and lets the last of several equal ones win.
func Parse(body []byte) (Notification, error) {
	if !utf8.Valid(body) {
		return Notification{}, errors.New("the body is not UTF-8")
	}
	var raw json.RawMessage
	if err := json.Unmarshal(body, &raw); err != nil {
		return Notification{}, fmt.Errorf("the body is not JSON: %w", err)
	}
	var p parser
	var n Notification
	p.read("", raw, reflect.ValueOf(&n).Elem())
	if !slices.Contains([]string{"HIGH", "NORMAL", "BATCH"}, n.Priority) {
		p.fail("priority must be HIGH, NORMAL or BATCH, not %q", n.Priority)
	}
	return n, p.err
}

// parser reads values that are JSON, and keeps the first error. After one its methods do nothing.
type parser struct{ err error }

// read reads a value of the type of to, which stands at that place in the body.
func (p *parser) read(at string, raw json.RawMessage, to reflect.Value) {
	switch to.Kind() {
	case reflect.Struct:
		members := p.members(cmp.Or(at, "the body"), raw, memberNames(to.Type(), "")...)
		for field, value := range to.Fields() {
			name, optional := member(field)
			if raw, given := members[name]; given || !optional {
				p.read(strings.TrimPrefix(at+"."+name, "."), raw, value)
			}
		}
	case reflect.Slice:
		var items []json.RawMessage
		if p.expect(at, raw, '[', "an array") {
			_ = json.Unmarshal(raw, &items) // is JSON
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

// members returns the members of an object. Without known names any are allowed.
func (p *parser) members(
	at string, raw json.RawMessage, known ...string,
) map[string]json.RawMessage {
	if !p.expect(at, raw, '{', "an object") {
		return nil
	}
	members := make(map[string]json.RawMessage)
	decoder := json.NewDecoder(bytes.NewReader(raw))
	_, _ = decoder.Token() // the brace; raw is JSON, so that none of this fails
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
		_ = json.Unmarshal(raw, &text) // is JSON
	}
	return text
}

// expect checks the kind of a value, which its first character gives away. A raw value of nil is a
// member that is missing.
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
		p.err = InvalidError(fmt.Sprintf(format, args...))
	}
}
