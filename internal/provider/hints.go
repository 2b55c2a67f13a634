package provider

import (
	"crypto/tls"
	"errors"
	"io"
	"net/http"

	"terraform-provider-notification/internal/client"
)

// hint says what to check, for the failures that users meet; empty where it has nothing to add.
// moreTime is the advice where another attempt was due too late.
func hint(e *client.Error, moreTime string) string {
	if !e.OutOfTime() {
		moreTime = "Wait a while, or raise max_retries."
	}
	switch {
	case e.Cancelled():
		return "" // no setting would have helped
	case e.Operation == client.FetchToken:
		return tokenHint(e)
	}
	addressSettings := "base_url, system and studies_path"
	if e.Operation == client.SubmitNotification {
		addressSettings = "base_url, system and notifications_path"
	}
	switch {
	case !e.HTML.Empty():
		return "This is usually the sign-in page of a gateway. Check that base_url is the API."
	case !e.Location.Empty() && e.Status >= 300 && e.Status <= 399:
		return "The provider did not follow the redirect, which could send the access token to " +
			"another server. If the new address is correct, adapt " + addressSettings + "."
	}
	switch e.Status {
	case 0:
		return unreachable(e, "base_url")
	case http.StatusServiceUnavailable:
		return "The service is unavailable. " + moreTime
	case http.StatusUnauthorized:
		return "The service rejected a new access token. Check that auth_url and base_url belong to " +
			"the same environment, and that scopes has what the service requires."
	case http.StatusForbidden:
		return "The service does not allow this client to do that. " +
			granted(e.GrantedScopes.String())
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return "Check " + addressSettings + " with the service's operators."
	case http.StatusTooManyRequests:
		return "The service limits the rate of requests. Lower -parallelism. " + moreTime
	}
	switch {
	case e.Status >= 500:
		return "The service failed. " + moreTime + " If it keeps failing, contact its operators."
	case e.Operation == client.SubmitNotification:
		return contentHint(e.Status)
	case errors.Is(e, io.ErrUnexpectedEOF):
		return "The response broke off. " + moreTime
	}
	return ""
}

// contentHint is the hint where the service rejects what was submitted.
func contentHint(status int) string {
	switch status {
	case http.StatusConflict:
		return "It conflicts with something that the service has, such as an earlier notification. " +
			"Resolve that: see the message above."
	case http.StatusRequestEntityTooLarge:
		return "The service does not accept requests of this size. Shorten the fields, or split the " +
			"channels into several notifications."
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return "Correct the arguments: see the message above."
	}
	return ""
}

// settingsHint is the hint where the last attempt failed because of the settings of the provider, or
// of this client at the servers; empty for other failures.
func settingsHint(e *client.Error) string {
	if noToken, ok := errors.AsType[*client.Error](e.Unwrap()); ok {
		e = noToken
	}
	refused := e.Status >= 300 && e.Status <= 499 &&
		e.Status != http.StatusSeeOther && e.Status != http.StatusTooManyRequests
	if refused || !e.HTML.Empty() || e.NotBearer() {
		return hint(e, "")
	}
	return ""
}

func tokenHint(e *client.Error) string {
	switch {
	case !e.HTML.Empty():
		return "Check auth_url, and that no gateway in front of it requires a sign-in."
	case !e.Location.Empty() && e.Status >= 300 && e.Status <= 399:
		return "The provider never follows the redirect of a token request: that would send the " +
			"client secret to another server. If the new address is correct, set auth_url to it."
	case e.NotBearer():
		return "Check auth_url. If it is correct, ask whoever issued the credentials how to obtain a " +
			"Bearer token."
	}
	switch e.Code.String() {
	case "invalid_client":
		return "Check client_id and client_secret (NOTIFICATION_CLIENT_ID and " +
			"NOTIFICATION_CLIENT_SECRET), and that they belong to the environment of auth_url."
	case "invalid_scope":
		return "Check scopes (NOTIFICATION_SCOPES)."
	case "unauthorized_client", "unsupported_grant_type":
		return "Ask whoever issued the credentials to allow them the client credentials grant."
	}
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "Check client_id and client_secret, and that they belong to the environment of " +
			"auth_url."
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return "Check auth_url, to which the provider adds /oauth2/token."
	case http.StatusTooManyRequests:
		return "The authorization server limits the rate of requests. Try again later."
	case 0:
		return unreachable(e, "auth_url")
	}
	switch {
	case e.Code.Empty() && e.Status >= 200 && e.Status <= 299:
		return "Check auth_url. A gateway in front of it may have emptied or truncated the response."
	case e.Status >= 500:
		return "The authorization server failed. Try again later. If it keeps failing, contact " +
			"its operators."
	}
	return ""
}

// unreachable is the hint where there was no response at all.
func unreachable(e *client.Error, setting string) string {
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](e)
	switch {
	case e.TimedOut():
		return ""
	case untrusted:
		return "Check " + setting + ". If a private certificate authority issued the server's " +
			"certificate, set ca_cert_pem."
	case e.CertificateRefused():
		return "The server requires a client certificate that it accepts. Check client_cert_pem " +
			"and client_key_pem."
	default:
		return "Check " + setting + ", the network, and the proxy (HTTPS_PROXY, NO_PROXY)."
	}
}

func granted(scopes string) string {
	if scopes == "" {
		return "Check scopes: the authorization server did not say which it granted."
	}
	return "Check scopes: the access token has " + scopes + "."
}
