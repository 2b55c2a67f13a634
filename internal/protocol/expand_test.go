package protocol

import (
	"reflect"
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
