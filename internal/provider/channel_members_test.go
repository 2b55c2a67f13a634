package provider

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// channelMember is a member of a channel, from the schema of the resource.
type channelMember struct{ *tfprotov6.SchemaAttribute }

// Terraform accepts a member that is in the schema alone, and the plan shows it; but it would be
// dropped on its way, silently. So each member is looked for wherever it has to be.
func TestChannelMembers(t *testing.T) {
	t.Parallel()
	schema := newWire(t).schema
	members := channelMembers(t, schema.ResourceSchemas[resourceName])
	inAction := channelMembers(t, schema.ActionSchemas["notification_send"].Schema)
	if len(members) != len(inAction)+1 { // fields_wo
		t.Errorf("%d members, %d of the action", len(members), len(inAction))
	}
	for _, m := range members {
		t.Run(m.Name, func(t *testing.T) {
			t.Parallel()
			m.checkResource(t, members)
			if m.WriteOnly { // sent as the member without _wo; an action cannot have it
				m.checkDocs(t, "docs/resources/notification.md")
				return
			}
			m.checkAction(t, inAction)
			m.checkEmulator(t)
			m.checkDocs(t, "docs/resources/notification.md", "docs/actions/send.md")
			m.checkLists(t, members, "docs/guides/emulator.md")
			m.checkLists(t, members, "internal/emulator/README.md")
			m.mustBeIn(t, "the help of the emulator's requests",
				m.isWordOf(t, "internal/cmd/notification-emulator/help/requests.txt"))
		})
	}
}

func channelMembers(t *testing.T, schema *tfprotov6.Schema) (members []channelMember) {
	t.Helper()
	for _, attribute := range schema.Block.Attributes {
		if attribute.Name != "channels" {
			continue
		}
		for _, member := range attribute.NestedType.Attributes {
			members = append(members, channelMember{member})
		}
	}
	if len(members) < 6 {
		t.Fatalf("only %d members were found", len(members))
	}
	return members
}

// mustBeIn names the place where the member is missing.
func (m channelMember) mustBeIn(t *testing.T, place string, found bool) {
	t.Helper()
	if !found {
		t.Errorf("channels.%s is missing in %s", m.Name, place)
	}
}

// without returns the others.
func (m channelMember) without(members []channelMember) []channelMember {
	return slices.DeleteFunc(slices.Clone(members), func(other channelMember) bool {
		return other.Name == m.Name
	})
}

// sample is a value of the member's type, made from text.
func (m channelMember) sample(t *testing.T, text string) any {
	t.Helper()
	text += " " + m.Name
	switch {
	case m.Type.Is(tftypes.String):
		return text
	case m.Type.Is(tftypes.List{ElementType: tftypes.String}):
		return []any{text, text + " too"}
	case m.Type.Is(tftypes.Map{ElementType: tftypes.String}):
		return map[string]any{"of_" + m.Name: text}
	}
	t.Fatalf("channels.%s is of type %s, of which there is no sample", m.Name, m.Type)
	return nil
}

// announcement is a notification through one channel, which has a type and the members.
func announcement(t *testing.T, text string, members ...channelMember) map[string]any {
	t.Helper()
	channel := map[string]any{"type": "slack"}
	for _, m := range members {
		channel[m.Name] = m.sample(t, text)
	}
	return map[string]any{"priority": "HIGH", "channels": []any{channel}}
}

// inRequest is the name of the member in a request: fields_wo is sent as a part of fields.
func (m channelMember) inRequest() string {
	if m.WriteOnly {
		return strings.TrimSuffix(m.Name, "_wo")
	}
	return m.Name
}

// value is the value of the member in a request with the given ones; nil without any.
func (m channelMember) value(t *testing.T, text string, given []channelMember) (value any) {
	t.Helper()
	for _, other := range given {
		if other.inRequest() != m.inRequest() {
			continue
		}
		merged, isMap := value.(map[string]any)
		value = other.sample(t, text)
		if isMap {
			maps.Copy(value.(map[string]any), merged)
		}
	}
	return value
}

// checkResource looks at what the resource sends, records and warns of.
func (m channelMember) checkResource(t *testing.T, members []channelMember) {
	t.Helper()
	w := newWire(t)
	m.checkSent(t, w.backend, members, "the resource", func(arguments map[string]any) {
		w.applyAny(t, nil, w.plan(t, nil, arguments)) // the emulator has a check of its own
	})

	alone := w.plan(t, nil, announcement(t, "one", m))
	want := 1 // warning: content is no recipient, and a recipient is no content
	if m.Required || m.Name == "content_type" {
		want = 2
	}
	m.mustBeIn(t, "the check for incomplete channels", len(alone.Diagnostics) == want)
	created := w.applyAny(t, nil, alone)
	if len(created.Diagnostics) > 0 {
		t.Errorf("as_submitted was not looked at: %s", created.Diagnostics[0].Detail)
		return
	}
	another := announcement(t, "another", m)
	if m.WriteOnly {
		if !bytes.Equal(created.Private, w.applyAny(t, nil, w.plan(t, nil, another)).Private) {
			t.Errorf("channels.%s is write-only, and in the digest behind as_submitted", m.Name)
		}
		return
	}
	changed := w.plan(t, created, another)
	m.mustBeIn(t, "the digest behind as_submitted",
		w.attribute(t, changed.PlannedState, "as_submitted") == false)
}

// checkAction looks for the same member in the schema of the action, and at what the action sends.
func (m channelMember) checkAction(t *testing.T, members []channelMember) {
	t.Helper()
	i := slices.IndexFunc(members, func(other channelMember) bool { return other.Name == m.Name })
	m.mustBeIn(t, "the schema of the action", i >= 0)
	if i < 0 {
		return
	}
	if a := members[i]; !m.Type.Equal(a.Type) || m.Required != a.Required ||
		m.Optional != a.Optional || m.Description != a.Description ||
		m.Sensitive != a.Sensitive || m.Deprecated != a.Deprecated {
		t.Errorf("channels.%s differs in the schema of the action", m.Name)
	}
	w := newWire(t)
	m.checkSent(t, w.backend, members, "the action", func(arguments map[string]any) {
		w.invoke(t.Context(), t, arguments)
	})
}

// checkSent looks for the member in a request with all members, and in one with all others.
func (m channelMember) checkSent(
	t *testing.T, b *backend, members []channelMember, from string, send func(map[string]any),
) {
	t.Helper()
	name := m.inRequest()
	send(announcement(t, "one", members...))
	m.mustBeIn(t, "the request of "+from,
		reflect.DeepEqual(b.sentChannel(t)[name], m.value(t, "one", members)))
	if m.Required {
		return
	}
	others := m.without(members)
	send(announcement(t, "one", others...))
	want := m.value(t, "one", others)
	got, sent := b.sentChannel(t)[name]
	if sent != (want != nil) || !reflect.DeepEqual(got, want) {
		t.Errorf("channels.%s is unset, and %v in the request of %s", m.Name, got, from)
	}
}

// sentChannel is the channel of the only submission since the last call, whether or not the
// emulator accepted it; nil without any.
func (b *backend) sentChannel(t *testing.T) map[string]any {
	t.Helper()
	ledger := b.Ledger()
	b.ClearLedger()
	var body []byte
	for _, r := range ledger.Requests {
		if r.Target == "submission" {
			body = []byte(r.Body)
		}
	}
	for _, accepted := range ledger.Submissions {
		body = accepted.Body
	}
	var sent struct{ Channels []map[string]any }
	if err := json.Unmarshal(body, &sent); err != nil || len(sent.Channels) != 1 {
		t.Errorf("submitted %q: %v", body, err)
		return nil
	}
	return sent.Channels[0]
}
