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
	debug := flag.Bool("debug", false,
		"wait for Terraform instead of being started by it, for a debugger such as delve")
	debugEnv := flag.String("debug-env", "",
		"with -debug, a `file` to write the variable to by which Terraform finds the provider")
	flag.Parse()
	tuneMemory()
	if err := quietLogs(*debug); err != nil {
		log.Fatal(err)
	}

	var options []tf6server.ServeOpt
	if *debug {
		options = append(options,
			tf6server.WithManagedDebug(), tf6server.WithManagedDebugEnvFilePath(*debugEnv))
	} else {
		outliveTermination()
	}
	err := tf6server.Serve(provider.Address, provider.NewServer(version), options...)
	if err != nil {
		log.Fatal(err)
	}
}
