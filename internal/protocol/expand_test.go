package protocol

import (
	"bytes"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/vmihailenco/msgpack/v5"
)

// Items that are unknown as a whole pass validation, and their plan is one that Terraform accepts:
// the write-only member is null, or unknown where write-only attributes are not supported. What is
// null, known, or unknown without a schema stays as it is.
func TestExpand(t *testing.T) {
	t.Parallel()
	const known = "{name+ size_wo- value_wo-}"
	for _, test := range []struct{ terraform, items, want string }{
		{"1.11.0", "a\n??\n?", "[" + known + " {name? size_wo? value_wo-} {name? size_wo- value_wo-}]"},
		{"1.11.0", "??=", "[{name+ size_wo- value_wo-}]"},
		{"1.11.0", "?", "?"},
		{"1.11.0", "-", "-"},
		{"1.11.0-beta1", "??", "[{name? size_wo? value_wo-}]"},
		{"1.16.0-rc2", "??", "[{name? size_wo? value_wo-}]"},
		{"2.0.0", "??", "[{name? size_wo? value_wo-}]"},
		{"1.10.5", "??", "[?]"},
		{"1.0.11", "a\n??", "[" + known + " ?]"},
		{"", "??", "[?]"},
	} {
		items := test.items
		if items != "?" && items != "-" {
			items += "\n"
		}
		w := wrap(t, test.terraform)
		schema := w.schemas.ResourceSchemas["sample_thing"]
		config := withItems(t, schema, items)
		validated, err := w.ValidateResourceConfig(t.Context(),
			&tfprotov6.ValidateResourceConfigRequest{
				TypeName: "sample_thing", Config: config,
				ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{
					WriteOnlyAttributesAllowed: true,
				},
			})
		if err != nil || len(validated.Diagnostics) > 0 {
			t.Errorf("Terraform %s, %q, validated: %v, %v", test.terraform, items, validated, err)
		}
		none := encoded(t, schema.ValueType(), tftypes.NewValue(schema.ValueType(), nil))
		planned, err := w.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
			TypeName: "sample_thing", Config: config, ProposedNewState: config, PriorState: none,
		})
		if err != nil || len(planned.Diagnostics) > 0 {
			t.Fatalf("Terraform %s, %q, planned: %v, %v", test.terraform, items, planned, err)
		}
		state, err := planned.PlannedState.Unmarshal(schema.ValueType())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := outline(state), "{items"+test.want+" objects[?] set[?]}"; got != want {
			t.Errorf("Terraform %s, %q: got %s, want %s", test.terraform, items, got, want)
		}
	}
}

// A value that is null or unknown itself has nothing to expand.
func TestExpandValue(t *testing.T) {
	t.Parallel()
	schema := wrap(t, "1.11.0").schemas.ResourceSchemas["sample_thing"]
	for _, value := range []any{nil, tftypes.UnknownValue} {
		want := encoded(t, schema.ValueType(), tftypes.NewValue(schema.ValueType(), value))
		if got, err := expandValue(want, schema); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v became %v, %v", want, got, err)
		}
	}
}

// outline writes an unknown value as "?", one that is null as "-", and any other text as "+".
func outline(value tftypes.Value) string {
	var members map[string]tftypes.Value
	var elements []tftypes.Value
	var parts []string
	switch {
	case !value.IsKnown():
		return "?"
	case value.IsNull():
		return "-"
	case value.As(&members) == nil: // an object
		for _, name := range slices.Sorted(maps.Keys(members)) {
			parts = append(parts, name+outline(members[name]))
		}
		return "{" + strings.Join(parts, " ") + "}"
	case value.As(&elements) == nil:
		for _, element := range elements {
			parts = append(parts, outline(element))
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	return "+"
}

// Actions are validated with unknown items too. What is wrong is an error all the same.
func TestExpand_actions(t *testing.T) {
	t.Parallel()
	w := wrap(t, "1.14.0")
	for items, wrong := range map[string]bool{"??\n": false, "??\n-\n": true} {
		resp, err := w.ValidateActionConfig(t.Context(), &tfprotov6.ValidateActionConfigRequest{
			ActionType: "sample_thing",
			Config:     withItems(t, w.schemas.ActionSchemas["sample_thing"].Schema, items),
		})
		if err != nil || len(resp.Diagnostics) > 0 != wrong {
			t.Errorf("%q: %v, %v", items, resp, err)
		}
	}
}

// A configuration that cannot be read is an error; a type that is not known is one of the framework.
func TestExpand_errors(t *testing.T) {
	t.Parallel()
	w := wrap(t, "1.14.0")
	unknown := withItems(t, w.schemas.ResourceSchemas["sample_thing"], "??\n")
	cutOff := &tfprotov6.DynamicValue{MsgPack: []byte{0xd4}} // an extension type
	for _, test := range []struct {
		name      string
		config    *tfprotov6.DynamicValue
		fails     bool
		summaries int
	}{
		{"sample_thing", cutOff, true, 0},
		{"sample_none", unknown, false, 1},
	} {
		validated, err := w.ValidateResourceConfig(t.Context(),
			&tfprotov6.ValidateResourceConfigRequest{TypeName: test.name, Config: test.config})
		if (err != nil) != test.fails || err == nil && len(validated.Diagnostics) != test.summaries {
			t.Errorf("%s, validated: %v, %v", test.name, validated, err)
		}
		planned, err := w.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
			TypeName: test.name, Config: test.config, ProposedNewState: test.config,
		})
		if (err != nil) != test.fails || err == nil && len(planned.Diagnostics) != test.summaries {
			t.Errorf("%s, planned: %v, %v", test.name, planned, err)
		}
		acted, err := w.ValidateActionConfig(t.Context(),
			&tfprotov6.ValidateActionConfigRequest{ActionType: test.name, Config: test.config})
		if (err != nil) != test.fails || err == nil && len(acted.Diagnostics) != test.summaries {
			t.Errorf("%s, validated an action: %v, %v", test.name, acted, err)
		}
	}
}

// Whatever length the data of an unknown value has, it is noticed. Most values need no second look.
func TestMayHoldUnknown(t *testing.T) {
	t.Parallel()
	for _, length := range []int{0, 1, 2, 3, 4, 8, 16, 17, 255, 256, 65535, 65536} {
		var encoded bytes.Buffer
		if err := msgpack.NewEncoder(&encoded).EncodeExtHeader(0, length); err != nil {
			t.Fatal(err)
		}
		if !mayHoldUnknown(&tfprotov6.DynamicValue{MsgPack: encoded.Bytes()}) {
			t.Errorf("not with %d bytes of data: %x", length, encoded.Bytes())
		}
	}
	known, err := msgpack.Marshal(map[string]any{
		"name": "a", "size": 1, "share": 0.5, "on": true, "off": false, "none": nil,
		"list": []string{"a", strings.Repeat("a", 100), strings.Repeat("a", 1000)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if mayHoldUnknown(&tfprotov6.DynamicValue{MsgPack: known}) || mayHoldUnknown(nil) {
		t.Errorf("%x, or none at all", known)
	}
}
