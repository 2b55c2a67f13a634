// Package protocol wraps a provider server of the plugin framework, and does what the framework
// does not do. It knows no provider.
package protocol

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"golang.org/x/mod/semver"
)

// Decode returns the state of a data source as Terraform is to get it, from the state that the
// framework returned.
type Decode func(state *tfprotov6.DynamicValue) (*tfprotov6.DynamicValue, error)

// Wrap returns a server that differs from framework in four ways:
//
//   - It releases the context of each call for a resource, data source, ephemeral resource or
//     action when the call ends, and those of GetProviderSchema and ValidateProviderConfig
//     (release.go).
//   - It expands what is unknown as a whole in a list (unknown.go).
//   - It validates actions again when they are planned and invoked (actions.go).
//   - It decodes the states of the data sources named in decode. A large state can thus pass the
//     framework, which copies and compares every value in it, as one encoded value.
//
// It offers what framework offers but list resources and state stores.
func Wrap(framework tfprotov6.ProviderServer, decode map[string]Decode) tfprotov6.ProviderServer {
	actions, _ := framework.(tfprotov6.ActionServer) // always succeeds
	s := &server{ProviderServer: framework, ActionServer: actions, decode: decode}
	s.expander.getSchema = s.GetProviderSchema
	return s
}

type server struct {
	tfprotov6.ProviderServer
	tfprotov6.ActionServer

	contexts contexts
	expander expander
	decode   map[string]Decode

	// writeOnly reports whether this Terraform or OpenTofu supports write-only attributes.
	writeOnly atomic.Bool
}

func (s *server) GetProviderSchema(
	ctx context.Context, req *tfprotov6.GetProviderSchemaRequest,
) (*tfprotov6.GetProviderSchemaResponse, error) {
	return releasing(ctx, &s.contexts, req, s.ProviderServer.GetProviderSchema)
}

func (s *server) ValidateProviderConfig(
	ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return releasing(ctx, &s.contexts, req, s.ProviderServer.ValidateProviderConfig)
}

// ConfigureProvider keeps its context, whose values are those of what outlives a call.
func (s *server) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	s.contexts.outlive(ctx)
	s.writeOnly.Store(semver.Compare("v"+req.TerraformVersion, "v1.11.0-0") >= 0)
	return s.ProviderServer.ConfigureProvider(ctx, req)
}

func (s *server) UpgradeResourceState(
	ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return releasing(ctx, &s.contexts, req, s.ProviderServer.UpgradeResourceState)
}

func (s *server) ImportResourceState(
	ctx context.Context, req *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	return releasing(ctx, &s.contexts, req, s.ProviderServer.ImportResourceState)
}

func (s *server) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	return releasing(ctx, &s.contexts, req, s.ProviderServer.ReadResource)
}

func (s *server) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	if err := s.expander.expand(ctx, req.TypeName, &req.Config); err != nil {
		return nil, err
	}
	return releasing(ctx, &s.contexts, req, s.ProviderServer.ValidateResourceConfig)
}

// PlanResourceChange expands only where write-only attributes are supported. Before Terraform 1.11
// they are ordinary attributes, which must not be null in a plan if they may be set later.
func (s *server) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	if s.writeOnly.Load() {
		err := s.expander.expand(ctx, req.TypeName, &req.Config, &req.ProposedNewState)
		if err != nil {
			return nil, err
		}
	}
	return releasing(ctx, &s.contexts, req, s.ProviderServer.PlanResourceChange)
}

func (s *server) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return releasing(ctx, &s.contexts, req, s.ProviderServer.ApplyResourceChange)
}

func (s *server) ValidateDataResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest,
) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return releasing(ctx, &s.contexts, req, s.ProviderServer.ValidateDataResourceConfig)
}

func (s *server) ReadDataSource(
	ctx context.Context, req *tfprotov6.ReadDataSourceRequest,
) (*tfprotov6.ReadDataSourceResponse, error) {
	resp, err := releasing(ctx, &s.contexts, req, s.ProviderServer.ReadDataSource)
	decode := s.decode[req.TypeName]
	if err != nil || decode == nil {
		return resp, err
	}
	if resp.State, err = decode(resp.State); err != nil {
		return nil, fmt.Errorf("cannot decode the state of %s: %w", req.TypeName, err)
	}
	return resp, nil
}

func (s *server) ValidateEphemeralResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateEphemeralResourceConfigRequest,
) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	return releasing(ctx, &s.contexts, req, s.ProviderServer.ValidateEphemeralResourceConfig)
}

func (s *server) OpenEphemeralResource(
	ctx context.Context, req *tfprotov6.OpenEphemeralResourceRequest,
) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	return releasing(ctx, &s.contexts, req, s.ProviderServer.OpenEphemeralResource)
}

func (s *server) RenewEphemeralResource(
	ctx context.Context, req *tfprotov6.RenewEphemeralResourceRequest,
) (*tfprotov6.RenewEphemeralResourceResponse, error) {
	return releasing(ctx, &s.contexts, req, s.ProviderServer.RenewEphemeralResource)
}

func (s *server) CloseEphemeralResource(
	ctx context.Context, req *tfprotov6.CloseEphemeralResourceRequest,
) (*tfprotov6.CloseEphemeralResourceResponse, error) {
	return releasing(ctx, &s.contexts, req, s.ProviderServer.CloseEphemeralResource)
}
