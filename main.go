// Command terraform-provider-notification is the provider, which Terraform and OpenTofu start.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	tfaddr "github.com/hashicorp/terraform-registry-address"

	"github.com/notification/terraform-provider-notification/internal/protocol"
	"github.com/notification/terraform-provider-notification/internal/provider"
)

// version is set by the linker in release builds.
var version = "dev"

func main() {
	debug := flag.Bool("debug", false,
		"wait for Terraform instead of being started by it, for a debugger such as delve")
	debugEnv := flag.String("debug-env", "",
		"with -debug, the `file` to write TF_REATTACH_PROVIDERS to")
	showVersion := flag.Bool("version", false, "print the version and exit")
	flag.Parse()
	if *showVersion {
		fmt.Println("terraform-provider-notification", version)
		return
	}
	var options []tf6server.ServeOpt
	if *debug {
		options = append(options,
			tf6server.WithManagedDebug(), tf6server.WithManagedDebugEnvFilePath(*debugEnv))
	} else {
		surviveSignals()
	}
	tuneMemory()
	quietLogs(*debug)
	server, err := protocol.Wrap(providerserver.NewProtocol6(provider.New(version))())
	if err == nil {
		address := tfaddr.MustParseProviderSource(provider.Source).String()
		newServer := func() tfprotov6.ProviderServer { return server }
		err = tf6server.Serve(address, newServer, options...)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
