package protocol

import (
	"errors"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// The state of a data source is decoded where somebody said how, and nowhere else. An error of
// decoding is an error.
func TestDecode(t *testing.T) {
	t.Parallel()
	typ := found(nil).Type()
	decode := func(state *tfprotov6.DynamicValue) (*tfprotov6.DynamicValue, error) {
		if value, err := state.Unmarshal(typ); err != nil || !value.Equal(found("found")) {
			t.Errorf("decoding %v, %v", value, err)
		}
		return encoded(t, typ, found("decoded")), nil
	}
	broken := func(*tfprotov6.DynamicValue) (*tfprotov6.DynamicValue, error) {
		return nil, errFailing
	}
	for name, test := range map[string]struct {
		server Server
		decode map[string]Decode
		want   string
	}{
		"decoded":  {framework(nil), map[string]Decode{"sample_lookup": decode}, "decoded"},
		"another":  {framework(nil), map[string]Decode{"sample_other": broken}, "found"},
		"none":     {framework(nil), nil, "found"},
		"broken":   {framework(nil), map[string]Decode{"sample_lookup": broken}, ""},
		"no state": {&fake{err: errFailing}, map[string]Decode{"sample_lookup": decode}, ""},
	} {
		resp, err := DecodeDataSources(test.server, test.decode).ReadDataSource(t.Context(),
			&tfprotov6.ReadDataSourceRequest{
				TypeName: "sample_lookup", Config: encoded(t, typ, found(nil)),
			})
		if test.want == "" {
			if !errors.Is(err, errFailing) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, err := resp.State.Unmarshal(typ); err != nil || !got.Equal(found(test.want)) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func found(text any) tftypes.Value {
	return tftypes.NewValue(
		tftypes.Object{AttributeTypes: map[string]tftypes.Type{"found": tftypes.String}},
		map[string]tftypes.Value{"found": tftypes.NewValue(tftypes.String, text)},
	)
}
