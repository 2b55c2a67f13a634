package provider

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"terraform-provider-notification/internal/client"
)

// service is what Configure leaves for resources, data sources, actions and
// ephemeral resources.
type service struct {
	// client is nil while an attribute of the provider is not known.
	client  *client.Client
	unknown []string
}

// serviceFrom takes the provider data that Terraform hands on. It is nil until
// the provider is configured, as during validation.
func serviceFrom(data any, diags *diag.Diagnostics) *service {
	if data == nil {
		return nil
	}
	s, ok := data.(*service)
	if !ok {
		diags.AddError("Unable to use the provider's configuration",
			fmt.Sprintf("Got %T. This is a mistake in the provider; please report it.", data))
	}
	return s
}

// need returns the client, or nil and an error diagnostic.
func (s *service) need(diags *diag.Diagnostics) *client.Client {
	switch {
	case s == nil:
		diags.AddError("Unable to reach the notification service", "The provider is not configured. This is a mistake in the provider; please report it.")
		return nil
	case s.client == nil:
		diags.AddError("Unable to reach the notification service yet",
			fmt.Sprintf("The provider's configuration is not complete while planning: %s will be known only after apply. "+
				"Nothing was sent. Apply first what the value comes from, for example with -target, or read it from something that exists already.",
				strings.Join(s.unknown, ", ")))
		return nil
	}
	return s.client
}
