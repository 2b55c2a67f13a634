package protocol

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/vmihailenco/msgpack/v5"
)

// Items that are unknown as a whole pass validation, and Terraform accepts their plan: the
// write-only member is null, or the item stays unknown if write-only attributes are not supported.
// Items that are null or known, or unknown without a schema, stay the same.
func TestExpand(t *testing.T) {
	t.Parallel()
	known, unknownName := members{"name": "a"}, members{"name": unknown}
	expanded := members{"name": unknown, "size_wo": unknown}
	for _, test := range []struct {
		terraform   string
		items, want any
	}{
		{"1.11.0", []any{known, unknown, unknownName}, []any{known, expanded, unknownName}},
		{"1.11.0", unknown, unknown},
		{"1.11.0", nil, nil},
		{"1.11.0-beta1", []any{unknown}, []any{expanded}},
		{"2.0.0", []any{unknown}, []any{expanded}},
		{"1.10.5", []any{known, unknown}, []any{known, unknown}},
		{"", []any{unknown}, []any{unknown}},
	} {
		w := wrap(t, test.terraform)
		schema := w.schemas.ResourceSchemas["sample_thing"]
		config := withItems(t, schema, test.items)
		validated, err := w.ValidateResourceConfig(t.Context(),
			&tfprotov6.ValidateResourceConfigRequest{
				TypeName: "sample_thing", Config: config, ClientCapabilities: writeOnlyAllowed,
			})
		if err != nil || len(validated.Diagnostics) > 0 {
			t.Errorf("Terraform %s, %v, validated: %v, %v", test.terraform, test.items, validated, err)
		}
		planned, err := w.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
			TypeName: "sample_thing", Config: config, ProposedNewState: config,
			PriorState: encoded(t, schema.ValueType(), nil),
		})
		if err != nil || len(planned.Diagnostics) > 0 {
			t.Fatalf("Terraform %s, %v, planned: %v, %v", test.terraform, test.items, planned, err)
		}
		want := withItems(t, schema, test.want)
		if !bytes.Equal(planned.PlannedState.MsgPack, want.MsgPack) {
			t.Errorf("Terraform %s, %v: got %q, want %q", test.terraform, test.items,
				planned.PlannedState.MsgPack, want.MsgPack)
		}
	}
}

// A null or unknown value has nothing to expand.
func TestExpandValue(t *testing.T) {
	t.Parallel()
	schema := wrap(t, "1.11.0").schemas.ResourceSchemas["sample_thing"]
	for _, value := range []any{nil, unknown} {
		want := encoded(t, schema.ValueType(), value)
		if got, err := expandValue(want, schema); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v became %v, %v", want, got, err)
		}
	}
}

// A configuration that cannot be decoded is an error.
func TestExpand_errors(t *testing.T) {
	t.Parallel()
	const name = "sample_thing"
	w := wrap(t, "1.14.0")
	cutOff := &tfprotov6.DynamicValue{MsgPack: []byte{0xd4}} // an extension type
	_, validateErr := w.ValidateResourceConfig(t.Context(),
		&tfprotov6.ValidateResourceConfigRequest{TypeName: name, Config: cutOff})
	_, planErr := w.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{
		TypeName: name, Config: cutOff, ProposedNewState: cutOff,
	})
	_, actionErr := w.ValidateActionConfig(t.Context(),
		&tfprotov6.ValidateActionConfigRequest{ActionType: name, Config: cutOff})
	_, plannedErr := w.PlanAction(t.Context(),
		&tfprotov6.PlanActionRequest{ActionType: name, Config: cutOff})
	_, invokedErr := w.InvokeAction(t.Context(),
		&tfprotov6.InvokeActionRequest{ActionType: name, Config: cutOff})
	for call, err := range map[string]error{
		"ValidateResourceConfig": validateErr, "PlanResourceChange": planErr,
		"ValidateActionConfig": actionErr, "PlanAction": plannedErr, "InvokeAction": invokedErr,
	} {
		if err == nil {
			t.Errorf("%s decodes half a value without an error", call)
		}
	}
}

// An unknown value is found whatever the length of its data. Most known values are not decoded.
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
		t.Errorf("%x, or nil, may hold an unknown value", known)
	}
}
