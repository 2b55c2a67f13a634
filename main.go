// The notification provider, as Terraform and OpenTofu start it.
package main

import (
	"context"
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"terraform-provider-notification/internal/provider"
)

// version is set by the linker when a release is built.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false, "wait for a debugger such as delve; prints the TF_REATTACH_PROVIDERS to use")
	flag.Parse()
	tuneMemory()
	if err := quietLogs(*debug); err != nil {
		log.Fatal(err)
	}

	err := providerserver.Serve(context.Background(), provider.New(version), providerserver.ServeOpts{
		Address:         provider.Address,
		Debug:           *debug,
		ProtocolVersion: 6,
	})
	if err != nil {
		log.Fatal(err)
	}
}
