package provider

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// A member that is only in the schema would be accepted and planned, but silently not sent. So the
// resource and the action send each member of their schemas: its text arrives byte for byte, or is
// rejected. Only blank text and text that JSON cannot carry are rejected.
func FuzzChannelMembers(f *testing.F) {
	for _, text := range []string{
		"text", "D\xe9ploiement", "Déploiement", "De\u0301ploiement", "<&>\u2028\"\\", "\x00\x7f\r\n",
		"\ufffd", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80", "\xef\xbb\xbf", " ", "",
		"\U0001F680\xf0\x9f", "\u0085", "type",
	} {
		f.Add(text)
	}
	s := newTestServer(f)
	f.Fuzz(func(t *testing.T, text string) {
		if text == "?" {
			t.Skip("which stands for an unknown value")
		}
		ofResource := func(given map[string]any) []*tfprotov6.Diagnostic {
			if found := s.validate(t, given); len(found) > 0 {
				return found
			}
			return s.apply(t, s.plan(t, nil, given)).Diagnostics
		}
		for _, m := range channelMembers(s.schema.ResourceSchemas[resourceName]) {
			s.sendMember(t, m, text, ofResource)
		}
		ofAction := func(given map[string]any) []*tfprotov6.Diagnostic {
			_, completed := s.invoke(t.Context(), t, given)
			return completed.Diagnostics
		}
		for _, m := range channelMembers(s.schema.ActionSchemas["notification_send"].Schema) {
			s.sendMember(t, m, text, ofAction)
		}
	})
}

// sendMember sends the text wherever the member can hold it.
func (s *testServer) sendMember(
	t *testing.T, m *tfprotov6.SchemaAttribute, text string,
	send func(given map[string]any) []*tfprotov6.Diagnostic,
) {
	t.Helper()
	values, mayBeBlank := []any{text}, false
	switch {
	case m.Type.Is(tftypes.String):
	case m.Type.Is(tftypes.List{ElementType: tftypes.String}):
		values = []any{[]any{"another", text}}
	case m.Type.Is(tftypes.Map{ElementType: tftypes.String}):
		values = []any{map[string]any{"name": text}, map[string]any{text: "value"}}
		mayBeBlank = true
	default:
		t.Fatalf("channels.%s is of type %s, for which this test has no value", m.Name, m.Type)
	}
	for _, value := range values {
		what := m.Name + " with " + strconv.Quote(text)
		given := map[string]any{"type": "slack"}
		given[m.Name] = value // which may be the type
		found := send(map[string]any{"priority": "HIGH", "channels": []any{given}})
		if !utf8.ValidString(text) || !mayBeBlank && strings.TrimSpace(text) == "" {
			onlySays(t, what, found, "channels[0]."+m.Name)
			s.requested(t)
			continue
		}
		onlySays(t, what, found, "")
		sent := map[string]any{"type": "slack"}
		sent[strings.TrimSuffix(m.Name, "_wo")] = value
		want := map[string]any{"priority": "HIGH", "channels": []any{sent}}
		submissions := s.Ledger().Submissions
		s.ClearLedger()
		if len(submissions) != 1 {
			t.Fatalf("%s was sent %d times", what, len(submissions))
		}
		var body map[string]any
		if err := json.Unmarshal(submissions[0].Body, &body); err != nil {
			t.Errorf("%s was sent as %q: %v", what, submissions[0].Body, err)
		}
		if diff := cmp.Diff(want, body); diff != "" {
			t.Errorf("%s: want (-), sent (+):\n%s", what, diff)
		}
	}
}

func channelMembers(schema *tfprotov6.Schema) []*tfprotov6.SchemaAttribute {
	isChannels := func(a *tfprotov6.SchemaAttribute) bool { return a.Name == "channels" }
	attributes := schema.Block.Attributes
	return attributes[slices.IndexFunc(attributes, isChannels)].NestedType.Attributes
}
