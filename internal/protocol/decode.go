package protocol

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// Decode returns the state of a data source as Terraform is to get it, from the state that the
// wrapped server returned.
type Decode func(state *tfprotov6.DynamicValue) (*tfprotov6.DynamicValue, error)

// DecodeDataSources returns a server that decodes the states of the data sources named in decode. A
// large state can thus pass the framework, which copies every value in it and compares it with
// others, as one encoded value. It is not needed once the framework does less for each value, as
// https://github.com/hashicorp/terraform-plugin-framework/issues/775 asks for sets.
func DecodeDataSources(server Server, decode map[string]Decode) Server {
	return decoder{server, decode}
}

type decoder struct {
	Server

	decode map[string]Decode
}

func (d decoder) ReadDataSource(
	ctx context.Context, req *tfprotov6.ReadDataSourceRequest,
) (*tfprotov6.ReadDataSourceResponse, error) {
	resp, err := d.Server.ReadDataSource(ctx, req)
	decode := d.decode[req.TypeName]
	if err != nil || decode == nil {
		return resp, err
	}
	if resp.State, err = decode(resp.State); err != nil {
		return nil, fmt.Errorf("cannot decode the state of %s: %w", req.TypeName, err)
	}
	return resp, nil
}
