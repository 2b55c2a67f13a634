package provider

import (
	"fmt"
	"slices"
	"strings"

	"github.com/notification/terraform-provider-notification/internal/client"
)

// Classes of statuses. Without a response, the status and its class are 0.
const noStatus, any2xx, any4xx, any5xx = 0, 2, 4, 5

// hintRow is what to check after a failure that matches all of its fields; zero fields match any.
type hintRow struct {
	reason client.Reason
	code   string // the OAuth 2.0 error code
	status []int  // any of these statuses and classes
	text   string // {address}, {settings}, {granted} and {wait} are replaced
}

// commonHints are for any request, and come before the other rows.
var commonHints = []hintRow{
	{reason: client.Firewall, text: "AWS WAF asked for a browser challenge, which no pipeline can " +
		"solve. Ask the operators of {address} to let this client pass."},
	{reason: client.NoSystemRoots, text: "The system's certificate authorities cannot be read. Check " +
		"SSL_CERT_FILE and SSL_CERT_DIR."},
	{reason: client.UntrustedCertificate, text: "Check the clock of this machine, and {address}. If " +
		"a private certificate authority issued the server's certificate, set ca_cert_pem."},
	{reason: client.CertificateRejected, text: "If the server requires a client certificate that it " +
		"accepts, check client_cert_pem and client_key_pem. Otherwise check {address}."},
	{reason: client.NoResponse, text: "Check {address}, the network, and the proxy (HTTPS_PROXY, " +
		"NO_PROXY)."},
	{reason: client.TimedOut, status: []int{noStatus}, text: "{wait}"},
	{reason: client.Cancelled}, // nothing to check
}

// tokenHints are for token requests. The first row that matches wins, as in serviceHints.
var tokenHints = []hintRow{
	{reason: client.Redirect, text: "The provider never follows the redirect of a token request, " +
		"which would send the client secret to another server. Ask whoever issued the credentials " +
		"for the address of the token endpoint, then correct auth_url and token_path."},
	{code: "invalid_client", text: credentialsHint},
	{code: "invalid_scope", text: "Check scopes (NOTIFICATION_SCOPES)."},
	// This is how Keycloak responds to a wrong secret, and Entra ID to a wrong id.
	{code: "unauthorized_client", status: []int{401}, text: credentialsHint},
	{code: "unauthorized_client", text: "Check client_id and client_secret. If they are correct, ask " +
		"whoever issued them to allow them the client credentials grant."},
	{code: "unsupported_grant_type", text: "Ask whoever issued the credentials to allow them the " +
		"client credentials grant."},
	{reason: client.OAuthError, text: settingsHint},
	{reason: client.HTMLPage, text: tokenAddressHint},
	{status: []int{any2xx, 404, 405}, text: tokenAddressHint},
	{status: []int{401, 403}, text: credentialsHint},
	{status: []int{429, any5xx}, text: "The authorization server failed, or limits the rate of " +
		"requests. Try again later. If that does not help, contact its operators."},
	{status: []int{any4xx}, text: settingsHint},
}

const (
	credentialsHint = "Check client_id and client_secret (NOTIFICATION_CLIENT_ID, " +
		"NOTIFICATION_CLIENT_SECRET): neither may begin or end with a space or line break. Both " +
		"must belong to the environment of auth_url. If the secret comes from a variable that is not " +
		"ephemeral, a saved plan keeps the old one: plan again."
	settingsHint = "Check auth_url, client_id, client_secret and scopes. If they are correct, ask " +
		"whoever issued the credentials."
	tokenAddressHint = "Tokens are requested from auth_url, followed by token_path (oauth2/token if " +
		"unset): set both so that they give the address that the authorization server names. If they " +
		"do, a gateway may have responded: ask whoever issued the credentials."
)

// serviceHints are for submissions and lookups.
var serviceHints = []hintRow{
	{reason: client.HTMLPage, text: "Check {settings}. If they are correct, the HTML page is a " +
		"gateway's: ask its operators to let this client pass."},
	{reason: client.Redirect, text: "The provider follows only redirects of a lookup, within the same " +
		"origin, that keep its query. If the new address is correct, adapt {settings}."},
	{reason: client.HeaderTooLarge, text: "The request's header is too large, probably because of the " +
		"access token. Ask whoever issued the credentials for fewer roles, or request fewer scopes."},
	{reason: client.BrokenOff, text: "The response broke off. {wait}"},
	{status: []int{400, 422}, text: "Correct the arguments."},
	{reason: client.TokenRejected, text: "The service rejected a new access token. Check that " +
		"auth_url and base_url belong to the same environment, that scopes has what the service " +
		"requires, and, if a gateway expects a key, that headers has it."},
	{status: []int{403}, text: "The service does not allow this client to do that. Check scopes, and " +
		"{settings}.{granted}"},
	{status: []int{404, 405}, text: "Check {settings} with the service's operators."},
	{status: []int{413}, text: "If the request is too large, shorten the fields, or split the " +
		"recipients or channels into several notifications. If the response was, the notification may " +
		"have been sent: ask the service's operators."},
	{status: []int{429}, text: "The service limits the rate of requests. Run with a lower " +
		"-parallelism. {wait}"},
	{status: []int{any5xx}, text: "The service failed. {wait} If it keeps failing, " +
		"contact its operators."},
}

// settingsOf has what to check for each endpoint.
var settingsOf = map[client.Operation]struct {
	address string // the setting that has the host
	all     string // all settings of the endpoint's URL
	hints   []hintRow
}{
	client.ObtainAccessToken:  {"auth_url", "auth_url and token_path", tokenHints},
	client.SubmitNotification: {"base_url", "base_url, system and notifications_path", serviceHints},
	client.LookUpStudies:      {"base_url", "base_url, system and studies_path", serviceHints},
}

// hint returns what to check after e, or "". timeLimit is the argument that limits the time, or "".
func hint(e *client.Error, timeLimit string) string {
	limit := "max_retries"
	if e.Reason == client.TimedOut || e.Reason == client.WaitTooLong {
		limit = timeLimit
	}
	wait := "Wait a while."
	if limit != "" {
		wait = "Wait a while, or raise " + limit + "."
	}
	granted := ""
	if !e.GrantedScopes.Empty() {
		granted = fmt.Sprintf(" The access token was granted: %s.", e.GrantedScopes)
	}
	at := settingsOf[e.Operation]
	values := strings.NewReplacer("{address}", at.address, "{settings}", at.all, "{granted}", granted,
		"{wait}", wait)
	for _, row := range slices.Concat(commonHints, at.hints) {
		if (row.reason == e.Reason || row.reason == client.NoReason) &&
			(row.code == e.Code.String() || row.code == "") &&
			(row.status == nil || slices.Contains(row.status, e.Status) ||
				slices.Contains(row.status, e.Status/100)) {
			return values.Replace(row.text)
		}
	}
	return ""
}
