package protocol

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/action"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// sample is a provider with what the wrappers treat in ways of their own.
type sample struct {
	provider.Provider

	invoked *int // how often the action was
}

func (sample) Metadata(
	_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse,
) {
	resp.TypeName = "sample"
}

func (sample) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (sample) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}

func (sample) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{
		func() resource.Resource { return thing{} },
		func() resource.Resource { return nest{} },
	}
}

func (sample) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (s sample) Actions(context.Context) []func() action.Action {
	return []func() action.Action{func() action.Action { return send{s.invoked} }}
}

// wrapped is a sample in all wrappers, configured by a Terraform of the given version.
type wrapped struct {
	Server

	schema  *tfprotov6.GetProviderSchemaResponse
	invoked int
}

func wrap(t *testing.T, terraformVersion string) *wrapped {
	t.Helper()
	w := new(wrapped)
	server := framework(&w.invoked)
	w.Server = Track(Release(RevalidateActions(ExpandUnknown(server))), new(sync.RWMutex))
	var err error
	w.schema, err = w.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	configured, err := w.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: terraformVersion,
		Config:           nothing(t),
	})
	if err != nil || len(configured.Diagnostics) > 0 {
		t.Fatal(err, configured)
	}
	return w
}

// framework is the framework's server of a sample.
func framework(invoked *int) Server {
	return providerserver.NewProtocol6(sample{invoked: invoked})().(Server)
}

func encoded(t *testing.T, typ tftypes.Type, value tftypes.Value) *tfprotov6.DynamicValue {
	t.Helper()
	dynamic, err := tfprotov6.NewDynamicValue(typ, value)
	if err != nil {
		t.Fatal(err)
	}
	return &dynamic
}

// nothing is an object without attributes.
func nothing(t *testing.T) *tfprotov6.DynamicValue {
	t.Helper()
	none := tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}
	return encoded(t, none, tftypes.NewValue(none, map[string]tftypes.Value{}))
}

// withItems is an object whose items are lines NAME or NAME=VALUE_WO. "?" stands for an unknown list,
// name or value, "-" for one that is null; "??" and "--" stand for an item that is.
func withItems(t *testing.T, schema *tfprotov6.Schema, text string) *tfprotov6.DynamicValue {
	t.Helper()
	object := schema.ValueType().(tftypes.Object)
	list := object.AttributeTypes["items"].(tftypes.List)
	item := list.ElementType.(tftypes.Object)
	value := func(typ tftypes.Type, text string, otherwise any) tftypes.Value {
		switch text {
		case "?":
			otherwise = tftypes.UnknownValue
		case "-":
			otherwise = nil
		}
		return tftypes.NewValue(typ, otherwise)
	}
	elements := []tftypes.Value{}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		name, secret, given := strings.Cut(line, "=")
		members := map[string]tftypes.Value{"name": value(tftypes.String, name, name)}
		if _, ok := item.AttributeTypes["value_wo"]; ok {
			if !given {
				secret = "-"
			}
			members["value_wo"] = value(tftypes.String, secret, secret)
		}
		switch line {
		case "??":
			elements = append(elements, tftypes.NewValue(item, tftypes.UnknownValue))
		case "--":
			elements = append(elements, tftypes.NewValue(item, nil))
		default:
			elements = append(elements, tftypes.NewValue(item, members))
		}
	}
	return encoded(t, object, tftypes.NewValue(object, map[string]tftypes.Value{
		"items": value(list, text, elements),
	}))
}
