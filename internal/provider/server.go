package provider

import (
	"context"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"golang.org/x/mod/semver"
)

// NewServer returns the function that makes a provider server of the given version.
func NewServer(version string) func() tfprotov6.ProviderServer {
	return func() tfprotov6.ProviderServer {
		return newServer(providerserver.NewProtocol6(newProvider(version))())
	}
}

func newServer(framework tfprotov6.ProviderServer) tfprotov6.ProviderServer {
	actions, _ := framework.(tfprotov6.ActionServer) // always succeeds
	return &server{ProviderServer: framework, ActionServer: actions}
}

// server adds what the framework does not do:
//
//   - It releases the context of each call for a resource or data source when the call ends. The
//     framework's registerContext (internal/proto6server/serve.go) keeps every context until
//     Terraform stops the provider, to cancel it then, and with the context the loggers of the
//     call: some 30 kB for a notification. An apply of 1,000 took 140 MB instead of 36 MB.
//   - It packs what is large: the framework looks up every element of a collection in the schema,
//     several times in each call (fromtftypes.AttributePath, related to
//     https://github.com/hashicorp/terraform-plugin-framework/issues/775). 10,000 recipients took
//     more than a second.
//   - It expands channels that are unknown as a whole ([var.channel] during validation). The
//     framework treats their members as null, although type is required, and leaves a write-only
//     member of them unknown, which Terraform does not allow in a plan
//     (https://github.com/hashicorp/terraform-plugin-framework/issues/186).
//   - It validates actions again when they are planned and invoked. Terraform validates them
//     only while variables are unknown (internal/terraform/node_action_validate.go), and the
//     framework relies on that.
//
// It embeds only the interfaces that this provider needs: it has no list resources and no state
// stores.
type server struct {
	tfprotov6.ProviderServer
	tfprotov6.ActionServer

	schemas schemas

	// lasting is the context of ConfigureProvider without its cancellation.
	lasting atomic.Pointer[context.Context]

	// writeOnly reports whether this Terraform or OpenTofu supports write-only attributes.
	writeOnly atomic.Bool
}

func (s *server) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	lasting := context.WithoutCancel(ctx)
	s.lasting.Store(&lasting)
	s.writeOnly.Store(semver.Compare("v"+req.TerraformVersion, "v1.11.0-0") >= 0)
	return s.ProviderServer.ConfigureProvider(ctx, req)
}

func (s *server) UpgradeResourceState(
	ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return releasing(ctx, s, req, s.ProviderServer.UpgradeResourceState)
}

func (s *server) ImportResourceState(
	ctx context.Context, req *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	return releasing(ctx, s, req, s.ProviderServer.ImportResourceState)
}

func (s *server) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	req.CurrentState = pack(req.CurrentState)
	resp, err := releasing(ctx, s, req, s.ProviderServer.ReadResource)
	if err == nil {
		resp.NewState = unpack(resp.NewState)
	}
	return resp, err
}

func (s *server) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	req.Config = pack(req.Config)
	if err := s.expand(ctx, req.TypeName, &req.Config); err != nil {
		return nil, err
	}
	return releasing(ctx, s, req, s.ProviderServer.ValidateResourceConfig)
}

// PlanResourceChange expands unknown channels only where write-only attributes are supported.
// Before Terraform 1.11 fields_wo is an ordinary attribute, which must not be null in a plan if it
// may be set later.
func (s *server) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	req.Config = pack(req.Config)
	req.ProposedNewState = pack(req.ProposedNewState)
	req.PriorState = pack(req.PriorState)
	if s.writeOnly.Load() {
		if err := s.expand(ctx, req.TypeName, &req.Config, &req.ProposedNewState); err != nil {
			return nil, err
		}
	}
	resp, err := releasing(ctx, s, req, s.ProviderServer.PlanResourceChange)
	if err == nil {
		resp.PlannedState = unpack(resp.PlannedState)
	}
	return resp, err
}

func (s *server) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	req.Config = pack(req.Config)
	req.PlannedState = pack(req.PlannedState)
	req.PriorState = pack(req.PriorState)
	resp, err := releasing(ctx, s, req, s.ProviderServer.ApplyResourceChange)
	if err == nil {
		resp.NewState = unpack(resp.NewState)
	}
	return resp, err
}

func (s *server) ValidateDataResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest,
) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return releasing(ctx, s, req, s.ProviderServer.ValidateDataResourceConfig)
}

func (s *server) ReadDataSource(
	ctx context.Context, req *tfprotov6.ReadDataSourceRequest,
) (*tfprotov6.ReadDataSourceResponse, error) {
	resp, err := releasing(ctx, s, req, s.ProviderServer.ReadDataSource)
	if err == nil {
		resp.State = unpackStudies(resp.State)
	}
	return resp, err
}

// releasing makes a call, and releases its context when the call ends.
func releasing[Request, Response any](
	ctx context.Context, s *server, req Request,
	call func(context.Context, Request) (Response, error),
) (Response, error) {
	ctx, end := releasable(ctx, &s.lasting)
	defer end()
	return call(ctx, req)
}

// callContext has the values of a call until the call ends. After that it has those of lasting:
// what outlives the call, such as the early refresh of a token, still has a logger.
type callContext struct {
	context.Context //nolint:containedctx // it implements a context

	call    atomic.Pointer[context.Context]
	lasting *atomic.Pointer[context.Context]
}

// releasable returns a context that is cancelled when ctx is. Calling end cancels it too and
// removes its reference to ctx, so that a caller who keeps the context keeps almost no memory. It
// has no deadline, since Terraform's calls have none.
func releasable(
	ctx context.Context, lasting *atomic.Pointer[context.Context],
) (released context.Context, end func()) {
	own, cancel := context.WithCancel(context.Background())
	unwatch := context.AfterFunc(ctx, cancel)
	c := &callContext{Context: own, lasting: lasting}
	c.call.Store(&ctx)
	return c, func() {
		unwatch()
		cancel()
		c.call.Store(nil)
	}
}

func (c *callContext) Value(key any) any {
	// Package context looks for the cancellation here. If it did not find it, each child context
	// would need a goroutine.
	if value := c.Context.Value(key); value != nil {
		return value
	}
	values := c.call.Load()
	if values == nil {
		values = c.lasting.Load()
	}
	if values == nil {
		return nil
	}
	return (*values).Value(key)
}
