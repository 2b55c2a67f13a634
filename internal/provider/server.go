package provider

import (
	"context"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"golang.org/x/mod/semver"
)

// NewServer returns what makes the provider of the given version, as it is served.
func NewServer(version string) func() tfprotov6.ProviderServer {
	return func() tfprotov6.ProviderServer {
		return newServer(providerserver.NewProtocol6(newProvider(version))())
	}
}

func newServer(framework tfprotov6.ProviderServer) tfprotov6.ProviderServer {
	actions, _ := framework.(tfprotov6.ActionServer) // it always is one
	return &server{ProviderServer: framework, ActionServer: actions}
}

// server does what the framework does not do by itself:
//
//   - It forgets the calls that come for every resource and data source. The framework keeps
//     the context of each call until Terraform stops it, to be able to cancel it then, and
//     with the context the loggers of the call: some 30 kB for a notification, so that an
//     apply of 1,000 took 140 MB and not 36 MB.
//   - It expands channels that are unknown as a whole ([var.channel] during validation). The
//     framework takes their members for null, although type is required, and leaves a
//     write-only member in them unknown, which Terraform refuses in a plan
//     (hashicorp/terraform-plugin-framework#186).
//   - It validates actions when they are planned and invoked. Terraform validates them only
//     while variables are unknown (its node_action_validate.go), and the framework relies
//     on that.
//
// What it embeds is all that this provider offers: neither list resources nor state stores.
type server struct {
	tfprotov6.ProviderServer
	tfprotov6.ActionServer

	schemas schemas

	// lasting is the context of ConfigureProvider, without its end.
	lasting atomic.Pointer[context.Context]

	// writeOnly is whether this Terraform or OpenTofu knows write-only attributes.
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

func (s *server) UpgradeResourceState(ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return forgotten(ctx, s, req, s.ProviderServer.UpgradeResourceState)
}

func (s *server) ImportResourceState(ctx context.Context, req *tfprotov6.ImportResourceStateRequest) (*tfprotov6.ImportResourceStateResponse, error) {
	return forgotten(ctx, s, req, s.ProviderServer.ImportResourceState)
}

func (s *server) ReadResource(ctx context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return forgotten(ctx, s, req, s.ProviderServer.ReadResource)
}

func (s *server) ApplyResourceChange(ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return forgotten(ctx, s, req, s.ProviderServer.ApplyResourceChange)
}

func (s *server) ValidateDataResourceConfig(ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return forgotten(ctx, s, req, s.ProviderServer.ValidateDataResourceConfig)
}

func (s *server) ReadDataSource(ctx context.Context, req *tfprotov6.ReadDataSourceRequest) (*tfprotov6.ReadDataSourceResponse, error) {
	return forgotten(ctx, s, req, s.ProviderServer.ReadDataSource)
}

// forgotten makes a call whose context lets go of everything when the call ends.
func forgotten[Request, Response any](ctx context.Context, s *server, req Request, call func(context.Context, Request) (Response, error)) (Response, error) {
	ctx, end := releasable(ctx, &s.lasting)
	defer end()
	return call(ctx, req)
}

// callContext has the values of a call until that ends, and then those of lasting:
// the log of what outlives the call, such as the early refresh of a token.
type callContext struct {
	context.Context //nolint:containedctx // this is one

	call    atomic.Pointer[context.Context]
	lasting *atomic.Pointer[context.Context]
}

// releasable returns a context that is cancelled with ctx, and by end, which makes
// it forget ctx: whoever keeps it then keeps next to nothing. It has no deadline,
// since Terraform's calls have none.
func releasable(ctx context.Context, lasting *atomic.Pointer[context.Context]) (released context.Context, end func()) {
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
	// Package context finds the cancellation here: otherwise each child would need
	// a goroutine to watch for it.
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
