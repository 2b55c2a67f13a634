package protocol

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// A null or unknown object has no list elements.
func TestReplaceUnknown(t *testing.T) {
	t.Parallel()
	schema := &tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{
		Attributes: []*tfprotov6.SchemaAttribute{{Name: "name", Type: tftypes.String}},
	}}
	for _, value := range []any{nil, tftypes.UnknownValue} {
		typ := schema.ValueType()
		want, err := tfprotov6.NewDynamicValue(typ, tftypes.NewValue(typ, value))
		if err != nil {
			t.Fatal(err)
		}
		if got := replaceUnknown(schema, &want, &want, expanded); !reflect.DeepEqual(got, &want) {
			t.Errorf("%v became %v", want, got)
		}
	}
}

// An unknown value is found whatever the length of its data. Most known values are not decoded.
func TestMayHoldUnknown(t *testing.T) {
	t.Parallel()
	// MessagePack's fixext 1, 2, 4, 8 and 16, and ext 8, 16 and 32
	for _, first := range []byte{0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xc7, 0xc8, 0xc9} {
		if !mayHoldUnknown(&tfprotov6.DynamicValue{MsgPack: []byte{0x91, first}}) {
			t.Errorf("not after %x", first)
		}
	}
	text := func(length int) tftypes.Value {
		return tftypes.NewValue(tftypes.String, strings.Repeat("a", length))
	}
	for _, value := range []tftypes.Value{
		text(1), text(100), text(1000),
		tftypes.NewValue(tftypes.String, nil),
		tftypes.NewValue(tftypes.Number, 1),
		tftypes.NewValue(tftypes.Number, 0.5),
		tftypes.NewValue(tftypes.Bool, true),
		tftypes.NewValue(tftypes.Bool, false),
		tftypes.NewValue(tftypes.List{ElementType: tftypes.String}, []tftypes.Value{text(1)}),
		tftypes.NewValue(tftypes.Map{ElementType: tftypes.String},
			map[string]tftypes.Value{"name": text(1)}),
	} {
		known, err := tfprotov6.NewDynamicValue(value.Type(), value)
		if err != nil || mayHoldUnknown(&known) {
			t.Errorf("%s may hold an unknown value, %v", value, err)
		}
	}
	if mayHoldUnknown(nil) {
		t.Error("nil may hold an unknown value")
	}
}
