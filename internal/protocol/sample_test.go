package protocol

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/action"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dataschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	ephemeralschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// sample is a provider with one of everything: a resource, a data source, an ephemeral resource and
// an action.
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
	return []func() resource.Resource{func() resource.Resource { return thing{} }}
}

func (sample) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{
		func() datasource.DataSource { return lookup{"sample_lookup"} },
		func() datasource.DataSource { return lookup{"sample_other"} },
	}
}

func (sample) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{
		func() ephemeral.EphemeralResource { return secret{} },
	}
}

func (s sample) Actions(context.Context) []func() action.Action {
	return []func() action.Action{func() action.Action { return send{s.invoked} }}
}

// thing has a list of items, each with a name and a write-only value. It warns of what it creates.
type thing struct{ resource.Resource }

func (thing) Metadata(
	_ context.Context, _ resource.MetadataRequest, resp *resource.MetadataResponse,
) {
	resp.TypeName = "sample_thing"
}

func (thing) Schema(_ context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	item := map[string]schema.Attribute{
		"name":     schema.StringAttribute{Required: true},
		"value_wo": schema.StringAttribute{Optional: true, WriteOnly: true},
	}
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"items": schema.ListNestedAttribute{
			Optional: true, NestedObject: schema.NestedAttributeObject{Attributes: item},
		},
	}}
}

func (thing) Create(_ context.Context, req resource.CreateRequest, resp *resource.CreateResponse) {
	resp.State.Raw = req.Plan.Raw
	resp.Diagnostics.AddWarning("created", req.Config.Raw.String())
}

func (thing) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

func (thing) ImportState(
	context.Context, resource.ImportStateRequest, *resource.ImportStateResponse,
) {
}

// lookup finds "found".
type lookup struct{ name string }

func (l lookup) Metadata(
	_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse,
) {
	resp.TypeName = l.name
}

func (lookup) Schema(
	_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse,
) {
	resp.Schema = dataschema.Schema{Attributes: map[string]dataschema.Attribute{
		"found": dataschema.StringAttribute{Computed: true},
	}}
}

func (lookup) Read(ctx context.Context, _ datasource.ReadRequest, resp *datasource.ReadResponse) {
	resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root("found"), "found")...)
}

// secret is empty.
type secret struct{}

func (secret) Metadata(
	_ context.Context, _ ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse,
) {
	resp.TypeName = "sample_secret"
}

func (secret) Schema(
	_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse,
) {
	resp.Schema = ephemeralschema.Schema{}
}

func (secret) Open(context.Context, ephemeral.OpenRequest, *ephemeral.OpenResponse) {}

func (secret) Renew(context.Context, ephemeral.RenewRequest, *ephemeral.RenewResponse) {}

func (secret) Close(context.Context, ephemeral.CloseRequest, *ephemeral.CloseResponse) {}

// send has the items of thing, at least one of which it needs. It warns about each of its plans.
type send struct{ invoked *int }

func (send) Metadata(_ context.Context, _ action.MetadataRequest, resp *action.MetadataResponse) {
	resp.TypeName = "sample_send"
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
	resp.Diagnostics.AddWarning("validated", "")
}

func (send) ModifyPlan(
	_ context.Context, _ action.ModifyPlanRequest, resp *action.ModifyPlanResponse,
) {
	resp.Diagnostics.AddWarning("planned", "")
}

func (s send) Invoke(ctx context.Context, _ action.InvokeRequest, _ *action.InvokeResponse) {
	if ctx.Err() == nil {
		*s.invoked++
	}
}

// wrapped is a wrapped sample, configured by a Terraform of the given version.
type wrapped struct {
	*server

	schema  *tfprotov6.GetProviderSchemaResponse
	invoked int
}

func wrap(t *testing.T, terraformVersion string, decode map[string]Decode) *wrapped {
	t.Helper()
	w := new(wrapped)
	framework := providerserver.NewProtocol6(sample{invoked: &w.invoked})()
	w.server = Wrap(framework, decode).(*server)
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

// withItems is an object with a list of items: each a name, nil or tftypes.UnknownValue. An unknown
// name is the text "?".
func withItems(t *testing.T, schema *tfprotov6.Schema, items ...any) *tfprotov6.DynamicValue {
	t.Helper()
	object := schema.ValueType().(tftypes.Object)
	list := object.AttributeTypes["items"].(tftypes.List)
	item := list.ElementType.(tftypes.Object)
	var elements []tftypes.Value
	for _, given := range items {
		if given == tftypes.UnknownValue {
			elements = append(elements, tftypes.NewValue(item, given))
			continue
		}
		members := map[string]tftypes.Value{}
		for name, typ := range item.AttributeTypes {
			members[name] = tftypes.NewValue(typ, nil)
		}
		if given == "?" {
			given = tftypes.UnknownValue
		}
		members["name"] = tftypes.NewValue(tftypes.String, given)
		elements = append(elements, tftypes.NewValue(item, members))
	}
	return encoded(t, object, tftypes.NewValue(object, map[string]tftypes.Value{
		"items": tftypes.NewValue(list, elements),
	}))
}
