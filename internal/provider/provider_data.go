package provider

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/notification/terraform-provider-notification/internal/client"
	"github.com/notification/terraform-provider-notification/internal/settings"
)

// providerData holds what Configure passes to resources, data sources, actions and ephemeral
// resources.
type providerData struct {
	// client is nil while attributes of the provider are unknown; unknown has their names.
	client  *client.Client
	unknown []string

	keyHeader string // idempotency_key_header; may be empty
	guides    guides // for errors

	wantsCheck bool      // check_credentials
	check      sync.Once // of the credentials, in the life of a configured provider
}

// unconfigured is the data of a provider that is not configured, as during validation: no setting
// is known.
var unconfigured = &providerData{
	unknown: slices.Sorted(maps.Keys(settings.Schema().Attributes)), guides: guidesOf("dev"),
}

// providerDataFrom returns the provider data that the framework passes on.
func providerDataFrom(data any) *providerData {
	if d, ok := data.(*providerData); ok {
		return d
	}
	return unconfigured
}

// checkKey reports an idempotency key that could not be sent.
func (d *providerData) checkKey(key types.String, diags *diag.Diagnostics) {
	const setting = "idempotency_key_header"
	if key.IsNull() || d.keyHeader != "" || slices.Contains(d.unknown, setting) {
		return
	}
	diags.AddAttributeError(path.Root("idempotency_key"), settings.TitleMissing+" "+setting,
		paragraphs("idempotency_key needs the provider setting "+setting+", or the environment "+
			"variable NOTIFICATION_IDEMPOTENCY_KEY_HEADER: the name of the header in which the "+
			"service expects the key. This notification was not sent. If the service does not honour "+
			"keys, remove idempotency_key.", d.guides.duringDestroy()))
}

// checkCredentials obtains an access token for a plan that will submit, if check_credentials is
// true and every setting is known. However many notifications are planned, it requests one token
// and reports a failure once, which fails the whole plan.
func (d *providerData) checkCredentials(ctx context.Context, diags *diag.Diagnostics) {
	if !d.wantsCheck || d.client == nil || diags.HasError() {
		return
	}
	d.check.Do(func() {
		if _, err := d.client.ObtainAccessToken(ctx, nil); err != nil {
			diags.Append(failedRequest(titleToken, err,
				"This notification was not sent. The token was requested first because "+
					"check_credentials is true. "+d.guides.duringDestroy()))
		}
	})
}

// awaitsSettings reports whether settings are still unknown. Lookups and tokens are then deferred,
// if the caller allows it, as Terraform Stacks does.
func (d *providerData) awaitsSettings() bool { return d.client == nil }

// usableClient returns the client, or nil and an error diagnostic.
func (d *providerData) usableClient(diags *diag.Diagnostics) *client.Client {
	if d.client == nil {
		diags.AddError(titleUnreachable,
			fmt.Sprintf("This needs the service, but provider settings will be known only "+
				"after apply: %s. No request was made for it. First apply the resources that these values "+
				"come from, for example with -target, or take the values from something that "+
				"already exists.",
				strings.Join(d.unknown, ", ")))
	}
	return d.client
}
