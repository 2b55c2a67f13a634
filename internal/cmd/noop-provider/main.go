// Command noop-provider serves package noop as Terraform starts it, the way a
// provider does that was never tuned.
package main

import (
	"context"
	"log"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"

	"terraform-provider-notification/internal/bench/noop"
)

func main() {
	if err := providerserver.Serve(context.Background(), noop.New, providerserver.ServeOpts{Address: noop.Address}); err != nil {
		log.Fatal(err)
	}
}
