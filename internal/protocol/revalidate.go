package protocol

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// RevalidateActions returns a server that validates actions again when they are planned and
// invoked. Terraform does so with resources, but validates an action once, while all variables are
// unknown (internal/terraform/node_action_validate.go), and the framework relies on Terraform.
// There is no issue about it yet.
func RevalidateActions(server Server) Server {
	return revalidator{server}
}

type revalidator struct{ Server }

func (r revalidator) PlanAction(
	ctx context.Context, req *tfprotov6.PlanActionRequest,
) (*tfprotov6.PlanActionResponse, error) {
	errs, err := r.errors(ctx, req.ActionType, req.Config)
	if err != nil || len(errs) > 0 {
		return &tfprotov6.PlanActionResponse{Diagnostics: errs}, err
	}
	return r.Server.PlanAction(ctx, req)
}

func (r revalidator) InvokeAction(
	ctx context.Context, req *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	errs, err := r.errors(ctx, req.ActionType, req.Config)
	if err != nil {
		return nil, err
	}
	if len(errs) == 0 {
		return r.Server.InvokeAction(ctx, req)
	}
	completed := tfprotov6.InvokeActionEvent{
		Type: tfprotov6.CompletedInvokeActionEventType{Diagnostics: errs},
	}
	return &tfprotov6.InvokeActionServerStream{
		Events: func(push func(tfprotov6.InvokeActionEvent) bool) { push(completed) },
	}, nil
}

// errors are the errors, without the warnings, that validation finds in an action.
func (r revalidator) errors(
	ctx context.Context, actionType string, config *tfprotov6.DynamicValue,
) ([]*tfprotov6.Diagnostic, error) {
	resp, err := r.ValidateActionConfig(ctx, &tfprotov6.ValidateActionConfigRequest{
		ActionType: actionType, Config: config,
	})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(resp.Diagnostics, func(d *tfprotov6.Diagnostic) bool {
		return d.Severity != tfprotov6.DiagnosticSeverityError
	}), nil
}
