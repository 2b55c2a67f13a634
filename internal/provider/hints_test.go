package provider

import (
	"crypto/tls"
	"io"
	"net"
	"strings"
	"testing"

	"terraform-provider-notification/internal/client"
	"terraform-provider-notification/internal/client/redact"
)

func quoted(text string) redact.Text { return new(redact.Secrets).Quote(text) }

func cleaned(err error) *redact.Error { return new(redact.Secrets).CleanError(err) }

// The hints that depend on more than one condition. The golden file has the others.
func TestHint(t *testing.T) {
	t.Parallel()
	const submit, lookUp, token = client.SubmitNotification, client.LookUpStudies, client.FetchToken
	plain, redirected := client.Error{}, client.Error{Location: quoted("https://a")}
	ownKey := client.Error{}
	ownKey.Key.UserChosen = true
	inDoubt := ownKey
	inDoubt.Ambiguous = true
	seeOther, noToken := inDoubt, inDoubt
	seeOther.Location = redirected.Location
	noToken.Err = cleaned(&client.Error{Operation: token, Status: 401})
	blocked := client.Error{WAFAction: quoted("challenge")}
	handshake := client.Error{
		Err: cleaned(&net.OpError{Op: "remote error", Err: tls.AlertError(40)}),
	}
	for _, test := range []struct {
		operation client.Operation
		status    int
		failed    client.Error // the rest of it
		want      string       // of the hint; empty where there is none
	}{
		{submit, 399, redirected, "adapt base_url, system and notifications_path"},
		{submit, 304, plain, ""},
		{submit, 201, redirected, ""},
		{submit, 403, plain, "scopes that the authorization server did not name"},
		{submit, 405, plain, "Check base_url, system and notifications_path"},
		{submit, 418, plain, ""},
		{submit, 202, blocked, "that only a browser can solve"},
		{token, 202, blocked, "Ask the operators of auth_url"},
		{submit, 0, handshake, "check client_cert_pem"},
		{token, 0, handshake, "Otherwise check auth_url."},
		{submit, 401, inDoubt, "rejected a new access token"},
		{submit, 301, seeOther, ""},
		{submit, 500, inDoubt, ""},
		{submit, 0, noToken, "Check client_id and client_secret"},
		{lookUp, 405, plain, "Check base_url, system and studies_path"},
		{lookUp, 200, plain, ""},
		{token, 399, redirected, "never follows the redirect"},
		{token, 300, plain, ""},
		{token, 400, redirected, ""},
		{token, 400, client.Error{Code: quoted("unsupported_grant_type")}, "client credentials grant"},
		{token, 400, client.Error{Code: quoted("404")}, ""},
		{token, 405, plain, "/oauth2/token"},
		{token, 299, plain, "emptied or truncated"},
		{token, 200, client.Error{Err: cleaned(io.ErrUnexpectedEOF)}, "emptied or truncated"},
		{token, 499, plain, ""},
		{token, 503, plain, "The authorization server failed"},
	} {
		failed := test.failed
		failed.Operation, failed.Status = test.operation, test.status
		got := hint(&failed, "")
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%v: %q, want %q", &failed, got, test.want)
		}
	}
}

// The id under which the server logged a request follows the request's own ids.
func TestRequest_serverID(t *testing.T) {
	t.Parallel()
	failed := &client.Error{
		Method: "POST", URL: quoted("https://a"), Status: 400, ServerID: quoted("abc"),
	}
	const want = "    POST https://a\n    logged by the server as \"abc\""
	if got := request(failed); got != want {
		t.Errorf("got %s", got)
	}
}
