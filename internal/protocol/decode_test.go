package protocol

import (
	"errors"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// The state of a data source is decoded where somebody said how, and nowhere else. An error of
// decoding is an error.
func TestDecode(t *testing.T) {
	t.Parallel()
	decode := func(state *tfprotov6.DynamicValue) (*tfprotov6.DynamicValue, error) {
		return &tfprotov6.DynamicValue{MsgPack: append([]byte("decoded "), state.MsgPack...)}, nil
	}
	broken := func(*tfprotov6.DynamicValue) (*tfprotov6.DynamicValue, error) {
		return nil, errFailing
	}
	for name, test := range map[string]struct {
		server fake
		decode map[string]Decode
		want   string
	}{
		"decoded":  {fake{}, map[string]Decode{"sample_lookup": decode}, "decoded found"},
		"another":  {fake{}, map[string]Decode{"sample_other": broken}, "found"},
		"none":     {fake{}, nil, "found"},
		"broken":   {fake{}, map[string]Decode{"sample_lookup": broken}, ""},
		"no state": {fake{err: errFailing}, map[string]Decode{"sample_lookup": decode}, ""},
	} {
		resp, err := DecodeDataSources(&test.server, test.decode).ReadDataSource(t.Context(),
			&tfprotov6.ReadDataSourceRequest{TypeName: "sample_lookup"})
		if test.want == "" {
			if !errors.Is(err, errFailing) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || string(resp.State.MsgPack) != test.want {
			t.Errorf("%s: %+v, %v", name, resp, err)
		}
	}
}
