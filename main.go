// The notification provider, as Terraform and OpenTofu start it.
package main

import (
	"flag"
	"log"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"

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

	var options []tf6server.ServeOpt
	if *debug {
		options = append(options, tf6server.WithManagedDebug())
	} else {
		outliveTermination()
	}
	if err := tf6server.Serve(provider.Address, provider.NewServer(version), options...); err != nil {
		log.Fatal(err)
	}
}
