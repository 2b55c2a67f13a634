package protocol

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"golang.org/x/mod/semver"
)

// ExpandUnknown returns a server that expands nested objects which are unknown as a whole, such as
// that of [var.object] during validation, in the configurations of resources and actions. The
// framework treats the attributes of such an element as null, although some are required, and
// leaves write-only attributes in it unknown, which Terraform does not allow in a plan
// (https://github.com/hashicorp/terraform-plugin-framework/issues/186).
func ExpandUnknown(server Server) Server {
	return &expander{Server: server}
}

type expander struct {
	Server

	// writeOnly reports whether this Terraform or OpenTofu supports write-only attributes.
	writeOnly atomic.Bool

	once    sync.Once
	schemas *tfprotov6.GetProviderSchemaResponse // read when they are first needed
	err     error
}

func (e *expander) ConfigureProvider(
	ctx context.Context, req *tfprotov6.ConfigureProviderRequest,
) (*tfprotov6.ConfigureProviderResponse, error) {
	e.writeOnly.Store(semver.Compare("v"+req.TerraformVersion, "v1.11.0-0") >= 0)
	return e.Server.ConfigureProvider(ctx, req)
}

func (e *expander) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	expanded := *req
	if err := e.expand(ctx, resourceSchema(req.TypeName), &expanded.Config); err != nil {
		return nil, err
	}
	return e.Server.ValidateResourceConfig(ctx, &expanded)
}

// PlanResourceChange expands only where write-only attributes are supported. Before Terraform 1.11
// they are ordinary attributes, which must not be null in a plan if they may be set later.
func (e *expander) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	expanded := *req
	if e.writeOnly.Load() {
		err := e.expand(ctx, resourceSchema(req.TypeName),
			&expanded.Config, &expanded.ProposedNewState)
		if err != nil {
			return nil, err
		}
	}
	return e.Server.PlanResourceChange(ctx, &expanded)
}

func (e *expander) ValidateActionConfig(
	ctx context.Context, req *tfprotov6.ValidateActionConfigRequest,
) (*tfprotov6.ValidateActionConfigResponse, error) {
	expanded := *req
	if err := e.expand(ctx, actionSchema(req.ActionType), &expanded.Config); err != nil {
		return nil, err
	}
	return e.Server.ValidateActionConfig(ctx, &expanded)
}

// findSchema returns one of the schemas, or nil.
type findSchema func(schemas *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema

func resourceSchema(name string) findSchema {
	return func(schemas *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema {
		return schemas.ResourceSchemas[name]
	}
}

func actionSchema(name string) findSchema {
	return func(schemas *tfprotov6.GetProviderSchemaResponse) *tfprotov6.Schema {
		if action := schemas.ActionSchemas[name]; action != nil {
			return action.Schema
		}
		return nil
	}
}

// expand expands values of one schema: a configuration, and what is planned from it. Where there is
// no such schema, the wrapped server says so.
func (e *expander) expand(
	ctx context.Context, find findSchema, values ...**tfprotov6.DynamicValue,
) error {
	if !mayHoldUnknown(*values[0]) {
		return nil
	}
	e.once.Do(func() {
		e.schemas, e.err = e.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	})
	if e.err != nil {
		return e.err
	}
	schema := find(e.schemas)
	if schema == nil {
		return nil
	}
	for _, value := range values {
		expanded, err := expandValue(*value, schema)
		if err != nil {
			return err
		}
		*value = expanded
	}
	return nil
}

// mayHoldUnknown saves most calls from decoding their values twice. Unknown values are MessagePack
// extension types: without one, nothing is unknown. True proves nothing, since text can contain the
// same bytes.
func mayHoldUnknown(config *tfprotov6.DynamicValue) bool {
	return config != nil && slices.ContainsFunc(config.MsgPack, func(b byte) bool {
		return b >= 0xc7 && b <= 0xc9 || b >= 0xd4 && b <= 0xd8
	})
}
