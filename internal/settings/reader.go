package settings

import (
	"fmt"
	"net/url"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"terraform-provider-notification/internal/client"
)

// Config is the client's configuration and what the provider decides by itself.
type Config struct {
	client.Config

	// CheckCredentials asks for an access token in each plan that will submit.
	CheckCredentials bool
}

// reader reads one setting after the other and collects the problems.
type reader struct {
	getenv   func(string) string // nil: what the environment holds is not known
	emulator *url.URL            // the only place for addresses; nil: any

	config  Config
	unknown []string // names of attributes
	missing []setting
	wrong   diag.Diagnostics

	// What other settings are checked against or completed with.
	allowHTTP                      bool
	base                           *url.URL
	system                         string
	notificationsPath, studiesPath *url.URL
	clientCert, clientKey          string
}

func (r *reader) isUnknown(name string) bool { return slices.Contains(r.unknown, name) }

// invalid reports a wrong value. It names the variable too, from which the value may have come, and
// never quotes the value, which may be a secret.
func (r *reader) invalid(s setting, reason error) {
	r.wrong.AddAttributeError(path.Root(s.name), "Invalid provider setting "+s.name, fmt.Sprintf(
		"The value of %s (or of the environment variable %s) %s.", s.name, s.variable(), reason))
}
