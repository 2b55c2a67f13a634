// Command schema prints the provider's schemas as `terraform providers schema -json` does. It asks
// the provider directly, so that it needs no Terraform; versions before 1.14 leave out actions.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"terraform-provider-notification/internal/provider"
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
func providersSchema(ctx context.Context) (*document, error) {
	response, err := provider.NewServer("dev")().GetProviderSchema(ctx,
		&tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		return nil, err
	}
	var problems []error
	for _, diagnostic := range response.Diagnostics {
		problems = append(problems, fmt.Errorf("%s: %s", diagnostic.Summary, diagnostic.Detail))
	}
	schemas := &providerSchemas{
		Resources:          map[string]*schema{},
		DataSources:        map[string]*schema{},
		EphemeralResources: map[string]*schema{},
		Actions:            map[string]*actionSchema{},
	}
	convert := func(name string, from *tfprotov6.Schema) *schema {
		block, err := newBlock(from.Block)
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", name, err))
		}
		return &schema{Version: from.Version, Block: block}
	}
	schemas.Provider = convert("provider", response.Provider)
	for name, from := range response.ResourceSchemas {
		schemas.Resources[name] = convert(name, from)
	}
	for name, from := range response.DataSourceSchemas {
		schemas.DataSources[name] = convert(name, from)
	}
	for name, from := range response.EphemeralResourceSchemas {
		schemas.EphemeralResources[name] = convert(name, from)
	}
	for name, from := range response.ActionSchemas {
		schemas.Actions[name] = &actionSchema{Block: convert(name, from.Schema).Block}
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return &document{
		FormatVersion: "1.0", Providers: map[string]*providerSchemas{"notification": schemas},
	}, nil
}
