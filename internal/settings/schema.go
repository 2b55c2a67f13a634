package settings

import (
	"github.com/hashicorp/terraform-plugin-framework/provider/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// Schema is that of the provider block.
func Schema() schema.Schema {
	return schema.Schema{
		MarkdownDescription: "Submits notifications to a notification service that is protected " +
			"by OAuth 2.0 client credentials, and looks up studies there. Within a plan or an " +
			"apply, everything that uses the same provider configuration shares one access token " +
			"and one set of connections.",
		Attributes: map[string]schema.Attribute{
			"auth_url": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Address of the authorization server: an absolute " +
					"`https://` URL, or `http://` on this machine, without a query, fragment or " +
					"user information. Access tokens are requested from " +
					"`{auth_url}/oauth2/token`; a value that already ends in `/oauth2/token` " +
					"means the same. " + requiredOrVariable("auth_url"),
			},
			"base_url": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Root of the service's API: an absolute `https://` URL, or " +
					"`http://` on this machine, without a query, fragment or user information. A " +
					"path prefix is kept. " +
					requiredOrVariable("base_url"),
			},
			"client_id": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Identifier of the OAuth 2.0 client. " +
					requiredOrVariable("client_id"),
			},
			"client_secret": schema.StringAttribute{
				Optional:  true,
				Sensitive: true,
				MarkdownDescription: "Secret of the OAuth 2.0 client. It is sent to the " +
					"authorization server only. " + requiredOrVariable("client_secret"),
			},
			"scopes": schema.SetAttribute{
				Optional:    true,
				ElementType: types.StringType,
				MarkdownDescription: "Scopes to request with the access token. If unset, no " +
					"`scope` is sent and the authorization server decides which to grant. Can also be set with " +
					"the environment variable `" + variable("scopes") + "`, separated by spaces.",
			},
			"system": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "The `<system>` segment in the paths of the service, as in " +
					"`{base_url}/<system>/studies/v1`. If unset, the paths have no such segment. " +
					orVariable("system"),
			},
			"notifications_path": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Path to which notifications are submitted, relative to " +
					"`base_url` and used as given: `system` is not added. If unset, " +
					"notifications are submitted to `{base_url}[/<system>]/notifications/v1`. " +
					orVariable("notifications_path"),
			},
			"studies_path": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Path at which studies are looked up, relative to " +
					"`base_url` and used as given: `system` is not added. If unset, studies are " +
					"looked up at `{base_url}[/<system>]/studies/v1`. " +
					orVariable("studies_path"),
			},
			"headers": schema.MapAttribute{
				Optional:    true,
				Sensitive:   true,
				ElementType: types.StringType,
				MarkdownDescription: "Headers to add to API requests, for example the key of a " +
					"gateway. They are not sent with token requests. Headers that the provider " +
					"or HTTP itself sets, such as `Authorization` and `Content-Type`, are " +
					"rejected. So is `Idempotency-Key`: use " +
					"`idempotency_key_header` for that. There is no environment variable for this setting.",
			},
			"request_id_header": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Name of a header, such as `X-Request-ID`, in which to send " +
					"the id of each request, for gateways that log one. Errors quote the same " +
					"id. The header `traceparent` (W3C Trace Context) always carries it. Headers " +
					"that `headers` cannot set are rejected. " + orVariable("request_id_header"),
			},
			"idempotency_key_header": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Name of the header, such as `Idempotency-Key`, in which " +
					"each submission carries a key. Set it only if you know that the service, or " +
					"a gateway in front of it, answers a key that it has seen with its first " +
					"answer instead of notifying people again: with any other service, a " +
					"submission whose outcome is not known may then arrive `max_retries` + 1 " +
					"times. Headers that `headers` cannot set are rejected, apart from `Idempotency-Key` and " +
					"`X-Idempotency-Key`. " + orVariable("idempotency_key_header"),
			},
			"request_timeout": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Time limit of one attempt at a request: a duration such as " +
					"`30s` or `1m30s`. The time starts again once the attempt has its connection, " +
					"so waiting for one of the 32 connections takes nothing from the time to " +
					"answer. A submission that is not answered in time may have been accepted " +
					"and is not retried without an idempotency key, so do not set less than the " +
					"service may need. Defaults to `30s`. " +
					orVariable("request_timeout"),
			},
			"max_retries": schema.Int64Attribute{
				Optional: true,
				MarkdownDescription: "How many times a request is retried, from 0 to 10. A " +
					"submission is retried only if the service did not accept it; if that is " +
					"unknown, only with `idempotency_key_header`. Defaults to 4. " + orVariable("max_retries"),
			},
			"ca_cert_pem": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Certificates, in PEM, of certificate authorities to trust " +
					"in addition to those of the system, for API and token requests. " +
					orVariable("ca_cert_pem"),
			},
			"client_cert_pem": schema.StringAttribute{
				Optional: true,
				MarkdownDescription: "Client certificate for mutual TLS, in PEM, for API and " +
					"token requests. Requires `client_key_pem`. " + orVariable("client_cert_pem"),
			},
			"client_key_pem": schema.StringAttribute{
				Optional:  true,
				Sensitive: true,
				MarkdownDescription: "Private key of `client_cert_pem`, in PEM. " +
					orVariable("client_key_pem"),
			},
			"check_credentials": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Whether to obtain an access token while planning, if the plan " +
					"will submit a notification, so that wrong credentials or a wrong `auth_url` " +
					"are an error before anything is deployed. This makes one token request for " +
					"each plan, and none for a plan that submits nothing. It is skipped while a " +
					"setting is not known. A destroy makes a plan as well, of what is pending; to " +
					"skip it, run `terraform destroy -refresh=false`. Defaults to `false`. " + orVariable("check_credentials"),
			},
			"allow_insecure_http": schema.BoolAttribute{
				Optional: true,
				MarkdownDescription: "Whether `auth_url` and `base_url` may be plain `http://` " +
					"addresses of other machines. The client secret and the access token are " +
					"then sent unencrypted. Defaults to `false`. " +
					orVariable("allow_insecure_http"),
			},
		},
	}
}

// orVariable is the sentence of a description that names the environment variable.
func orVariable(attribute string) string {
	return "Can also be set with the environment variable `" + variable(attribute) + "`."
}

// requiredOrVariable is orVariable for a setting that is required in one of the two places.
func requiredOrVariable(attribute string) string {
	return "Required, either here or as the environment variable `" + variable(attribute) + "`."
}
