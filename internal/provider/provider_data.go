package provider

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"terraform-provider-notification/internal/client"
)

// providerData is what Configure leaves for resources, data sources, actions and ephemeral
// resources.
type providerData struct {
	// client is nil while attributes of the provider are unknown; unknown names those.
	client  *client.Client
	unknown []string
}

// providerDataFrom returns what Configure left, as the framework passes it: nil until the provider
// is configured, as during validation.
func providerDataFrom(data any, diags *diag.Diagnostics) *providerData {
	if data == nil {
		return nil
	}
	d, ok := data.(*providerData)
	if !ok {
		diags.AddError("Unable to use the provider's configuration",
			fmt.Sprintf("It is of type %T. This is a bug in the provider; please report it.", data))
	}
	return d
}

// usableClient returns the client, or nil and an error diagnostic.
func (d *providerData) usableClient(diags *diag.Diagnostics) *client.Client {
	switch {
	case d == nil:
		diags.AddError("Unable to reach the notification service",
			"The provider is not configured. This is a bug in the provider; please report it.")
		return nil
	case d.client == nil:
		diags.AddError("Unable to reach the notification service yet",
			fmt.Sprintf("This plan needs the service, but provider settings will be known only "+
				"after apply: %s. Nothing was sent. First apply the resources that these values "+
				"come from, for example with -target, or take the values from something that "+
				"already exists.",
				strings.Join(d.unknown, ", ")))
		return nil
	}
	return d.client
}
