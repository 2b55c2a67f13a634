package protocol

import (
	"context"
	"errors"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var errFailing = errors.New("the canary died")

// failing is a server whose schemas and lookups fail.
type failing struct{ tfprotov6.ProviderServer }

func (failing) GetProviderSchema(
	context.Context, *tfprotov6.GetProviderSchemaRequest,
) (*tfprotov6.GetProviderSchemaResponse, error) {
	return nil, errFailing
}

func (failing) ReadDataSource(
	context.Context, *tfprotov6.ReadDataSourceRequest,
) (*tfprotov6.ReadDataSourceResponse, error) {
	return nil, errFailing
}

// The state of a data source is decoded where somebody said how, and nowhere else. An error of
// decoding is an error.
func TestDecode(t *testing.T) {
	t.Parallel()
	w := wrap(t, "1.11.0", map[string]Decode{
		"sample_lookup": func(state *tfprotov6.DynamicValue) (*tfprotov6.DynamicValue, error) {
			typ := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"found": tftypes.String}}
			value, err := state.Unmarshal(typ)
			if err != nil || !value.Equal(found("found")) {
				t.Errorf("decoding %v, %v", value, err)
			}
			return encoded(t, typ, found("decoded")), nil
		},
	})
	broken := wrap(t, "1.11.0", map[string]Decode{
		"sample_lookup": func(*tfprotov6.DynamicValue) (*tfprotov6.DynamicValue, error) {
			return nil, errFailing
		},
	})
	read := func(w *wrapped, name string) (tftypes.Value, error) {
		schema := w.schema.DataSourceSchemas[name].ValueType()
		resp, err := w.ReadDataSource(t.Context(), &tfprotov6.ReadDataSourceRequest{
			TypeName: name, Config: encoded(t, schema, found(nil)),
		})
		if err != nil {
			return tftypes.Value{}, err
		}
		return resp.State.Unmarshal(schema)
	}
	if got, err := read(w, "sample_lookup"); err != nil || !got.Equal(found("decoded")) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, w := range []*wrapped{w, broken, wrap(t, "1.11.0", nil)} {
		if got, err := read(w, "sample_other"); err != nil || !got.Equal(found("found")) {
			t.Errorf("got %v, %v", got, err)
		}
	}
	if got, err := read(broken, "sample_lookup"); !errors.Is(err, errFailing) {
		t.Errorf("got %v, %v", got, err)
	}
	w.ProviderServer = failing{w.ProviderServer}
	if got, err := read(w, "sample_lookup"); !errors.Is(err, errFailing) {
		t.Errorf("got %v, %v", got, err)
	}
}

func found(text any) tftypes.Value {
	return tftypes.NewValue(
		tftypes.Object{AttributeTypes: map[string]tftypes.Type{"found": tftypes.String}},
		map[string]tftypes.Value{"found": tftypes.NewValue(tftypes.String, text)},
	)
}
