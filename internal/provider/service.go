package provider

import (
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"terraform-provider-notification/internal/client"
)

// service is what Configure passes on to resources, data sources, actions and ephemeral resources.
type service struct {
	// client is nil while attributes of the provider are unknown; unknown names those.
	client  *client.Client
	unknown []string
}

// serviceFrom returns the service in the framework's provider data: nil until the provider is
// configured, as during validation.
func serviceFrom(data any, diags *diag.Diagnostics) *service {
	if data == nil {
		return nil
	}
	s, ok := data.(*service)
	if !ok {
		diags.AddError("Unable to use the provider's configuration",
			fmt.Sprintf("It is of type %T. This is a bug in the provider; please report it.", data))
	}
	return s
}

// need returns the client, or nil and an error diagnostic.
func (s *service) need(diags *diag.Diagnostics) *client.Client {
	switch {
	case s == nil:
		diags.AddError("Unable to reach the notification service",
			"The provider is not configured. This is a bug in the provider; please report it.")
		return nil
	case s.client == nil:
		diags.AddError("Unable to reach the notification service yet",
			fmt.Sprintf("This plan needs the service, but provider settings will be known only "+
				"after apply: %s. Nothing was sent. First apply the resources that these values "+
				"come from, for example with -target, or take the values from something that "+
				"already exists.",
				strings.Join(s.unknown, ", ")))
		return nil
	}
	return s.client
}
