package provider

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

var _ resource.ResourceWithMoveState = (*notificationResource)(nil)

// MoveState turns a resource that announced something into a notification that was submitted. Like
// an import, it makes no request, and the next plan fills in the state. It keeps the old resource's
// triggers, so that the next plan submits what that resource would have sent.
func (r *notificationResource) MoveState(context.Context) []resource.StateMover {
	return []resource.StateMover{{StateMover: moveState}}
}

// moveState compares types only: the address of the source's provider comes in several forms.
func moveState(
	ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse,
) {
	var source map[string]json.RawMessage
	_ = json.Unmarshal(req.SourceRawState.JSON, &source) // without an object there are no triggers
	triggers := types.MapNull(types.StringType)
	switch req.SourceTypeName {
	case "notification_notification", "null_resource", "terraform_data":
		if source["channels"] != nil {
			keepState(ctx, req, resp)
			return
		}
		// In a chain of moves, Terraform passes the first source's state, but the last one's type.
		triggers = triggersOf(ctx, source)
	case "terracurl_request", "restapi_object", "restful_operation":
	default:
		resp.Diagnostics.AddError(titleMoveFrom, fmt.Sprintf(
			"The provider cannot tell what a %s has announced. A notification can take the place of "+
				"a terraform_data, null_resource, terracurl_request, restapi_object or "+
				"restful_operation, and of a notification_notification of another provider address. "+
				"Nothing was sent. Import the notification instead.", req.SourceTypeName))
		return
	}
	resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root("as_submitted"), false)...)
	resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root("triggers"), triggers)...)
}

// keepState moves a notification from another address of this provider, or from a fork.
func keepState(
	ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse,
) {
	state, err := req.SourceRawState.UnmarshalWithOpts(
		resp.TargetState.Schema.Type().TerraformType(ctx),
		tfprotov6.UnmarshalOpts{
			ValueFromJSONOpts: tftypes.ValueFromJSONOpts{IgnoreUndefinedAttributes: true},
		},
	)
	if err != nil {
		resp.Diagnostics.AddError(titleMove, fmt.Sprintf(
			"Its state cannot be read: %s. Nothing was sent.", err))
		return
	}
	resp.TargetState.Raw = state
	resp.TargetPrivate = req.SourcePrivate
}

// triggersOf returns what made a null_resource or terraform_data run again: empty if nothing did,
// and null if source, its state, does not tell:
//
//	{"triggers":{"release":"1"}}                                  {release = "1"}
//	{"triggers_replace":{"value":{"release":"1"},"type":[…]}}     {release = "1"}
//	{"triggers":null}, {"triggers_replace":null}                  {}
//	{"triggers_replace":{"value":"1","type":"string"}}            null: no map of strings
//	{"triggers_replace":null,"store":{"replace":true}}            null: from Terraform 1.16
//	{"path":"/send"}                                              null: another type's state
func triggersOf(ctx context.Context, source map[string]json.RawMessage) types.Map {
	var store struct{ Replace bool } // whether a change of what it stores made it run again
	_ = json.Unmarshal(source["store"], &store)
	if store.Replace || source["triggers_replace"] == nil && source["triggers"] == nil {
		return types.MapNull(types.StringType)
	}
	text := source["triggers"] // of a null_resource
	var dynamic struct{ Value json.RawMessage }
	_ = json.Unmarshal(source["triggers_replace"], &dynamic) // leaves it nil if that is null
	if dynamic.Value != nil {                                // of a terraform_data
		text = dynamic.Value
	}
	if len(text) == 0 || string(text) == "null" {
		text = json.RawMessage("{}")
	}
	return readTriggers(ctx, text)
}

// readTriggers returns the triggers in a JSON object of strings, and null for any other text.
func readTriggers(ctx context.Context, text []byte) types.Map {
	var values map[string]*string
	if json.Unmarshal(text, &values) != nil {
		values = nil
	}
	triggers, _ := types.MapValueFrom(ctx, types.StringType, values)
	return triggers
}
