package protocol

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

func (w *wrapper) ValidateActionConfig(
	ctx context.Context, req *tfprotov6.ValidateActionConfigRequest,
) (*tfprotov6.ValidateActionConfigResponse, error) {
	request := *req
	if action := w.schemas().ActionSchemas[req.ActionType]; action != nil {
		request.Config = replaceUnknown(action.Schema, req.Config, req.Config, expanded)
	}
	return w.Server.ValidateActionConfig(ctx, &request)
}

// actionErrors returns the errors of an action's validation, which Terraform makes only once, while
// variables may be unknown. A resource is validated again in each plan and apply.
func (w *wrapper) actionErrors(
	ctx context.Context, actionType string, config *tfprotov6.DynamicValue,
) ([]*tfprotov6.Diagnostic, error) {
	validated, err := w.ValidateActionConfig(ctx,
		&tfprotov6.ValidateActionConfigRequest{ActionType: actionType, Config: config})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(validated.Diagnostics, func(d *tfprotov6.Diagnostic) bool {
		return d.Severity != tfprotov6.DiagnosticSeverityError
	}), nil
}

func (w *wrapper) PlanAction(
	ctx context.Context, req *tfprotov6.PlanActionRequest,
) (*tfprotov6.PlanActionResponse, error) {
	invalid, err := w.actionErrors(ctx, req.ActionType, req.Config)
	if err != nil || len(invalid) > 0 {
		return &tfprotov6.PlanActionResponse{Diagnostics: invalid}, err
	}
	return w.Server.PlanAction(ctx, req)
}

func (w *wrapper) InvokeAction(
	ctx context.Context, req *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	invalid, err := w.actionErrors(ctx, req.ActionType, req.Config)
	if err != nil {
		return nil, err
	}
	if len(invalid) > 0 {
		completed := tfprotov6.CompletedInvokeActionEventType{Diagnostics: invalid}
		return &tfprotov6.InvokeActionServerStream{
			Events: slices.Values([]tfprotov6.InvokeActionEvent{{Type: completed}}),
		}, nil
	}
	return w.Server.InvokeAction(w.unlessStopped(ctx), req)
}
