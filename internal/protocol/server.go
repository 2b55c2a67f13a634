// Package protocol does for a provider what the plugin framework does not do. Each function returns
// a server that wraps another one and does one thing more. The package knows no provider.
package protocol

import "github.com/hashicorp/terraform-plugin-go/tfprotov6"

// Server is all that the framework's server offers. A wrapper embeds it, and so passes everything
// on.
type Server interface {
	tfprotov6.ProviderServer
	tfprotov6.ActionServer
	tfprotov6.ListResourceServer
	tfprotov6.StateStoreServer
}
