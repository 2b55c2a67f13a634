package provider

import (
	"cmp"
	"crypto/tls"
	"errors"
	"io"
	"strconv"
	"strings"

	"terraform-provider-notification/internal/client"
)

// anyHints holds what to check after any operation, by failure. hint fills in {address}, {path},
// {scopes} and {wait}.
var anyHints = map[string]string{
	"no response": "Check {address}, the network, and the proxy (HTTPS_PROXY, NO_PROXY).",
	"firewall": "AWS WAF asks for a challenge that only a browser can solve, so no pipeline gets past " +
		"it. Ask the operators of {address} to let this client pass.",
	// With TLS 1.2 many servers give no other reason when they get no certificate.
	"handshake": "If the server requires a client certificate that it accepts, check " +
		"client_cert_pem and client_key_pem. Otherwise check {address}.",
	"server certificate": "Check {address}. If a private certificate authority issued the " +
		"server's certificate, set ca_cert_pem.",
	"client certificate": "The server requires a client certificate that it accepts. Check " +
		"client_cert_pem and client_key_pem.",
}

// tokenHints holds what to check if no access token could be obtained.
var tokenHints = map[string]string{
	"error invalid_client": "Check client_id and client_secret (NOTIFICATION_CLIENT_ID and " +
		"NOTIFICATION_CLIENT_SECRET): that neither begins or ends with a space or line break, and " +
		"that they belong to the environment of auth_url.",
	"error invalid_scope": "Check scopes (NOTIFICATION_SCOPES).",
	"error unauthorized_client": "Ask whoever issued the credentials to allow them the client " +
		"credentials grant.",
	"error unsupported_grant_type": "Ask whoever issued the credentials to allow them the client " +
		"credentials grant.",
	"2xx": "Check auth_url. A gateway in front of it may have emptied or truncated the response.",
	"401": "Check client_id and client_secret, and that they belong to the environment of auth_url.",
	"403": "Check client_id and client_secret, and that they belong to the environment of auth_url.",
	"404": "Check auth_url, to which the provider adds /oauth2/token.",
	"405": "Check auth_url, to which the provider adds /oauth2/token.",
	"429": "The authorization server limits the rate of requests. Try again later.",
	"5xx": "The authorization server failed. Try again later. If it keeps failing, contact its " +
		"operators.",
	"redirect": "The provider never follows the redirect of a token request: that would send the " +
		"client secret to another server. If the new address is correct, set auth_url to it.",
	"HTML page": "Check auth_url, and that no gateway in front of it requires a sign-in.",
	"not Bearer": "Check auth_url. If it is correct, ask whoever issued the credentials how to " +
		"obtain a Bearer token.",
}

// serviceHints holds what to check after a submission or a lookup.
var serviceHints = map[string]string{
	"400": "Correct the arguments: see the message above.",
	"401": "The service rejected a new access token. Check that auth_url and base_url belong to " +
		"the same environment, that scopes has what the service requires, and, if a gateway " +
		"expects a key, that headers has it.",
	"403": "The service does not allow this client to do that. Check scopes: the access token " +
		"has {scopes}.",
	"404": "Check base_url, system and {path} with the service's operators.",
	"405": "Check base_url, system and {path} with the service's operators.",
	"409": "The request conflicts with something that already exists, such as an earlier " +
		"notification. Resolve that: see the message above.",
	"413": "The service does not accept requests of this size. Shorten the fields, or split the " +
		"recipients or channels into several notifications.",
	"422": "Correct the arguments: see the message above.",
	"429": "The service limits the rate of requests. Lower -parallelism. {wait}",
	"503": "The service is unavailable. {wait}",
	"5xx": "The service failed. {wait} If it keeps failing, contact its operators.",
	"redirect": "The provider did not follow the redirect, which could send the access token to " +
		"another server. If the new address is correct, adapt base_url, system and {path}.",
	"HTML page":  "This is usually the sign-in page of a gateway. Check that base_url is the API.",
	"broken off": "The response broke off. {wait}",

	"422 under own key": "The content is invalid, or an earlier notification was submitted under " +
		"this idempotency_key with other content, such as another timestamp(). Correct the " +
		"content, or set another idempotency_key. If the earlier notification is the one you " +
		"meant, submit nothing.",
	"400 in doubt": "Do not change the content before you know. Correct it only if it did not arrive.",
	"413 in doubt": "Do not change the content before you know. Correct it only if it did not arrive.",
	"422 in doubt": "Do not change the content before you know. Correct it only if it did not " +
		"arrive, or set another idempotency_key if an earlier run used this one with other content.",
	"409 in doubt": "The service may still be busy with this key: wait a minute. If the conflict " +
		"persists, another run uses the key: set another idempotency_key to submit this " +
		"notification too. If the other run's notification is the one you meant, submit nothing.",
}

// hint returns what to check after e, or "". It uses the most specific row that matches e. moreTime
// is the advice if the next attempt would exceed the time limit.
func hint(e *client.Error, moreTime string) string {
	if tokenError, ok := errors.AsType[*client.Error](e.Unwrap()); ok { // of the last attempt
		e = tokenError
	}
	inconclusive := e.Status == 0 || e.Status/100 == 3 || e.Status >= 500
	switch {
	case e.Cancelled(), e.Ambiguous && inconclusive:
		return "" // no setting would have helped
	case e.Status == 0 && e.TimedOut():
		return moreTime
	}
	hints, address, path := serviceHints, "base_url", "notifications_path"
	switch e.Operation {
	case client.FetchToken:
		hints, address = tokenHints, "auth_url"
	case client.LookUpStudies:
		path = "studies_path"
	default: // a submission
	}
	wait := "Wait a while, or raise max_retries."
	if e.OutOfTime() || e.TimedOut() {
		wait = moreTime
	}
	scopes := cmp.Or(e.GrantedScopes.String(), "scopes that the authorization server did not name")
	fill := strings.NewReplacer(
		"{address}", address, "{path}", path, "{scopes}", scopes, "{wait}", wait)
	status, when := strconv.Itoa(e.Status), ""
	switch {
	case e.Ambiguous:
		when = " in doubt"
	case e.Key.UserChosen:
		when = " under own key"
	}
	for _, row := range []string{
		otherFailure(e), "error " + e.Code.String(), status + when, status, status[:1] + "xx",
	} {
		if text := cmp.Or(hints[row], anyHints[row]); text != "" {
			return fill.Replace(text)
		}
	}
	return ""
}

// otherFailure returns the row for a failure that the status alone does not identify, or "".
func otherFailure(e *client.Error) string {
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](e)
	switch {
	case !e.WAFAction.Empty():
		return "firewall"
	case !e.HTMLType.Empty():
		return "HTML page"
	case !e.Location.Empty() && e.Status/100 == 3:
		return "redirect"
	case untrusted:
		return "server certificate"
	case e.CertificateRejected():
		return "client certificate"
	case e.Err != nil && strings.HasSuffix(e.Err.Error(), tls.AlertError(40).Error()):
		return "handshake"
	case e.Status == 0:
		return "no response"
	case e.NotBearer():
		return "not Bearer"
	case errors.Is(e, io.ErrUnexpectedEOF):
		return "broken off"
	}
	return ""
}
