package protocol

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/action"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// sample is a provider with a resource and an action that have nested lists.
type sample struct{ provider.Provider }

func (sample) Metadata(
	_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse,
) {
	resp.TypeName = "sample"
}

func (sample) Schema(context.Context, provider.SchemaRequest, *provider.SchemaResponse) {}

func (sample) Configure(context.Context, provider.ConfigureRequest, *provider.ConfigureResponse) {}

func (sample) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return thing{} }}
}

func (sample) DataSources(context.Context) []func() datasource.DataSource { return nil }

func (sample) Actions(context.Context) []func() action.Action {
	return []func() action.Action{func() action.Action { return send{} }}
}

// thing has a list of items, each with a name and a write-only value, which is expanded; a set, and
// a list of objects without a schema, which are not. Create returns a warning.
type thing struct{ resource.Resource }

func (thing) Metadata(
	_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse,
) {
	resp.TypeName = "sample_thing"
}

func (thing) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	item := map[string]schema.Attribute{
		"name":     schema.StringAttribute{Required: true},
		"size_wo":  schema.StringAttribute{Optional: true}, // not write-only, whatever its name
		"value_wo": schema.StringAttribute{Optional: true, WriteOnly: true},
	}
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"items": schema.ListNestedAttribute{
			Optional: true, NestedObject: schema.NestedAttributeObject{Attributes: item},
		},
		"objects": schema.ListAttribute{Optional: true, ElementType: types.ObjectType{
			AttrTypes: map[string]attr.Type{"name": types.StringType},
		}},
		"set": schema.SetNestedAttribute{
			Optional: true, NestedObject: schema.NestedAttributeObject{
				Attributes: map[string]schema.Attribute{"name": schema.StringAttribute{Optional: true}},
			},
		},
	}}
}

func (thing) Create(_ context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = req.Plan.Raw
	resp.Diagnostics.AddWarning("created", req.Config.Raw.String())
}

func (thing) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

// send has the same type name as thing, and requires items, which have no write-only value.
// Validating it warns, planning it reports an error "planned", and invoking it "invoked".
type send struct{}

func (send) Metadata(_ context.Context, _ action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = "sample_thing"
}

func (send) Schema(_ context.Context, _ action.SchemaRequest, resp *action.SchemaResponse) {
	item := map[string]actionschema.Attribute{"name": actionschema.StringAttribute{Required: true}}
	resp.Schema = actionschema.Schema{Attributes: map[string]actionschema.Attribute{
		"items": actionschema.ListNestedAttribute{
			Required: true, NestedObject: actionschema.NestedAttributeObject{Attributes: item},
		},
	}}
}

func (send) ValidateConfig(
	_ context.Context, _ action.ValidateConfigRequest, resp *action.ValidateConfigResponse,
) {
	resp.Diagnostics.AddWarning("warning", "")
}

func (send) ModifyPlan(
	_ context.Context, _ action.ModifyPlanRequest, resp *action.ModifyPlanResponse,
) {
	resp.Diagnostics.AddError("planned", "")
}

func (send) Invoke(_ context.Context, _ action.InvokeRequest, resp *action.InvokeResponse) {
	resp.Diagnostics.AddError("invoked", "")
}

// wrapped is the wrapper of a sample, configured by a Terraform of the given version.
type wrapped struct {
	Server

	schemas *tfprotov6.GetProviderSchemaResponse
}

func wrap(t *testing.T, terraformVersion string) wrapped {
	t.Helper()
	server, err := Wrap(framework())
	if err != nil {
		t.Fatal(err)
	}
	w := wrapped{Server: server}
	w.schemas, err = w.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	none := tftypes.Object{AttributeTypes: map[string]tftypes.Type{}}
	configured, err := w.ConfigureProvider(t.Context(), &tfprotov6.ConfigureProviderRequest{
		TerraformVersion: terraformVersion,
		Config:           encoded(t, none, map[string]tftypes.Value{}),
	})
	if err != nil || len(configured.Diagnostics) > 0 {
		t.Fatal(err, configured)
	}
	return w
}

// framework returns the framework's server of a sample.
func framework() Server { return providerserver.NewProtocol6(sample{})().(Server) }

const unknown = tftypes.UnknownValue

var writeOnlyAllowed = &tfprotov6.ValidateResourceConfigClientCapabilities{
	WriteOnlyAttributesAllowed: true,
}

func encoded(t *testing.T, typ tftypes.Type, value any) *tfprotov6.DynamicValue {
	t.Helper()
	dynamic, err := tfprotov6.NewDynamicValue(typ, tftypes.NewValue(typ, value))
	if err != nil {
		t.Fatal(err)
	}
	return &dynamic
}

// members are the members of an item. Omitted ones are null.
type members map[string]any

// withItems returns an object with a list of items. items is a list of members, nil or unknown, or
// nil or unknown for the whole list. Each other attribute of the object has one element, which is
// unknown.
func withItems(t *testing.T, schema *tfprotov6.Schema, items any) *tfprotov6.DynamicValue {
	t.Helper()
	attributes := map[string]tftypes.Value{}
	for name, typ := range schema.ValueType().(tftypes.Object).AttributeTypes {
		named := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"name": tftypes.String}}
		value := any([]tftypes.Value{tftypes.NewValue(named, unknown)})
		if name == "items" {
			value = items
			if items, ok := items.([]any); ok {
				value = elements(typ.(tftypes.List).ElementType.(tftypes.Object), items)
			}
		}
		attributes[name] = tftypes.NewValue(typ, value)
	}
	return encoded(t, schema.ValueType(), attributes)
}

func elements(item tftypes.Object, items []any) []tftypes.Value {
	all := []tftypes.Value{}
	for _, given := range items {
		if members, ok := given.(members); ok {
			values := map[string]tftypes.Value{}
			for name, typ := range item.AttributeTypes {
				values[name] = tftypes.NewValue(typ, members[name])
			}
			given = values
		}
		all = append(all, tftypes.NewValue(item, given))
	}
	return all
}
