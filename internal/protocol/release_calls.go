package protocol

import (
	"context"
	"iter"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// These are all calls but StopProvider, whose context the framework does not keep.

func (r *releaser) GetMetadata(
	ctx context.Context, req *tfprotov6.GetMetadataRequest,
) (*tfprotov6.GetMetadataResponse, error) {
	return release(ctx, r, req, r.Server.GetMetadata)
}

func (r *releaser) GetProviderSchema(
	ctx context.Context, req *tfprotov6.GetProviderSchemaRequest,
) (*tfprotov6.GetProviderSchemaResponse, error) {
	return release(ctx, r, req, r.Server.GetProviderSchema)
}

func (r *releaser) GetResourceIdentitySchemas(
	ctx context.Context, req *tfprotov6.GetResourceIdentitySchemasRequest,
) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return release(ctx, r, req, r.Server.GetResourceIdentitySchemas)
}

func (r *releaser) ValidateProviderConfig(
	ctx context.Context, req *tfprotov6.ValidateProviderConfigRequest,
) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return release(ctx, r, req, r.Server.ValidateProviderConfig)
}

// ConfigureProvider makes the values of its context those of each call that has ended: what
// outlives a call, such as the early refresh of a token, still has a logger.
func (r *releaser) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	r.lasting.Store(&ctx)
	return release(ctx, r, req, r.Server.ConfigureProvider)
}

func (r *releaser) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return release(ctx, r, req, r.Server.ValidateResourceConfig)
}

func (r *releaser) UpgradeResourceState(
	ctx context.Context, req *tfprotov6.UpgradeResourceStateRequest,
) (*tfprotov6.UpgradeResourceStateResponse, error) {
	return release(ctx, r, req, r.Server.UpgradeResourceState)
}

func (r *releaser) ReadResource(
	ctx context.Context, req *tfprotov6.ReadResourceRequest,
) (*tfprotov6.ReadResourceResponse, error) {
	return release(ctx, r, req, r.Server.ReadResource)
}

func (r *releaser) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	return release(ctx, r, req, r.Server.PlanResourceChange)
}

func (r *releaser) ApplyResourceChange(
	ctx context.Context, req *tfprotov6.ApplyResourceChangeRequest,
) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return release(ctx, r, req, r.Server.ApplyResourceChange)
}

func (r *releaser) ImportResourceState(
	ctx context.Context, req *tfprotov6.ImportResourceStateRequest,
) (*tfprotov6.ImportResourceStateResponse, error) {
	return release(ctx, r, req, r.Server.ImportResourceState)
}

func (r *releaser) MoveResourceState(
	ctx context.Context, req *tfprotov6.MoveResourceStateRequest,
) (*tfprotov6.MoveResourceStateResponse, error) {
	return release(ctx, r, req, r.Server.MoveResourceState)
}

func (r *releaser) UpgradeResourceIdentity(
	ctx context.Context, req *tfprotov6.UpgradeResourceIdentityRequest,
) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	return release(ctx, r, req, r.Server.UpgradeResourceIdentity)
}

func (r *releaser) GenerateResourceConfig(
	ctx context.Context, req *tfprotov6.GenerateResourceConfigRequest,
) (*tfprotov6.GenerateResourceConfigResponse, error) {
	return release(ctx, r, req, r.Server.GenerateResourceConfig)
}

func (r *releaser) ValidateDataResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateDataResourceConfigRequest,
) (*tfprotov6.ValidateDataResourceConfigResponse, error) {
	return release(ctx, r, req, r.Server.ValidateDataResourceConfig)
}

func (r *releaser) ReadDataSource(
	ctx context.Context, req *tfprotov6.ReadDataSourceRequest,
) (*tfprotov6.ReadDataSourceResponse, error) {
	return release(ctx, r, req, r.Server.ReadDataSource)
}

func (r *releaser) CallFunction(
	ctx context.Context, req *tfprotov6.CallFunctionRequest,
) (*tfprotov6.CallFunctionResponse, error) {
	return release(ctx, r, req, r.Server.CallFunction)
}

func (r *releaser) GetFunctions(
	ctx context.Context, req *tfprotov6.GetFunctionsRequest,
) (*tfprotov6.GetFunctionsResponse, error) {
	return release(ctx, r, req, r.Server.GetFunctions)
}

func (r *releaser) ValidateEphemeralResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateEphemeralResourceConfigRequest,
) (*tfprotov6.ValidateEphemeralResourceConfigResponse, error) {
	return release(ctx, r, req, r.Server.ValidateEphemeralResourceConfig)
}

func (r *releaser) OpenEphemeralResource(
	ctx context.Context, req *tfprotov6.OpenEphemeralResourceRequest,
) (*tfprotov6.OpenEphemeralResourceResponse, error) {
	return release(ctx, r, req, r.Server.OpenEphemeralResource)
}

func (r *releaser) RenewEphemeralResource(
	ctx context.Context, req *tfprotov6.RenewEphemeralResourceRequest,
) (*tfprotov6.RenewEphemeralResourceResponse, error) {
	return release(ctx, r, req, r.Server.RenewEphemeralResource)
}

func (r *releaser) CloseEphemeralResource(
	ctx context.Context, req *tfprotov6.CloseEphemeralResourceRequest,
) (*tfprotov6.CloseEphemeralResourceResponse, error) {
	return release(ctx, r, req, r.Server.CloseEphemeralResource)
}

func (r *releaser) ValidateActionConfig(
	ctx context.Context, req *tfprotov6.ValidateActionConfigRequest,
) (*tfprotov6.ValidateActionConfigResponse, error) {
	return release(ctx, r, req, r.Server.ValidateActionConfig)
}

func (r *releaser) PlanAction(
	ctx context.Context, req *tfprotov6.PlanActionRequest,
) (*tfprotov6.PlanActionResponse, error) {
	return release(ctx, r, req, r.Server.PlanAction)
}

func (r *releaser) InvokeAction(
	ctx context.Context, req *tfprotov6.InvokeActionRequest,
) (*tfprotov6.InvokeActionServerStream, error) {
	return releaseStream(ctx, r, req, r.Server.InvokeAction,
		func(s *tfprotov6.InvokeActionServerStream) *iter.Seq[tfprotov6.InvokeActionEvent] {
			return &s.Events
		})
}

func (r *releaser) ValidateListResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateListResourceConfigRequest,
) (*tfprotov6.ValidateListResourceConfigResponse, error) {
	return release(ctx, r, req, r.Server.ValidateListResourceConfig)
}

func (r *releaser) ListResource(
	ctx context.Context, req *tfprotov6.ListResourceRequest,
) (*tfprotov6.ListResourceServerStream, error) {
	return releaseStream(ctx, r, req, r.Server.ListResource,
		func(s *tfprotov6.ListResourceServerStream) *iter.Seq[tfprotov6.ListResourceResult] {
			return &s.Results
		})
}

func (r *releaser) ValidateStateStoreConfig(
	ctx context.Context, req *tfprotov6.ValidateStateStoreConfigRequest,
) (*tfprotov6.ValidateStateStoreConfigResponse, error) {
	return release(ctx, r, req, r.Server.ValidateStateStoreConfig)
}

func (r *releaser) ConfigureStateStore(
	ctx context.Context, req *tfprotov6.ConfigureStateStoreRequest,
) (*tfprotov6.ConfigureStateStoreResponse, error) {
	return release(ctx, r, req, r.Server.ConfigureStateStore)
}

func (r *releaser) ReadStateBytes(
	ctx context.Context, req *tfprotov6.ReadStateBytesRequest,
) (*tfprotov6.ReadStateBytesStream, error) {
	return releaseStream(ctx, r, req, r.Server.ReadStateBytes,
		func(s *tfprotov6.ReadStateBytesStream) *iter.Seq[tfprotov6.ReadStateByteChunk] {
			return &s.Chunks
		})
}

func (r *releaser) WriteStateBytes(
	ctx context.Context, req *tfprotov6.WriteStateBytesStream,
) (*tfprotov6.WriteStateBytesResponse, error) {
	return release(ctx, r, req, r.Server.WriteStateBytes)
}

func (r *releaser) GetStates(
	ctx context.Context, req *tfprotov6.GetStatesRequest,
) (*tfprotov6.GetStatesResponse, error) {
	return release(ctx, r, req, r.Server.GetStates)
}

func (r *releaser) DeleteState(
	ctx context.Context, req *tfprotov6.DeleteStateRequest,
) (*tfprotov6.DeleteStateResponse, error) {
	return release(ctx, r, req, r.Server.DeleteState)
}

func (r *releaser) LockState(
	ctx context.Context, req *tfprotov6.LockStateRequest,
) (*tfprotov6.LockStateResponse, error) {
	return release(ctx, r, req, r.Server.LockState)
}

func (r *releaser) UnlockState(
	ctx context.Context, req *tfprotov6.UnlockStateRequest,
) (*tfprotov6.UnlockStateResponse, error) {
	return release(ctx, r, req, r.Server.UnlockState)
}
