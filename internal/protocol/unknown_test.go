package protocol

import (
	"errors"
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// An object that is unknown as a whole passes validation. Its plan is one that Terraform accepts:
// the write-only attribute is null, or unknown where write-only attributes are not supported.
func TestUnknownObjects(t *testing.T) {
	t.Parallel()
	for version, supported := range map[string]bool{
		"": false, "1.0.11": false, "1.10.5": false, "1.11.0-beta1": true, "1.11.0": true,
		"1.16.0-rc2": true, "2.0.0": true,
	} {
		w := wrap(t, version, nil)
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
		items := itemsOf(t, schema, planned.PlannedState)
		if got := describe(t, items[1]); supported && got != "name unknown, value_wo null" ||
			!supported && got != "unknown" {
			t.Errorf("%q: planned as %s", version, got)
		}
		for i, want := range map[int]string{
			0: "name known, value_wo null", 2: "name unknown, value_wo null",
		} {
			if got := describe(t, items[i]); got != want {
				t.Errorf("%q: planned item %d as %s", version, i, got)
			}
		}
	}
}

// Where nothing is unknown, values are passed on as they are. Text may look as if something were.
func TestKnownObjects(t *testing.T) {
	t.Parallel()
	w := wrap(t, "1.11.0", nil)
	schema := w.schema.ResourceSchemas["sample_thing"]
	for _, name := range []string{"a", "\U0001D4C8 Ô È"} {
		config := withItems(t, schema, name)
		before := *config
		if err := w.expander.expand(t.Context(), "sample_thing", &config); err != nil {
			t.Fatal(err)
		}
		if string(config.MsgPack) != string(before.MsgPack) {
			t.Errorf("%q: %q became %q", name, before.MsgPack, config.MsgPack)
		}
	}
	var none *tfprotov6.DynamicValue
	if err := w.expander.expand(t.Context(), "sample_thing", &none); err != nil || none != nil {
		t.Errorf("%v, %v", none, err)
	}
}

// Every way in which MessagePack writes an unknown value is noticed.
func TestMayHoldUnknown(t *testing.T) {
	t.Parallel()
	for b := range 256 {
		extension := b >= 0xc7 && b <= 0xc9 || b >= 0xd4 && b <= 0xd8
		value := &tfprotov6.DynamicValue{MsgPack: []byte{0x81, byte(b), 0}}
		if mayHoldUnknown(value) != extension {
			t.Errorf("%#x: %t", b, !extension)
		}
	}
}

// Without a schema nothing can be expanded.
func TestSchemaThatFails(t *testing.T) {
	t.Parallel()
	w := wrap(t, "1.11.0", nil)
	schema := w.schema.ResourceSchemas["sample_thing"]
	config := withItems(t, schema, tftypes.UnknownValue)
	w.ProviderServer = failing{w.ProviderServer}
	if _, err := w.ValidateResourceConfig(t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: "sample_thing", Config: config,
	}); !errors.Is(err, errFailing) {
		t.Errorf("validated: %v", err)
	}
	if _, err := w.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: "sample_thing", Config: config, ProposedNewState: config,
	}); !errors.Is(err, errFailing) {
		t.Errorf("planned: %v", err)
	}
}

func itemsOf(
	t *testing.T, schema *tfprotov6.Schema, value *tfprotov6.DynamicValue,
) (items []tftypes.Value) {
	t.Helper()
	object, err := value.Unmarshal(schema.ValueType())
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]tftypes.Value
	if err := errors.Join(object.As(&members), members["items"].As(&items)); err != nil {
		t.Fatal(err)
	}
	return items
}

func describe(t *testing.T, item tftypes.Value) string {
	t.Helper()
	if !item.IsKnown() {
		return "unknown"
	}
	var members map[string]tftypes.Value
	if err := item.As(&members); err != nil {
		t.Fatal(err)
	}
	state := func(name string) string {
		switch member := members[name]; {
		case !member.IsKnown():
			return name + " unknown"
		case member.IsNull():
			return name + " null"
		default:
			return name + " known"
		}
	}
	return fmt.Sprintf("%s, %s", state("name"), state("value_wo"))
}
