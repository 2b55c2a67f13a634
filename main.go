// The notification provider, as Terraform and OpenTofu start it.
package main

import (
	"flag"
	"fmt"
	"os"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	tfaddr "github.com/hashicorp/terraform-registry-address"

	"terraform-provider-notification/internal/protocol"
	"terraform-provider-notification/internal/provider"
)

// version is set by the linker when a release is built.
var version = "dev"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	running := new(sync.RWMutex) // held for reading by calls that may submit
	debug := flag.Bool("debug", false,
		"wait for Terraform instead of being started by it, for a debugger such as delve")
	debugEnv := flag.String("debug-env", "",
		"with -debug, a `file` to write the variable to by which Terraform finds the provider")
	showVersion := flag.Bool("version", false, "print the version and exit")
	flag.Parse()
	if *showVersion {
		fmt.Println("terraform-provider-notification", version)
		return nil
	}
	if !*debug {
		endWithParent(running)
	}
	tuneMemory()
	if err := quietLogs(*debug); err != nil {
		return err
	}

	var options []tf6server.ServeOpt
	if *debug {
		options = append(options,
			tf6server.WithManagedDebug(), tf6server.WithManagedDebugEnvFilePath(*debugEnv))
	}
	server := func() tfprotov6.ProviderServer { return newServer(running) }
	address := tfaddr.MustParseProviderSource(provider.Source).String()
	return tf6server.Serve(address, server, options...)
}

// newServer assembles what Terraform talks to.
func newServer(running *sync.RWMutex) tfprotov6.ProviderServer {
	framework := providerserver.NewProtocol6(provider.New(version))()
	server, _ := framework.(protocol.Server) // always succeeds
	server = protocol.Release(protocol.RevalidateActions(protocol.ExpandUnknown(server)))
	return protocol.Track(server, running)
}
