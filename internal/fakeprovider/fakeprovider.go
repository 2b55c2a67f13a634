// Package fakeprovider has a provider whose resources and data sources replace those of other
// providers.
//
// For the benchmarks, fake_thing has one string and does nothing, which shows the cost of
// Terraform, the plugin protocol and the framework alone; fake_http replaces hashicorp/http. For
// the tests, http does too, and fake_later has an output that is known only after apply, even if
// Terraform has no terraform_data. fake_kv_secret_v2 replaces the ephemeral resource of a secrets
// manager; the provider block and restapi_object, those of restapi.
package fakeprovider

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/provider"
	providerschema "github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// New returns the provider.
func New() provider.Provider { return fakeProvider{} }

// ServeIfAsked serves the provider, and then ends the process, if this program was started as the
// plugin of one of the names. So the binary of a test, under another name, can be the plugin.
func ServeIfAsked(names ...string) {
	name, _, _ := strings.Cut(filepath.Base(os.Args[0]), ".")
	if !slices.Contains(names, strings.TrimPrefix(name, "terraform-provider-")) {
		return
	}
	err := providerserver.Serve(context.Background(), New,
		providerserver.ServeOpts{Address: "registry.terraform.io/hashicorp/fake", ProtocolVersion: 6})
	if err != nil {
		log.Fatal(err)
	}
	os.Exit(0)
}

type fakeProvider struct{}

func (fakeProvider) Metadata(
	_ context.Context, _ provider.MetadataRequest, resp *provider.MetadataResponse,
) {
	resp.TypeName = "fake"
}

// Schema has the attributes of the provider restapi that an example sets.
func (fakeProvider) Schema(
	_ context.Context, _ provider.SchemaRequest, resp *provider.SchemaResponse,
) {
	optional := providerschema.StringAttribute{Optional: true}
	resp.Schema.Attributes = map[string]providerschema.Attribute{
		"uri": optional, "bearer_token": optional, "test_path": optional,
	}
}

// Configure gets test_path, if it is set, with the token. Any other response than 200 is an error.
func (fakeProvider) Configure(
	ctx context.Context, req provider.ConfigureRequest, resp *provider.ConfigureResponse,
) {
	var config struct {
		URI         string `tfsdk:"uri"`
		BearerToken string `tfsdk:"bearer_token"`
		TestPath    string `tfsdk:"test_path"`
	}
	var testPath types.String
	resp.Diagnostics.Append(req.Config.GetAttribute(ctx, path.Root("test_path"), &testPath)...)
	if testPath.IsNull() {
		return
	}
	resp.Diagnostics.Append(req.Config.Get(ctx, &config)...)
	if _, status, err := get(ctx, config.URI+config.TestPath, config.BearerToken); status != http.StatusOK {
		resp.Diagnostics.AddError("Unable to get test_path", fmt.Sprint(status, err))
	}
}

func (fakeProvider) DataSources(context.Context) []func() datasource.DataSource {
	return []func() datasource.DataSource{
		func() datasource.DataSource { return httpDataSource{"fake_http"} },
		func() datasource.DataSource { return httpDataSource{"http"} },
	}
}

func (fakeProvider) Resources(context.Context) []func() resource.Resource {
	later := arguments{"fake_later", map[string]schema.Attribute{
		"input":  schema.DynamicAttribute{Optional: true},
		"output": schema.DynamicAttribute{Computed: true},
	}}
	thing := arguments{"fake_thing", map[string]schema.Attribute{
		"value": schema.StringAttribute{Required: true},
	}}
	object := arguments{"restapi_object", map[string]schema.Attribute{
		"path": schema.StringAttribute{Optional: true},
	}}
	var resources []func() resource.Resource
	for _, a := range []arguments{later, thing, object} {
		resources = append(resources, func() resource.Resource { return a })
	}
	return resources
}

func (fakeProvider) EphemeralResources(context.Context) []func() ephemeral.EphemeralResource {
	return []func() ephemeral.EphemeralResource{
		func() ephemeral.EphemeralResource { return secretEphemeralResource{} },
	}
}
