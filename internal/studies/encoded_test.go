package studies

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// state is the type of a lookup's state.
var state = tftypes.Object{AttributeTypes: map[string]tftypes.Type{
	"name": tftypes.String, "studies": tftypes.DynamicPseudoType,
}}

// lookup is the state of a lookup of ATLAS.
func lookup(studies tftypes.Value) tftypes.Value {
	return tftypes.NewValue(state, map[string]tftypes.Value{
		"name": tftypes.NewValue(tftypes.String, "ATLAS"), "studies": studies,
	})
}

func dynamic(t *testing.T, value tftypes.Value) *tfprotov6.DynamicValue {
	t.Helper()
	encoded, err := tfprotov6.NewDynamicValue(state, value)
	if err != nil {
		t.Fatal(err)
	}
	return &encoded
}

// What was encoded is what Terraform gets, whatever it is.
func TestEncodeAndDecode(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		``, `[]`, `{}`, `[{"id":9007199254740993,"name":"ü"}]`, `[{"a":1},{"a":2}]`,
		`[{"a":null},{"a":"x"},[1.5,true,null]]`, `["` + strings.Repeat("x", 70_000) + `"]`,
	} {
		want, _, err := FromJSON(t.Context(), []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		text, err := Encode(want)
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := Decode(dynamic(t, lookup(text)))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := decoded.Unmarshal(state); err != nil || !got.Equal(lookup(want)) {
			t.Errorf("%.80s: got %s, %v", body, got, err)
		}
	}
}

func TestDecode_failedLookup(t *testing.T) {
	t.Parallel()
	if got, err := Decode(nil); got != nil || err != nil {
		t.Errorf("%v, %v", got, err)
	}
	for _, want := range []tftypes.Value{
		tftypes.NewValue(state, nil), lookup(tftypes.NewValue(tftypes.DynamicPseudoType, nil)),
	} {
		got, err := Decode(dynamic(t, want))
		if err != nil {
			t.Fatal(err)
		}
		if value, err := got.Unmarshal(state); err != nil || !value.Equal(want) {
			t.Errorf("%v, %v", value, err)
		}
	}
}

// What Encode has not encoded is an error, not another value.
func TestDecode_errors(t *testing.T) {
	t.Parallel()
	for name, value := range map[string]*tfprotov6.DynamicValue{
		"no MessagePack": {MsgPack: []byte{0x81}},
		"no list":        {MsgPack: []byte("\x81\xa7studies\x01")},
		"a number":       dynamic(t, lookup(tftypes.NewValue(tftypes.Number, 1))),
		"one value":      {MsgPack: []byte("\x81\xa7studies\x91\x01")},
		"three values":   {MsgPack: []byte("\x81\xa7studies\x93\x01\x02\x03")},
	} {
		if got, err := Decode(value); err == nil {
			t.Errorf("%s: decoded to %v", name, got)
		}
	}
}
