package provider

import (
	"crypto/tls"
	"errors"
	"net/http"
	"strings"

	"terraform-provider-notification/internal/client"
)

// hint says what to look at, for the statuses that users meet.
func hint(e *client.Error, then consequences) string {
	switch {
	case e.Cancelled():
		return "" // not for anything that could be changed
	case e.Operation == client.FetchToken:
		return tokenHint(e)
	}
	settings := "base_url, system and notifications_path"
	if e.Operation == client.LookUpStudies {
		settings = "base_url, system and studies_path"
	}
	switch {
	case e.HTML != "":
		return "A page where JSON was expected is usually the sign-in page of a gateway. Check that base_url is the address of the API."
	case e.Location != "" && e.Status >= 300 && e.Status <= 399:
		return "This redirect was not followed, since that could carry the request and its token elsewhere. If the new address is right, configure it: it comes from " + settings + "."
	}
	switch e.Status {
	case 0:
		return unreachable(e, "base_url")
	case http.StatusServiceUnavailable:
		return "The service is not available for now. " + then.moreTime
	case http.StatusUnauthorized:
		return "The service refused an access token that was fetched just before. Check that auth_url and base_url belong to the same environment, and that scopes and audience fit the service."
	case http.StatusForbidden:
		return "The client is known but may not do this. " + granted(e.GrantedScopes)
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return "The address comes from the provider's settings " + settings + ". Check them against the documentation of your environment."
	case http.StatusConflict:
		return "The request conflicts with something that the service has already, such as an earlier notification that it takes for the same one. " +
			"Compare the arguments with what it says."
	case http.StatusRequestEntityTooLarge:
		return "The notification is larger than the service accepts. Shorten its fields or split its channels into several notifications."
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return "The service does not accept the content of the request. Compare the arguments with what it says."
	case http.StatusTooManyRequests:
		return "The service limits how often it may be called. Run Terraform with a smaller -parallelism, raise max_retries, or use one notification with several channels instead of many. " + then.moreTime
	}
	if e.Status >= 500 {
		return "The service failed. " + then.moreTime + " If it goes on, tell those who run the service."
	}
	return ""
}

func tokenHint(e *client.Error) string {
	switch {
	case e.HTML != "":
		return "A page where a token was expected means that auth_url is not the address of the authorization server, or that a gateway asks for a sign-in."
	case e.Location != "" && e.Status >= 300 && e.Status <= 399:
		return "A token request is never redirected, since that would carry the client secret away. If the new address is right, set auth_url to it."
	case e.NotBearer():
		return "The provider can send Bearer tokens only. Check that auth_url belongs to the service; those who issued the credentials can say how to get a Bearer token."
	}
	switch e.Code {
	case "invalid_client":
		return "Check client_id and client_secret (NOTIFICATION_CLIENT_ID and NOTIFICATION_CLIENT_SECRET), and that they belong to the environment of auth_url."
	case "invalid_scope":
		return "The authorization server does not grant the requested scopes to this client. Check scopes (NOTIFICATION_SCOPES)."
	case "unauthorized_client", "unsupported_grant_type":
		return "The client may not use the client credentials grant. Those who issued the credentials can allow it."
	}
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return "Check client_id and client_secret, and that they belong to the environment of auth_url."
	case http.StatusNotFound, http.StatusMethodNotAllowed:
		return "The address is auth_url with /oauth2/token. Check auth_url."
	case http.StatusTooManyRequests:
		return "The authorization server limits how often it may be called. Try again later."
	case 0:
		return unreachable(e, "auth_url")
	}
	switch {
	case e.Code == "" && e.Status >= 200 && e.Status <= 299:
		return "Check that auth_url is the address of the authorization server. If it is, a gateway in between may have emptied or cut off its answer."
	case e.Status >= 500:
		return "The authorization server failed. Try again later. If it goes on, tell those who run it."
	}
	return ""
}

// unreachable is the hint where there was no answer at all.
func unreachable(e *client.Error, setting string) string {
	var untrusted *tls.CertificateVerificationError
	switch {
	case e.TimedOut():
		return ""
	case errors.As(e, &untrusted):
		return "The server's certificate is not trusted for this address. Check " + setting + "; if the certificate comes from an authority of your own, set ca_cert_pem."
	case e.CertificateRefused():
		return "The server does not accept the client's certificate, or wants one. Check client_cert_pem and client_key_pem."
	default:
		return "Check " + setting + ", and that the server can be reached from here, proxies included (HTTPS_PROXY, NO_PROXY)."
	}
}

func granted(scopes []string) string {
	if len(scopes) == 0 {
		return "The authorization server did not say which scopes it granted; check scopes."
	}
	return "The access token was granted the scopes " + strings.Join(scopes, " ") + "; check that they are enough."
}
