package protocol

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	dataschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	ephemeralschema "github.com/hashicorp/terraform-plugin-framework/ephemeral/schema"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/statestore"
	storeschema "github.com/hashicorp/terraform-plugin-framework/statestore/schema"
)

// lookup finds "found".
type lookup struct{}

func (lookup) Metadata(
	_ context.Context, _ datasource.MetadataRequest, resp *datasource.MetadataResponse,
) {
	resp.TypeName = "sample_lookup"
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

// send has the name of thing, and items without a value, at least one of which it needs. It warns
// about each of its plans.
type send struct{ invoked *int }

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

// store holds states called "default", which are all the same.
type store struct{}

func (store) Metadata(
	_ context.Context, _ statestore.MetadataRequest, resp *statestore.MetadataResponse,
) {
	resp.TypeName = "sample_store"
}

func (store) Schema(
	_ context.Context, _ statestore.SchemaRequest, resp *statestore.SchemaResponse,
) {
	resp.Schema = storeschema.Schema{}
}

func (store) Initialize(
	context.Context, statestore.InitializeRequest, *statestore.InitializeResponse,
) {
}

func (store) GetStates(
	_ context.Context, _ statestore.GetStatesRequest, resp *statestore.GetStatesResponse,
) {
	resp.StateIDs = []string{"default"}
}

func (store) DeleteState(
	context.Context, statestore.DeleteStateRequest, *statestore.DeleteStateResponse,
) {
}

func (store) Lock(_ context.Context, _ statestore.LockRequest, resp *statestore.LockResponse) {
	resp.LockID = "locked"
}

func (store) Unlock(context.Context, statestore.UnlockRequest, *statestore.UnlockResponse) {}

func (store) Read(_ context.Context, _ statestore.ReadRequest, resp *statestore.ReadResponse) {
	resp.StateBytes = []byte(sampleState)
}

func (store) Write(
	_ context.Context, req statestore.WriteRequest, resp *statestore.WriteResponse,
) {
	if string(req.StateBytes) != sampleState {
		resp.Diagnostics.AddError("another state", string(req.StateBytes))
	}
}

const sampleState = "a state"

// echo returns its argument.
type echo struct{}

func (echo) Metadata(
	_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse,
) {
	resp.Name = "echo"
}

func (echo) Definition(
	_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse,
) {
	resp.Definition = function.Definition{
		Parameters: []function.Parameter{function.StringParameter{Name: "text"}},
		Return:     function.StringReturn{},
	}
}

func (echo) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var text string
	resp.Error = req.Arguments.Get(ctx, &text)
	if resp.Error == nil {
		resp.Error = resp.Result.Set(ctx, text)
	}
}
