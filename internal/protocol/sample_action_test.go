package protocol

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/action"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
)

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
