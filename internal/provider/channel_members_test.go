package provider

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Terraform accepts a member that is in the schema alone, and the plan shows it; but it would be
// dropped on its way, silently. So each member of the schema is looked for in what is sent, with the
// member and without, and its text has to be checked.
func TestChannelMembers(t *testing.T) {
	t.Parallel()
	schema := newWire(t).schema
	ofResource := channelMembers(t, schema.ResourceSchemas[resourceName])
	ofAction := channelMembers(t, schema.ActionSchemas["notification_send"].Schema)
	for _, m := range ofResource {
		same := slices.ContainsFunc(ofAction, func(a *tfprotov6.SchemaAttribute) bool {
			return reflect.DeepEqual(m, a)
		})
		if same == m.WriteOnly { // which an action cannot have
			t.Errorf("channels.%s, in the schema of the action as it is in that of the resource: %t",
				m.Name, same)
		}
	}
	w := newWire(t)
	for what, test := range map[string]struct {
		members []*tfprotov6.SchemaAttribute
		send    func(given map[string]any) []*tfprotov6.Diagnostic
	}{
		"the resource": {ofResource, func(given map[string]any) []*tfprotov6.Diagnostic {
			return w.applyAny(t, nil, w.plan(t, nil, given)).Diagnostics
		}},
		"the action": {ofAction, func(given map[string]any) []*tfprotov6.Diagnostic {
			_, completed := w.invoke(t.Context(), t, given)
			return completed.Diagnostics
		}},
	} {
		for _, m := range test.members {
			given := map[string]any{"type": "slack"}
			with := map[string]any{"type": "slack"}
			given[m.Name] = sample(t, m, "text")
			with[strings.TrimSuffix(m.Name, "_wo")] = sample(t, m, "text")
			onlySays(t, m.Name, test.send(announcement(given)), "")
			sent := w.Ledger().Submissions
			w.ClearLedger()
			var body struct{ Channels []map[string]any }
			if err := json.Unmarshal(sent[0].Body, &body); err != nil ||
				!reflect.DeepEqual(body.Channels, []map[string]any{with}) {
				t.Errorf("channels.%s is missing in the request of %s: %s", m.Name, what, sent[0].Body)
			}
			given[m.Name] = sample(t, m, "\xe9")
			onlySays(t, m.Name, test.send(announcement(given)),
				"channels[0]."+m.Name+" ... must be valid UTF-8 ... Nothing was sent.")
			w.sent(t, 0)
		}
	}
}

func channelMembers(t *testing.T, schema *tfprotov6.Schema) []*tfprotov6.SchemaAttribute {
	t.Helper()
	for _, attribute := range schema.Block.Attributes {
		if attribute.Name == "channels" {
			return attribute.NestedType.Attributes
		}
	}
	t.Fatal("no channels")
	return nil
}

// sample is a value of the member's type, made from text.
func sample(t *testing.T, m *tfprotov6.SchemaAttribute, text string) any {
	t.Helper()
	switch {
	case m.Type.Is(tftypes.String):
		return text
	case m.Type.Is(tftypes.List{ElementType: tftypes.String}):
		return []any{text, "another"}
	case m.Type.Is(tftypes.Map{ElementType: tftypes.String}):
		return map[string]any{"name": text}
	}
	t.Fatalf("channels.%s is of type %s, of which there is no sample", m.Name, m.Type)
	return nil
}

// announcement is a notification through one channel.
func announcement(channel map[string]any) map[string]any {
	return map[string]any{"priority": "HIGH", "channels": []any{maps.Clone(channel)}}
}
