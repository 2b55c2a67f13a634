// Package protocol wraps the plugin framework's server of any provider. It does four things that
// the framework does not do: it frees the memory of most requests about a resource when they end
// (detach.go), keeps elements of nested lists that are unknown as a whole from breaking plans
// (expand.go), validates actions again when they are planned and invoked (actions.go), and submits
// nothing after Terraform has stopped the provider.
package protocol

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"golang.org/x/mod/semver"
)

// Server has all methods of the framework's server.
type Server interface {
	tfprotov6.ProviderServer
	tfprotov6.ActionServer
	tfprotov6.ListResourceServer
	tfprotov6.StateStoreServer
}

// Wrap returns a server that passes all calls on to framework. It fails if framework, as in another
// version of the plugin framework, does not have all methods of Server.
func Wrap(framework tfprotov6.ProviderServer) (Server, error) {
	server, ok := framework.(Server)
	if !ok {
		return nil, fmt.Errorf("%T does not have all methods of the plugin protocol", framework)
	}
	return &wrapper{
		Server: server,
		schemas: sync.OnceValue(func() *tfprotov6.GetProviderSchemaResponse {
			schemas, _ := server.GetProviderSchema(context.Background(), nil) // never fails
			return schemas
		}),
	}, nil
}

type wrapper struct {
	Server

	schemas func() *tfprotov6.GetProviderSchemaResponse

	// writeOnly reports whether this Terraform or OpenTofu supports write-only attributes.
	writeOnly atomic.Bool

	stopped atomic.Bool // by Terraform
}

func (w *wrapper) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	w.stopped.Store(false) // in a debugger one process serves several runs
	w.writeOnly.Store(semver.Compare("v"+req.TerraformVersion, "v1.11.0-0") >= 0)
	return w.Server.ConfigureProvider(ctx, req)
}

func (w *wrapper) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	schema, request := w.schemas().ResourceSchemas[req.TypeName], *req
	request.Config = replaceUnknown(schema, req.Config, req.Config, expanded)
	return withDetachable(ctx, &request, w.Server.ValidateResourceConfig)
}

func (w *wrapper) UpgradeResourceState(
	ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return withDetachable(ctx, req, w.Server.UpgradeResourceState)
}

func (w *wrapper) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	return withDetachable(ctx, req, w.Server.ReadResource)
}

// PlanResourceChange plans a list element that is unknown as a whole, such as that of
// channels = [terraform_data.x.output], in the form that Terraform requires:
//
//   - Terraform 1.11 or later: {type = unknown, …, fields_wo = null}, since a write-only attribute
//     must be null in a plan. The framework makes fields_wo null only in an object, so the proposed
//     state is expanded before the framework plans.
//   - Before 1.11: unknown, as in the configuration, since fields_wo is an ordinary attribute there,
//     which must not turn from unknown to null. So the plan is collapsed after that. If the state has
//     a channel at this index, Terraform itself proposes an object, even before 1.11.
func (w *wrapper) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	schema, request := w.schemas().ResourceSchemas[req.TypeName], *req
	request.ProposedNewState = replaceUnknown(schema, req.Config, req.ProposedNewState, expanded)
	resp, err := withDetachable(ctx, &request, w.Server.PlanResourceChange)
	if err == nil && !w.writeOnly.Load() {
		resp.PlannedState = replaceUnknown(schema, req.Config, resp.PlannedState, collapsed)
	}
	return resp, err
}

func (w *wrapper) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return withDetachable(w.unlessStopped(ctx), req, w.Server.ApplyResourceChange)
}

func (w *wrapper) StopProvider(
	ctx context.Context, req *tfprotov6.StopProviderRequest,
) (*tfprotov6.StopProviderResponse, error) {
	w.stopped.Store(true)
	return w.Server.StopProvider(ctx, req)
}

// unlessStopped cancels the context of a call that arrives after Terraform stopped the provider.
// tf6server cancels only the calls that are under way then, but Terraform has announced others
// ("Creating...") and still makes them.
func (w *wrapper) unlessStopped(ctx context.Context) context.Context {
	if !w.stopped.Load() {
		return ctx
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return ctx
}
