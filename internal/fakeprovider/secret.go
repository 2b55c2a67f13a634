package fakeprovider

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// secretEphemeralResource reads a secret from a file each time it is opened, as vault_kv_secret_v2
// reads one from Vault.
type secretEphemeralResource struct{}

type secretModel struct {
	Mount string            `tfsdk:"mount"`
	Name  string            `tfsdk:"name"`
	Data  map[string]string `tfsdk:"data"`
}

func (secretEphemeralResource) Metadata(
	_ context.Context, _ ephemeral.MetadataRequest, resp *ephemeral.MetadataResponse,
) {
	resp.TypeName = "fake_kv_secret_v2"
}

func (secretEphemeralResource) Schema(
	_ context.Context, _ ephemeral.SchemaRequest, resp *ephemeral.SchemaResponse,
) {
	resp.Schema = schema.Schema{Attributes: map[string]schema.Attribute{
		"mount": schema.StringAttribute{Required: true},
		"name":  schema.StringAttribute{Required: true},
		"data": schema.MapAttribute{
			Computed: true, Sensitive: true, ElementType: types.StringType,
		},
	}}
}

func (secretEphemeralResource) Open(
	ctx context.Context, req ephemeral.OpenRequest, resp *ephemeral.OpenResponse,
) {
	var secret secretModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &secret)...)
	text, err := os.ReadFile(filepath.Join(secret.Mount, secret.Name))
	if err == nil {
		err = json.Unmarshal(text, &secret.Data)
	}
	if err != nil {
		resp.Diagnostics.AddError("Unable to read the secret", err.Error())
		return
	}
	resp.Diagnostics.Append(resp.Result.Set(ctx, secret)...)
}
