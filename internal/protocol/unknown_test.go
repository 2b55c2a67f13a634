package protocol

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/vmihailenco/msgpack/v5"
)

// An object that is unknown as a whole passes validation. Its plan is one that Terraform accepts:
// the write-only attribute is null, or unknown where write-only attributes are not supported.
func TestUnknownObjects(t *testing.T) {
	t.Parallel()
	for version, supported := range map[string]bool{
		"": false, "1.0.11": false, "1.10.5": false, "1.11.0-beta1": true, "1.11.0": true,
		"1.16.0-rc2": true, "2.0.0": true,
	} {
		w := wrap(t, version)
		schema := w.schema.ResourceSchemas["sample_thing"]
		config := withItems(t, schema, "a", tftypes.UnknownValue, "?")
		validated, err := w.ValidateResourceConfig(t.Context(),
			&tfprotov6.ValidateResourceConfigRequest{TypeName: "sample_thing", Config: config})
		if err != nil || len(validated.Diagnostics) > 0 {
			t.Errorf("%q: %v, %q", version, err, summaries(validated.Diagnostics))
		}
		planned, err := w.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
			TypeName: "sample_thing", Config: config, ProposedNewState: config,
			PriorState: encoded(t, schema.ValueType(), tftypes.NewValue(schema.ValueType(), nil)),
		})
		if err != nil || len(planned.Diagnostics) > 0 {
			t.Fatal(version, err, planned)
		}
		state, err := planned.PlannedState.Unmarshal(schema.ValueType())
		if err != nil {
			t.Fatal(err)
		}
		want := "{items[{name+ value_wo-} ? {name? value_wo-}]}"
		if supported {
			want = "{items[{name+ value_wo-} {name? value_wo-} {name? value_wo-}]}"
		}
		if got := outline(t, state); got != want {
			t.Errorf("%q: planned as %s", version, got)
		}
	}
}

// Where nothing is unknown, values are passed on as they are. Text may look as if something were.
func TestKnownObjects(t *testing.T) {
	t.Parallel()
	e := &expander{Server: framework(nil)}
	schema := wrap(t, "1.11.0").schema.ResourceSchemas["sample_thing"]
	for _, name := range []string{"a", "\U0001D4C8 Ô È"} {
		config := withItems(t, schema, name)
		before := *config
		if err := e.expand(t.Context(), resourceSchema("sample_thing"), &config); err != nil {
			t.Fatal(err)
		}
		if string(config.MsgPack) != string(before.MsgPack) {
			t.Errorf("%q: %q became %q", name, before.MsgPack, config.MsgPack)
		}
	}
	var none *tfprotov6.DynamicValue
	err := e.expand(t.Context(), resourceSchema("sample_thing"), &none)
	if err != nil || none != nil {
		t.Errorf("%v, %v", none, err)
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
	if mayHoldUnknown(&tfprotov6.DynamicValue{MsgPack: known}) {
		t.Errorf("%x", known)
	}
}

// Without a schema nothing can be expanded. One that does not exist is an error of the framework.
func TestSchemaThatFails(t *testing.T) {
	t.Parallel()
	schema := wrap(t, "1.11.0").schema.ResourceSchemas["sample_thing"]
	config := withItems(t, schema, tftypes.UnknownValue)
	for name, want := range map[string]error{"sample_thing": errFailing, "sample_none": nil} {
		server := ExpandUnknown(framework(nil))
		if want != nil {
			server = ExpandUnknown(failing{server})
		}
		_, err := server.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
			TerraformVersion: "1.11.0", Config: nothing(t),
		})
		if err != nil {
			t.Fatal(err)
		}
		validated, err := server.ValidateResourceConfig(t.Context(),
			&tfprotov6.ValidateResourceConfigRequest{TypeName: name, Config: config})
		if !errors.Is(err, want) || err == nil && len(validated.Diagnostics) != 1 {
			t.Errorf("%s: validated: %v, %v", name, validated, err)
		}
		planned, err := server.PlanResourceChange(t.Context(),
			&tfprotov6.PlanResourceChangeRequest{
				TypeName: name, Config: config, ProposedNewState: config,
			})
		if !errors.Is(err, want) || err == nil && len(planned.Diagnostics) != 1 {
			t.Errorf("%s: planned: %v, %v", name, planned, err)
		}
		acted, err := server.ValidateActionConfig(t.Context(),
			&tfprotov6.ValidateActionConfigRequest{ActionType: name, Config: config})
		if !errors.Is(err, want) || err == nil && len(acted.Diagnostics) != 1 {
			t.Errorf("%s: validated an action: %v, %v", name, acted, err)
		}
	}
}
