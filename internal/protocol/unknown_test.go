package protocol

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
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
		config := withItems(t, w.schema.ResourceSchemas["sample_thing"], "a\n??\n?")
		state := planned(t, w, "sample_thing", config, supported)
		want := "{items[{name+ value_wo-} ? {name? value_wo-}]}"
		if supported {
			want = "{items[{name+ value_wo-} {name? value_wo-} {name? value_wo-}]}"
		}
		if got := outline(state); got != want {
			t.Errorf("%q: planned as %s", version, got)
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

// Without a schema nothing can be expanded. One that does not exist is an error of the framework.
func TestSchemaThatFails(t *testing.T) {
	t.Parallel()
	config := withItems(t, wrap(t, "1.11.0").schema.ResourceSchemas["sample_thing"], "??")
	check := func(server Server, want error) {
		t.Helper()
		validated, err := server.ValidateResourceConfig(t.Context(),
			&tfprotov6.ValidateResourceConfigRequest{TypeName: "sample_none", Config: config})
		if !errors.Is(err, want) || err == nil && len(validated.Diagnostics) != 1 {
			t.Errorf("validated: %v, %v", validated, err)
		}
		planned, err := server.PlanResourceChange(t.Context(),
			&tfprotov6.PlanResourceChangeRequest{
				TypeName: "sample_none", Config: config, ProposedNewState: config,
			})
		if !errors.Is(err, want) || err == nil && len(planned.Diagnostics) != 1 {
			t.Errorf("planned: %v, %v", planned, err)
		}
		acted, err := server.ValidateActionConfig(t.Context(),
			&tfprotov6.ValidateActionConfigRequest{ActionType: "sample_none", Config: config})
		if !errors.Is(err, want) || err == nil && len(acted.Diagnostics) != 1 {
			t.Errorf("validated an action: %v, %v", acted, err)
		}
	}
	check(wrap(t, "1.11.0"), nil)
	failing := &expander{Server: &fake{err: errFailing}}
	failing.writeOnly.Store(true)
	check(failing, errFailing)
}
