package provider

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"terraform-provider-notification/internal/client"
	"terraform-provider-notification/internal/client/wire"
)

// hintRow is what to check after a failure that matches all of its fields; zero fields match any.
type hintRow struct {
	reason wire.Reason
	code   string // the OAuth 2.0 error code
	key    keyUse
	status int    // a status, or its class: 5 is 5xx
	text   string // {address}, {path}, {scopes} and {wait} are replaced
}

// keyUse is what an idempotency key makes of a response.
type keyUse int

const (
	ownKey  keyUse = iota + 1 // the user chose the key, so an earlier run may have used it
	inDoubt                   // an earlier attempt with the key may have been accepted
)

// tokenHints are for token requests. The first row that matches counts, as in serviceHints.
var tokenHints = []hintRow{
	{reason: wire.HTMLPage, text: "Check auth_url, and that no gateway in front of it requires a " +
		"sign-in."},
	{reason: wire.Redirect, text: "The provider never follows the redirect of a token request: that " +
		"would send the client secret to another server. If the new address is correct, set " +
		"auth_url to it."},
	{reason: wire.NotBearer, text: "Check auth_url. If it is correct, ask whoever issued the " +
		"credentials how to obtain a Bearer token."},
	{code: "invalid_client", text: "Check client_id and client_secret (NOTIFICATION_CLIENT_ID and " +
		"NOTIFICATION_CLIENT_SECRET): that neither begins or ends with a space or line break, and " +
		"that they belong to the environment of auth_url. A saved plan keeps the secret that it " +
		"was made with: after a rotation, plan again."},
	{code: "invalid_scope", text: "Check scopes (NOTIFICATION_SCOPES)."},
	{code: "unauthorized_client", text: allowGrant},
	{code: "unsupported_grant_type", text: allowGrant},
	{status: 2, text: "Check auth_url. A gateway in front of it may have emptied or truncated the " +
		"response."},
	{status: 401, text: checkCredentials},
	{status: 403, text: checkCredentials},
	{status: 404, text: checkAuthPath},
	{status: 405, text: checkAuthPath},
	{status: 429, text: "The authorization server limits the rate of requests. Try again later."},
	{status: 5, text: "The authorization server failed. Try again later. If it keeps failing, " +
		"contact its operators."},
}

const (
	allowGrant = "Ask whoever issued the credentials to allow them the client credentials grant."

	checkCredentials = "Check client_id and client_secret, and that they belong to the environment " +
		"of auth_url."

	checkAuthPath = "Check auth_url, to which the provider adds /oauth2/token."
)

// serviceHints are for submissions and lookups.
var serviceHints = []hintRow{
	{reason: wire.HTMLPage, text: "This is usually the sign-in page of a gateway. Check that " +
		"base_url is the API."},
	{reason: wire.Redirect, text: "The provider did not follow the redirect, which could send the " +
		"access token to another server. If the new address is correct, adapt base_url, system " +
		"and {path}."},
	{reason: wire.BrokenOff, text: "The response broke off. {wait}"},

	{key: ownKey, status: 422, text: "The content is invalid, or an earlier notification was " +
		"submitted under this idempotency_key with other content, such as another timestamp(). " +
		"Correct the content, or set another idempotency_key. If the earlier notification is the " +
		"one you meant, submit nothing."},
	{key: inDoubt, status: 400, text: notBeforeYouKnow + "."},
	{key: inDoubt, status: 413, text: notBeforeYouKnow + "."},
	{key: inDoubt, status: 422, text: notBeforeYouKnow + ", or set another idempotency_key if an " +
		"earlier run used this one with other content."},
	{key: inDoubt, status: 409, text: "The service may still be busy with this key: wait a minute. " +
		"If the conflict persists, another run uses the key: set another idempotency_key to submit " +
		"this notification too. If the other run's notification is the one you meant, submit " +
		"nothing."},

	{status: 400, text: correctArguments},
	{status: 401, text: "The service rejected a new access token. Check that auth_url and base_url " +
		"belong to the same environment, that scopes has what the service requires, and, if a " +
		"gateway expects a key, that headers has it."},
	{status: 403, text: "The service does not allow this client to do that. Check scopes: the " +
		"access token has {scopes}."},
	{status: 404, text: checkPath},
	{status: 405, text: checkPath},
	{status: 409, text: "The request conflicts with something that already exists, such as an " +
		"earlier notification. Resolve that: see the message above."},
	{status: 413, text: "The service does not accept requests of this size. Shorten the fields, or " +
		"split the recipients or channels into several notifications."},
	{status: 422, text: correctArguments},
	{status: 429, text: "The service limits the rate of requests. Lower -parallelism. {wait}"},
	{status: 503, text: "The service is unavailable. {wait}"},
	{status: 5, text: "The service failed. {wait} If it keeps failing, contact its operators."},
}

const (
	notBeforeYouKnow = "Do not change the content before you know. Correct it only if it did not " +
		"arrive"

	correctArguments = "Correct the arguments: see the message above."

	checkPath = "Check base_url, system and {path} with the service's operators."
)

// connectionHints are for any request, and come before the other rows.
var connectionHints = []hintRow{
	{reason: wire.Firewall, text: "AWS WAF asks for a challenge that only a browser can solve, so " +
		"no pipeline gets past it. Ask the operators of {address} to let this client pass."},
	{reason: wire.UntrustedCertificate, text: "Check {address}. If a private certificate authority " +
		"issued the server's certificate, set ca_cert_pem."},
	{reason: wire.CertificateRejected, text: "The server requires a client certificate that it " +
		"accepts. Check client_cert_pem and client_key_pem."},
	// With TLS 1.2 many servers give no other reason when they get no certificate.
	{reason: wire.HandshakeFailed, text: "If the server requires a client certificate that it " +
		"accepts, check client_cert_pem and client_key_pem. Otherwise check {address}."},
	{reason: wire.PlainHTTP, text: checkConnection},
	{reason: wire.NoResponse, text: checkConnection},
}

const checkConnection = "Check {address}, the network, and the proxy (HTTPS_PROXY, NO_PROXY)."

// hint returns what to check after e, or "". moreTime is the advice if there was no time for
// another attempt.
func hint(e *client.Error, moreTime string) string {
	if tokenError, ok := errors.AsType[*client.Error](e.Unwrap()); ok { // of the last attempt
		e = tokenError
	}
	inconclusive := e.Status == 0 || e.Status/100 == 3 || e.Status >= 500
	end := cmp.Or(e.Stopped, e.Reason)
	switch {
	case end == wire.Cancelled, e.Ambiguous && inconclusive:
		return "" // no setting would have helped
	case end == wire.TimedOut && e.Status == 0:
		return moreTime
	}
	wait := "Wait a while, or raise max_retries."
	if end == wire.TimedOut || end == wire.OutOfTime {
		wait = moreTime
	}
	scopes := cmp.Or(e.GrantedScopes.String(), "scopes that the authorization server did not name")
	return strings.NewReplacer("{address}", e.Operation.AddressSetting,
		"{path}", e.Operation.PathSetting, "{scopes}", scopes, "{wait}", wait).Replace(hintFor(e).text)
}

// hintFor returns the first row that matches e, or else an empty one.
func hintFor(e *client.Error) hintRow {
	rows := serviceHints
	if e.Operation == client.FetchToken {
		rows = tokenHints
	}
	var key keyUse
	switch {
	case e.Ambiguous:
		key = inDoubt
	case e.Key.UserChosen:
		key = ownKey
	}
	for _, row := range slices.Concat(connectionHints, rows) {
		if (row.reason == e.Reason || row.reason == wire.NoReason) &&
			(row.code == e.Code.String() || row.code == "") &&
			(row.key == key || row.key == 0) &&
			(row.status == e.Status || row.status == e.Status/100 || row.status == 0) {
			return row
		}
	}
	return hintRow{}
}
