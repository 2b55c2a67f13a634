package provider

import (
	"crypto/tls"
	"errors"
	"net/http"

	"terraform-provider-notification/internal/client"
)

// plannedBeforeDestroy is for what fails a plan that submits.
const plannedBeforeDestroy = "A destroy makes this plan as well; to skip it, run " +
	"`terraform destroy -refresh=false`."

// hint says what to check, for the failures that users meet; empty where it has nothing to add.
// moreTime is the advice where the service needs more time.
func hint(e *client.Error, moreTime string) string {
	switch {
	case e.Cancelled():
		return "" // no setting would have helped
	case e.Operation == client.FetchToken:
		return tokenHint(e)
	}
	submission := e.Operation == client.SubmitNotification
	addressSettings := "base_url, system and studies_path"
	if submission {
		addressSettings = "base_url, system and notifications_path"
	}
	switch {
	case !e.HTML.Empty():
		return "An HTML page instead of JSON is usually the sign-in page of a gateway. Check " +
			"that base_url is the address of the API."
	case !e.Location.Empty() && e.Status >= 300 && e.Status <= 399:
		return "The provider did not follow the redirect, which could send the request and its " +
			"access token to another server. If the new address is correct, change the settings " +
			"that the address comes from: " + addressSettings + "."
	}
	switch e.Status {
	case 0:
		return unreachable(e, "base_url")
	case http.StatusServiceUnavailable:
		return "The service is currently unavailable. " + moreTime
	case http.StatusUnauthorized:
		return "The service rejected a newly obtained access token. Check that auth_url and " +
			"base_url belong to the same environment, and that scopes contains what the service " +
			"requires."
	case http.StatusForbidden:
		return "The service does not allow this client to make this request. " +
			granted(e.GrantedScopes.String())
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return "The address comes from the provider settings " + addressSettings + ". Compare them " +
			"with the documentation of your environment."
	case http.StatusConflict:
		return "The request conflicts with something that the service already has, such as an " +
			"earlier notification that it considers the same. Check the arguments against its " +
			"answer."
	case http.StatusRequestEntityTooLarge:
		return "The request is larger than the service accepts. Shorten the fields of the " +
			"notification, or split its channels into several notifications."
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return "The service rejected the content of the request. Check the arguments against its " +
			"answer."
	case http.StatusTooManyRequests:
		text := "The service limits the rate of requests. Run Terraform with a lower " +
			"-parallelism, or raise max_retries. "
		if submission {
			text += "One notification with several channels needs fewer requests than many " +
				"with one. "
		}
		return text + moreTime
	}
	if e.Status >= 500 {
		return "The service failed. " + moreTime + " If it keeps failing, contact the " +
			"service's operators."
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
		return "An HTML page instead of a token means that auth_url is not the address of the " +
			"authorization server, or that a gateway in front of it requires a sign-in."
	case !e.Location.Empty() && e.Status >= 300 && e.Status <= 399:
		return "The provider never follows the redirect of a token request, which would send the " +
			"client secret to another address. If the new address is correct, set auth_url to it."
	case e.NotBearer():
		return "The provider can use Bearer tokens only. Check that auth_url is the address of " +
			"the authorization server. If it is, ask whoever issued the credentials how to " +
			"obtain a Bearer token."
	}
	switch e.Code.String() {
	case "invalid_client":
		return "Check client_id and client_secret (NOTIFICATION_CLIENT_ID and " +
			"NOTIFICATION_CLIENT_SECRET), and that they belong to the environment of auth_url."
	case "invalid_scope":
		return "The authorization server does not grant the requested scopes to this client. " +
			"Check scopes (NOTIFICATION_SCOPES)."
	case "unauthorized_client", "unsupported_grant_type":
		return "The authorization server does not let this client use the client credentials " +
			"grant. Ask whoever issued the credentials to allow it."
	}
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "Check client_id and client_secret, and that they belong to the environment of " +
			"auth_url."
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return "Access tokens are requested from auth_url followed by /oauth2/token. Check " +
			"auth_url."
	case http.StatusTooManyRequests:
		return "The authorization server limits the rate of requests. Try again later."
	case 0:
		return unreachable(e, "auth_url")
	}
	switch {
	case e.Code.Empty() && e.Status >= 200 && e.Status <= 299:
		return "Check that auth_url is the address of the authorization server. If it is, a " +
			"gateway in front of it may have emptied or truncated the answer."
	case e.Status >= 500:
		return "The authorization server failed. Try again later. If it keeps failing, contact " +
			"its operators."
	}
	return ""
}

// unreachable is the hint where there was no answer at all.
func unreachable(e *client.Error, setting string) string {
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](e)
	switch {
	case e.TimedOut():
		return ""
	case untrusted:
		return "The server's certificate is not trusted for this address. Check " + setting +
			"; if a private certificate authority issued the certificate, set ca_cert_pem."
	case e.CertificateRefused():
		return "The server requires a client certificate that it accepts. Check client_cert_pem " +
			"and client_key_pem."
	default:
		return "Check " + setting + ", and that this machine can reach the server, through a " +
			"proxy if one is needed (HTTPS_PROXY, NO_PROXY)."
	}
}

func granted(scopes string) string {
	if scopes == "" {
		return "The authorization server did not say which scopes it granted; check scopes."
	}
	return "The access token has the scopes " + scopes + "; check that they are sufficient."
}
