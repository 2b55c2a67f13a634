package provider

import (
	"cmp"
	"slices"
	"strings"

	"terraform-provider-notification/internal/client"
)

// hintRow is what to check after a failure that matches all of its fields; zero fields match any.
type hintRow struct {
	reason client.Reason
	code   string // the OAuth 2.0 error code
	status []int  // any of them; 5 is 5xx
	text   string // {address}, {path}, {scopes} and {wait} are replaced
}

// connectionHints are for any request, and come before the other rows.
var connectionHints = []hintRow{
	{reason: client.Firewall, text: "AWS WAF asked for a browser challenge, which no pipeline can " +
		"solve. Ask the operators of {address} to let this client pass."},
	{reason: client.UntrustedCertificate, text: "Check {address}. If a private certificate authority " +
		"issued the server's certificate, set ca_cert_pem."},
	{reason: client.CertificateRejected, text: "The server requires a client certificate that it " +
		"accepts. Check client_cert_pem and client_key_pem."},
	// With TLS 1.2 many servers give no other reason when they get no certificate.
	{reason: client.HandshakeFailed, text: "If the server requires a client certificate that it " +
		"accepts, check client_cert_pem and client_key_pem. Otherwise check {address}."},
	{reason: client.NoResponse, text: checkConnection},
}

const checkConnection = "Check {address}, the network, and the proxy (HTTPS_PROXY, NO_PROXY)."

// tokenHints are for token requests. The first row that matches counts, as in serviceHints.
var tokenHints = []hintRow{
	{reason: client.HTMLPage, text: "Check auth_url, and that no gateway in front of it requires a " +
		"sign-in."},
	{reason: client.Redirect, text: "The provider never follows the redirect of a token request, " +
		"which would send the client secret to another server. If the new address is correct, set " +
		"auth_url to it."},
	{reason: client.NotBearer, text: "Check auth_url. If it is correct, ask whoever issued the " +
		"credentials how to obtain a Bearer token."},
	{code: "invalid_client", text: "Check client_id and client_secret (NOTIFICATION_CLIENT_ID, " +
		"NOTIFICATION_CLIENT_SECRET): neither may begin or end with a space or line break. Both " +
		"belong to the environment of auth_url. If the secret comes from a variable that is not " +
		"ephemeral, a saved plan keeps the old one: plan again."},
	{code: "invalid_scope", text: "Check scopes (NOTIFICATION_SCOPES)."},
	{code: "unauthorized_client", text: allowGrant},
	{code: "unsupported_grant_type", text: allowGrant},
	{status: []int{2}, text: "Check auth_url. A gateway in front of it may have emptied or " +
		"truncated the response."},
	{status: []int{401, 403}, text: "Check client_id and client_secret, and that they belong to " +
		"the environment of auth_url."},
	{status: []int{404, 405}, text: "Check auth_url, to which the provider adds /oauth2/token."},
	{status: []int{429}, text: "The authorization server limits the rate of requests. Try again " +
		"later."},
	{status: []int{5}, text: "The authorization server failed. Try again later. If it keeps " +
		"failing, contact its operators."},
}

const allowGrant = "Ask whoever issued the credentials to allow them the client credentials grant."

// serviceHints are for submissions and lookups.
var serviceHints = []hintRow{
	{reason: client.HTMLPage, text: "This is usually the sign-in page of a gateway. Check that " +
		"base_url is the address of the API."},
	{reason: client.Redirect, text: "The provider did not follow the redirect, which could send the " +
		"access token to another server. If the new address is correct, adapt base_url, system " +
		"and {path}."},
	{reason: client.BrokenOff, text: "The response broke off. {wait}"},
	{status: []int{400, 422}, text: "Correct the arguments."},
	{status: []int{401}, text: "The service rejected a new access token. Check that auth_url and " +
		"base_url belong to the same environment, that scopes has what the service requires, and, " +
		"if a gateway expects a key, that headers has it."},
	{status: []int{403}, text: "The service does not allow this client to do that. Check scopes. " +
		"The access token was granted: {scopes}."},
	{status: []int{404, 405}, text: "Check base_url, system and {path} with the service's operators."},
	{status: []int{409}, text: "The request conflicts with something that already exists, such as " +
		"an earlier notification. Resolve that first."},
	{status: []int{413}, text: "The service does not accept requests of this size. Shorten the " +
		"fields, or split the recipients or channels into several notifications."},
	{status: []int{429}, text: "The service limits the rate of requests. Run with a lower " +
		"-parallelism. {wait}"},
	{status: []int{503}, text: "The service is unavailable. {wait}"},
	{status: []int{5}, text: "The service failed. {wait} If it keeps failing, " +
		"contact its operators."},
}

// hint returns what to check after e, or "". timeLimit is the argument that limits its time, or "".
func hint(e *client.Error, timeLimit string) string {
	if tokenError := requestError(e.Unwrap()); tokenError != nil { // of the last attempt
		e = tokenError
	}
	limit := "max_retries"
	if e.Reason == client.TimedOut || e.Reason == client.OutOfTime {
		limit = timeLimit
	}
	wait := "Wait a while."
	if limit != "" {
		wait = "Wait a while, or raise " + limit + "."
	}
	inconclusive := e.Status == 0 || e.Status/100 == 3 || e.Status >= 500
	aboutContent := slices.Contains([]int{400, 413, 422}, e.Status)
	switch {
	case e.Reason == client.Cancelled, e.Ambiguous && (inconclusive || aboutContent):
		return "" // no setting would have helped, and the same key needs the same content
	case e.Reason == client.TimedOut && e.Status == 0:
		return wait
	}
	scopes := cmp.Or(e.GrantedScopes.String(), "scopes that the authorization server did not name")
	values := strings.NewReplacer("{address}", e.Operation.AddressSetting,
		"{path}", e.Operation.PathSetting, "{scopes}", scopes, "{wait}", wait)
	rows := slices.Concat(connectionHints, serviceHints)
	if e.Operation == client.FetchToken {
		rows = slices.Concat(connectionHints, tokenHints)
	}
	for _, row := range rows {
		if (row.reason == e.Reason || row.reason == client.NoReason) &&
			(row.code == e.Code.String() || row.code == "") &&
			(row.status == nil || slices.Contains(row.status, e.Status) ||
				slices.Contains(row.status, e.Status/100)) {
			return values.Replace(row.text)
		}
	}
	return ""
}
