package protocol

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Terraform validates actions only while variables are unknown
// (internal/terraform/node_action_validate.go), and the framework relies on Terraform. Actions are
// therefore validated again when they are planned and invoked.

func (s *server) ValidateActionConfig(
	ctx context.Context, req *tfprotov6.ValidateActionConfigRequest,
) (*tfprotov6.ValidateActionConfigResponse, error) {
	if err := s.expander.expand(ctx, req.ActionType, &req.Config); err != nil {
		return nil, err
	}
	return releasing(ctx, &s.contexts, req, s.ActionServer.ValidateActionConfig)
}

func (s *server) PlanAction(
	ctx context.Context, req *tfprotov6.PlanActionRequest,
) (*tfprotov6.PlanActionResponse, error) {
	errs, err := s.actionErrors(ctx, req.ActionType, req.Config)
	if err != nil || len(errs) > 0 {
		return &tfprotov6.PlanActionResponse{Diagnostics: errs}, err
	}
	return releasing(ctx, &s.contexts, req, s.ActionServer.PlanAction)
}

func (s *server) InvokeAction(
	ctx context.Context, req *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	errs, err := s.actionErrors(ctx, req.ActionType, req.Config)
	if err != nil {
		return nil, err
	}
	if len(errs) == 0 {
		return s.invoke(ctx, req)
	}
	completed := tfprotov6.InvokeActionEvent{
		Type: tfprotov6.CompletedInvokeActionEventType{Diagnostics: errs},
	}
	return &tfprotov6.InvokeActionServerStream{
		Events: func(push func(tfprotov6.InvokeActionEvent) bool) { push(completed) },
	}, nil
}

// invoke releases the context when the events end: until then the action runs.
func (s *server) invoke(
	ctx context.Context, req *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	ctx, end := s.contexts.releasable(ctx)
	stream, err := s.ActionServer.InvokeAction(ctx, req)
	if err != nil {
		end()
		return nil, err
	}
	events := stream.Events
	stream.Events = func(push func(tfprotov6.InvokeActionEvent) bool) {
		defer end()
		events(push)
	}
	return stream, nil
}

// actionErrors are the errors, without the warnings, that validation finds in an action.
func (s *server) actionErrors(
	ctx context.Context, actionType string, config *tfprotov6.DynamicValue,
) ([]*tfprotov6.Diagnostic, error) {
	req := &tfprotov6.ValidateActionConfigRequest{ActionType: actionType, Config: config}
	resp, err := s.ValidateActionConfig(ctx, req)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(resp.Diagnostics, func(d *tfprotov6.Diagnostic) bool {
		return d.Severity != tfprotov6.DiagnosticSeverityError
	}), nil
}
