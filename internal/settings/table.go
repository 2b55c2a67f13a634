package settings

import "github.com/hashicorp/terraform-plugin-framework/types"

// table has every setting, below those that it is checked against.
func (r *reader) table() []setting {
	return []setting{
		{
			name: "allow_insecure_http", kind: types.BoolType, fallback: "false",
			description: "Whether `auth_url` and `base_url` may be plain `http://` addresses of other " +
				"machines. The client secret and the access token are then sent unencrypted.",
			text: into(&r.allowHTTP, boolean),
		},
		{
			name: "auth_url", placeholder: "https://unused.invalid",
			description: "Address of the authorization server: an absolute `https://` URL, or " +
				"`http://` on this machine, without a query, fragment or user information. Access " +
				"tokens are requested from `{auth_url}/oauth2/token`; a value that already ends in " +
				"`/oauth2/token` means the same.",
			text: into(&r.config.TokenURL, r.tokenURL),
		},
		{
			name: "base_url", placeholder: "https://unused.invalid",
			description: "Root of the service's API: an absolute `https://` URL, or `http://` on this " +
				"machine, without a query, fragment or user information. A path prefix is kept.",
			text: into(&r.base, r.address),
		},
		{
			name: "client_id", placeholder: "placeholder",
			description: "Identifier of the OAuth 2.0 client.",
			text:        into(&r.config.ClientID, verbatim),
		},
		{
			name: "client_secret", placeholder: "placeholder", sensitive: true,
			description: "Secret of the OAuth 2.0 client. It is sent to the authorization server only.",
			text:        into(&r.config.ClientSecret, verbatim),
		},
		{
			name: "scopes", kind: types.SetType{ElemType: types.StringType},
			description: "Scopes to request with the access token. If unset, no `scope` is sent and " +
				"the authorization server decides which to grant.",
			text:  into(&r.config.Scopes, scopes),
			value: r.scopes,
		},
		{
			name: "system",
			description: "The `<system>` segment in the paths of the service, as in " +
				"`{base_url}/<system>/studies/v1`. If unset, the paths have no such segment.",
			text: into(&r.system, pathSegment),
		},
		{
			name: "notifications_path",
			description: "Path to which notifications are submitted, relative to `base_url` and used " +
				"as given: `system` is not added. If unset, notifications are submitted to " +
				"`{base_url}[/<system>]/notifications/v1`.",
			text: into(&r.notificationsPath, relative),
		},
		{
			name: "studies_path",
			description: "Path at which studies are looked up, relative to `base_url` and used as " +
				"given: `system` is not added. If unset, studies are looked up at " +
				"`{base_url}[/<system>]/studies/v1`.",
			text: into(&r.studiesPath, relative),
		},
		{
			name: "headers", kind: types.MapType{ElemType: types.StringType}, sensitive: true,
			description: "Headers to add to API requests, for example the key of a gateway. They are " +
				"not sent with token requests. Headers that the provider or HTTP itself sets, such as " +
				"`Authorization` and `Content-Type`, are rejected. So is `Idempotency-Key`: use " +
				"`idempotency_key_header` for that.",
			value: r.headers,
		},
		{
			name: "idempotency_key_header",
			description: "Name of the header, such as `Idempotency-Key`, in which each submission " +
				"carries a key. Set it only if you know that the service, or a gateway in front of " +
				"it, recognises a key that it has seen, and repeats its first response instead of " +
				"notifying people again. With any other service, a submission whose outcome is not " +
				"known may arrive `max_retries` + 1 times. Headers that `headers` cannot set are rejected, " +
				"apart from `Idempotency-Key` and `X-Idempotency-Key`.",
			text: into(&r.config.IdempotencyKeyHeader, r.keyHeader),
		},
		{
			name: "request_timeout", fallback: "30s",
			description: "Time limit of one attempt at a request: a duration such as `30s` or " +
				"`1m30s`. Waiting for one of the 32 connections does not count towards it. A " +
				"submission that is not answered in time may have been accepted, so do not set less " +
				"than the service may need.",
			text: into(&r.config.RequestTimeout, duration),
		},
		{
			name: "max_retries", kind: types.Int64Type, fallback: "4",
			description: "How many times a request is retried, from 0 to 10. A submission is retried " +
				"only if the service did not accept it; if that is unknown, only with " +
				"`idempotency_key_header`.",
			text: into(&r.config.MaxRetries, retries),
		},
		{
			name: "ca_cert_pem",
			description: "Certificates, in PEM, of certificate authorities to trust in addition to " +
				"those of the system, for API and token requests.",
			text: into(&r.config.RootCAs, authorities),
		},
		{
			name: "client_cert_pem",
			description: "Client certificate for mutual TLS, in PEM, for API and token requests. " +
				"Requires `client_key_pem`.",
			text: into(&r.clientCert, clientCertificate),
		},
		{
			name: "client_key_pem", sensitive: true,
			description: "Private key of `client_cert_pem`, in PEM.",
			text:        into(&r.config.Certificate, r.pair),
		},
		{
			name: "check_credentials", kind: types.BoolType, fallback: "false",
			description: "Whether a plan that will submit a notification obtains an access token, so " +
				"that wrong credentials or a wrong `auth_url` are an error before anything is " +
				"deployed. `terraform destroy` also plans pending notifications, unless it is run " +
				"with `-refresh=false`.",
			text: into(&r.config.CheckCredentials, boolean),
		},
	}
}
