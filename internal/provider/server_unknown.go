package provider

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

func (s *server) ValidateResourceConfig(
	ctx context.Context, req *tfprotov6.ValidateResourceConfigRequest,
) (*tfprotov6.ValidateResourceConfigResponse, error) {
	if mayHoldUnknown(req.Config) {
		if err := s.expand(ctx, req.TypeName, &req.Config); err != nil {
			return nil, err
		}
	}
	return forgotten(ctx, s, req, s.ProviderServer.ValidateResourceConfig)
}

// PlanResourceChange leaves unknown channels as they are where fields_wo is an attribute like
// any other: Terraform before 1.11 refuses a plan in which it is null and may yet be set.
func (s *server) PlanResourceChange(
	ctx context.Context, req *tfprotov6.PlanResourceChangeRequest,
) (*tfprotov6.PlanResourceChangeResponse, error) {
	if s.writeOnly.Load() && mayHoldUnknown(req.Config) {
		if err := s.expand(ctx, req.TypeName, &req.Config, &req.ProposedNewState); err != nil {
			return nil, err
		}
	}
	return forgotten(ctx, s, req, s.ProviderServer.PlanResourceChange)
}

// mayHoldUnknown spares most calls a second decoding of their values. It is false for MessagePack
// without an extension type, which is what unknown values are; true says little, since the same
// bytes stand in text too.
func mayHoldUnknown(config *tfprotov6.DynamicValue) bool {
	return config != nil && slices.ContainsFunc(config.MsgPack, func(b byte) bool {
		return b >= 0xc7 && b <= 0xc9 || b >= 0xd4 && b <= 0xd8
	})
}

// schemas are the provider's, read when they are first needed.
type schemas struct {
	once sync.Once
	resp *tfprotov6.GetProviderSchemaResponse
	err  error
}

// expand replaces values of a resource or an action, no two of which have the same name.
func (s *server) expand(ctx context.Context, name string, values ...**tfprotov6.DynamicValue) error {
	s.schemas.once.Do(func() {
		s.schemas.resp, s.schemas.err = forgotten(
			ctx, s, &tfprotov6.GetProviderSchemaRequest{}, s.GetProviderSchema)
	})
	if s.schemas.err != nil {
		return s.schemas.err
	}
	schema := s.schemas.resp.ResourceSchemas[name]
	if action := s.schemas.resp.ActionSchemas[name]; action != nil {
		schema = action.Schema
	}
	for _, value := range values {
		expanded, err := expandUnknown(*value, schema.ValueType())
		if err != nil {
			return err
		}
		*value = expanded
	}
	return nil
}

// expandUnknown returns value, of the given type, with each list element that is an unknown
// object as an object of unknown attributes, which says the same. Write-only attributes in it
// are null, as they have to be in a plan; whether they are set shows when the object is known.
func expandUnknown(value *tfprotov6.DynamicValue, typ tftypes.Type) (*tfprotov6.DynamicValue, error) {
	decoded, err := value.Unmarshal(typ)
	if err != nil {
		return nil, err
	}
	expanded, err := tftypes.Transform(decoded, expandElement)
	if err != nil {
		return nil, err
	}
	encoded, err := tfprotov6.NewDynamicValue(typ, expanded)
	return &encoded, err
}

func expandElement(at *tftypes.AttributePath, value tftypes.Value) (tftypes.Value, error) {
	object, isObject := value.Type().(tftypes.Object)
	_, isElement := at.LastStep().(tftypes.ElementKeyInt)
	if !isObject || !isElement || value.IsKnown() {
		return value, nil
	}
	attributes := make(map[string]tftypes.Value, len(object.AttributeTypes))
	for name, typ := range object.AttributeTypes {
		attributes[name] = tftypes.NewValue(typ, tftypes.UnknownValue)
		if strings.HasSuffix(name, writeOnlySuffix) {
			attributes[name] = tftypes.NewValue(typ, nil)
		}
	}
	return tftypes.NewValue(object, attributes), nil
}

// writeOnlySuffix ends the name of each write-only attribute, by convention.
const writeOnlySuffix = "_wo"
