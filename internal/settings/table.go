package settings

import (
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// setting is an attribute of the provider block, and the environment variable that can replace it.
type setting struct {
	name        string
	kind        attr.Type // types.StringType and so on
	required    string    // what is required, here or in the environment; empty: optional
	sensitive   bool
	fallback    string // the default, as text
	description string // in Markdown, without the default and the variable

	// parse reads a non-empty text. Its error ends the sentence "The value of NAME …". nil: there
	// is no environment variable.
	parse func(text string) error

	// readCollection reads a collection of the provider block, whose elements may be unknown or
	// null, and reports problems. nil: the attribute is read as text.
	readCollection func(s setting, value attr.Value)
}

// variable returns the name of a setting's environment variable.
func variable(name string) string { return "NOTIFICATION_" + strings.ToUpper(name) }

// into returns a function that parses a text into a part of the configuration. An error leaves that
// as it is.
func into[T any](part *T, parse func(string) (T, error)) func(text string) error {
	return func(text string) error {
		parsed, err := parse(text)
		if err == nil {
			*part = parsed
		}
		return err
	}
}

// settings lists every setting, and what it is read into. Its order means nothing: what depends on
// several settings is checked after all are read.
func (l *loader) settings() []setting {
	return []setting{
		{
			name: "allow_insecure_http", kind: types.BoolType, fallback: "false",
			description: "Whether `auth_url` and `base_url` may be plain `http://` addresses of " +
				"other machines. The client secret and the access token are then sent unencrypted.",
			parse: into(&l.allowHTTP, boolean),
		},
		{
			name: "auth_url", kind: types.StringType,
			required: "address of the authorization server",
			description: "Address of the authorization server: an absolute `https://` URL, or " +
				"`http://` on this machine, without a query, fragment or user information. Access " +
				"tokens are requested from `{auth_url}/{token_path}`. If `token_path` is unset, a value " +
				"that already ends in `/oauth2/token`, with a slash or without, is used as it is.",
			parse: into(&l.auth, absolute),
		},
		{
			name: "token_path", kind: types.StringType,
			description: "Path from which access tokens are requested, relative to `auth_url` and " +
				"used as given: `system` is not added. If unset, it is `oauth2/token`.",
			parse: into(&l.tokenPath, relative),
		},
		{
			name: "base_url", kind: types.StringType, required: "address of the service's API",
			description: "Root of the service's API: an absolute `https://` URL, or `http://` on " +
				"this machine, without a query, fragment or user information. A path prefix is kept.",
			parse: into(&l.base, absolute),
		},
		{
			name: "client_id", kind: types.StringType, required: "client id",
			description: "Identifier of the OAuth 2.0 client.",
			parse:       into(&l.config.ClientID, verbatim),
		},
		{
			name: "client_secret", kind: types.StringType, required: "client secret", sensitive: true,
			description: "Secret of the OAuth 2.0 client. It is sent to the authorization server " +
				"only.",
			parse: into(&l.config.ClientSecret, verbatim),
		},
		{
			name: "scopes", kind: types.SetType{ElemType: types.StringType},
			description: "Scopes to request with the access token. If unset, no `scope` is sent and " +
				"the authorization server decides which to grant. In the variable, separate them with " +
				"spaces.",
			parse:          into(&l.config.Scopes, scopes),
			readCollection: l.scopes,
		},
		{
			name: "system", kind: types.StringType,
			description: "The `<system>` segment in the paths of the service, as in " +
				"`{base_url}/<system>/studies/v1`. If unset, the paths have no such segment.",
			parse: into(&l.system, pathSegment),
		},
		{
			name: "notifications_path", kind: types.StringType,
			description: "Path to which notifications are submitted, relative to `base_url` and used " +
				"as given: `system` is not added. If unset, notifications are submitted to " +
				"`{base_url}[/<system>]/notifications/v1`.",
			parse: into(&l.notificationsPath, relative),
		},
		{
			name: "studies_path", kind: types.StringType,
			description: "Path at which studies are looked up, relative to `base_url` and used as " +
				"given: `system` is not added. If unset, studies are looked up at " +
				"`{base_url}[/<system>]/studies/v1`.",
			parse: into(&l.studiesPath, relative),
		},
		{
			name: "headers", kind: types.MapType{ElemType: types.StringType}, sensitive: true,
			description: "Headers to add to API requests, for example the key of a gateway. They are " +
				"not sent with token requests. Errors and logs mask values of eight bytes or more. " +
				"Headers that the provider or HTTP itself sets, such as `Authorization`, " +
				"`Content-Type` and `X-Request-ID`, are rejected. So is `Idempotency-Key`: use " +
				"`idempotency_key_header` for that. There is no environment variable.",
			readCollection: l.headers,
		},
		{
			name: "idempotency_key_header", kind: types.StringType,
			description: "Name of the header, such as `Idempotency-Key`, in which each submission " +
				"carries a key. Set it only if you know that the service, or a gateway in front of " +
				"it, recognises a key that it has seen, and repeats its first response instead of " +
				"notifying people again. With any other service, a submission whose outcome is not " +
				"known may arrive `max_retries` + 1 times. It may be `Idempotency-Key`, " +
				"`X-Idempotency-Key`, `X-Request-ID` (which then carries the key, not the request " +
				"id), or any header that `headers` may set, except `Content-Encoding`, `Cookie` and " +
				"`Range`.",
			parse: into(&l.config.IdempotencyKeyHeader, keyHeader),
		},
		{
			name: "request_timeout", kind: types.StringType, fallback: "30s",
			description: "Time limit of one attempt at a request, once it has a connection: a " +
				"duration such as `30s` or `1m30s`. Connecting has a separate limit of the same " +
				"length; a proxy has one minute to open a tunnel. The service may have accepted a " +
				"submission that timed out, so do not set less than it may need.",
			parse: into(&l.config.RequestTimeout, duration),
		},
		{
			name: "max_retries", kind: types.NumberType, fallback: "4",
			description: "How many times a request is retried, from 0 to 10. A submission is retried " +
				"only if the service did not accept it; if that is unknown, only with " +
				"`idempotency_key_header`. A submission or lookup that gets a 429 with a " +
				"`Retry-After` of a second or more is retried, unless this is 0, for as long as " +
				"`timeouts.create` or five minutes allow.",
			parse: into(&l.config.MaxRetries, retries),
		},
		{
			name: "ca_cert_pem", kind: types.StringType,
			description: "Certificates, in PEM, of certificate authorities to trust in addition to " +
				"those of the system, for API and token requests.",
			parse: into(&l.config.RootCAs, authorities),
		},
		{
			name: "client_cert_pem", kind: types.StringType,
			description: "Client certificate for mutual TLS, in PEM, for API and token requests. " +
				"Requires `client_key_pem`.",
			parse: into(&l.clientCert, pemText),
		},
		{
			name: "client_key_pem", kind: types.StringType, sensitive: true,
			description: "Private key of `client_cert_pem`, in PEM, not encrypted.",
			parse:       into(&l.clientKey, pemText),
		},
		{
			name: "check_credentials", kind: types.BoolType, fallback: "false",
			description: "Whether a plan that will submit a notification obtains an access token, so " +
				"that wrong credentials or a wrong `auth_url` are an error before anything is " +
				"deployed. `terraform destroy` first plans the configuration, and so may check too, " +
				"unless it is run with `-refresh=false`.",
			parse: into(&l.config.CheckCredentials, boolean),
		},
	}
}
