// Command schema prints the provider's schemas as `terraform providers schema -json` does. It asks
// the provider directly, and so needs no Terraform, which leaves out actions before version 1.14.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/notification/terraform-provider-notification/internal/provider"
)

func main() {
	document, err := providersSchema(context.Background())
	if err == nil {
		encoder := json.NewEncoder(os.Stdout)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(document)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "schema:", err)
		os.Exit(1)
	}
}

// providersSchema asks the provider for its schemas. The document uses the short name of the
// provider, by which tfplugindocs finds it.
func providersSchema(ctx context.Context) (*tfjson.ProviderSchemas, error) {
	server := providerserver.NewProtocol6(provider.New("dev"))()
	response, err := server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	var problems []error
	for _, diagnostic := range response.Diagnostics {
		problems = append(problems, fmt.Errorf("%s: %s", diagnostic.Summary, diagnostic.Detail))
	}
	convert := func(name string, from *tfprotov6.Schema) *tfjson.Schema {
		block, err := newBlock(from.Block)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", name, err))
		}
		//nolint:gosec // no version is negative
		return &tfjson.Schema{Version: uint64(from.Version), Block: block}
	}
	convertAll := func(from map[string]*tfprotov6.Schema) map[string]*tfjson.Schema {
		to := make(map[string]*tfjson.Schema, len(from))
		for name, schema := range from {
			to[name] = convert(name, schema)
		}
		return to
	}
	schemas := &tfjson.ProviderSchema{
		ConfigSchema:             convert("provider", response.Provider),
		ResourceSchemas:          convertAll(response.ResourceSchemas),
		DataSourceSchemas:        convertAll(response.DataSourceSchemas),
		EphemeralResourceSchemas: convertAll(response.EphemeralResourceSchemas),
		ActionSchemas:            make(map[string]*tfjson.ActionSchema),
	}
	for name, from := range response.ActionSchemas {
		schemas.ActionSchemas[name] = &tfjson.ActionSchema{Block: convert(name, from.Schema).Block}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return &tfjson.ProviderSchemas{
		FormatVersion: "1.0", Schemas: map[string]*tfjson.ProviderSchema{"notification": schemas},
	}, nil
}
