package provider

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"terraform-provider-notification/internal/client"
	"terraform-provider-notification/internal/client/redact"
	"terraform-provider-notification/internal/client/wire"
)

func quoted(text string) redact.Text { return new(redact.Secrets).Quote(text) }

// Each row of the hints is the hint of a case, and each reason is that of a case. The golden file
// has the whole texts.
func TestHint(t *testing.T) {
	t.Parallel()
	const (
		moreTime   = "Wait, or raise timeouts.create."
		retries    = "Wait a while, or raise max_retries."
		grant      = "the client credentials grant"
		connection = ", the network, and the proxy"
		path       = "Check base_url, system and notifications_path"
	)
	submit, lookUp, token := client.SubmitNotification, client.LookUpStudies, client.FetchToken
	plain := client.Error{}
	because := func(reason wire.Reason) client.Error { return client.Error{Reason: reason} }
	code := func(code string) client.Error { return client.Error{Code: quoted(code)} }
	late := client.Error{Stopped: wire.OutOfTime}
	own := client.Error{Key: wire.Key{UserChosen: true}}
	doubt, noToken, seeOther := own, own, own
	doubt.Ambiguous, noToken.Ambiguous, seeOther.Ambiguous = true, true, true
	seeOther.Reason = wire.Redirect
	noToken.Err = new(redact.Secrets).CleanError(&client.Error{Operation: token, Status: 401})
	found, reasons := map[hintRow]bool{}, map[wire.Reason]bool{}
	for _, test := range []struct {
		operation client.Operation
		status    int
		failed    client.Error // the rest of it
		want      string       // part of the hint; empty if there is none
	}{
		{submit, 202, because(wire.Firewall), "Ask the operators of base_url"},
		{token, 202, because(wire.Firewall), "Ask the operators of auth_url"},
		{lookUp, 0, because(wire.UntrustedCertificate), "set ca_cert_pem"},
		{token, 0, because(wire.CertificateRejected), "client_cert_pem"},
		{token, 0, because(wire.HandshakeFailed), "Otherwise check auth_url."},
		{submit, 0, because(wire.PlainHTTP), "base_url" + connection},
		{token, 0, because(wire.NoResponse), "auth_url" + connection},
		{submit, 0, client.Error{Reason: wire.NoResponse, Stopped: wire.OutOfTime}, connection},
		{submit, 0, because(wire.Cancelled), ""},
		{submit, 429, client.Error{Stopped: wire.Cancelled}, ""},
		{submit, 0, because(wire.TimedOut), moreTime},
		{lookUp, 429, client.Error{Stopped: wire.TimedOut}, moreTime},
		{lookUp, 200, because(wire.TooLarge), ""},

		{token, 200, because(wire.HTMLPage), "Check auth_url, and that no gateway"},
		{token, 399, because(wire.Redirect), "never follows the redirect"},
		{token, 200, because(wire.NotBearer), "how to obtain a Bearer token"},
		{token, 401, code("invalid_client"), "NOTIFICATION_CLIENT_SECRET"},
		{token, 400, code("invalid_scope"), "NOTIFICATION_SCOPES"},
		{token, 400, code("unauthorized_client"), grant},
		{token, 400, code("unsupported_grant_type"), grant},
		{token, 400, code("404"), ""},
		{token, 299, plain, "emptied or truncated"},
		{token, 200, because(wire.BrokenOff), "emptied or truncated"},
		{token, 300, plain, ""},
		{token, 401, plain, "Check client_id"},
		{token, 403, plain, "Check client_id"},
		{token, 404, plain, "/oauth2/token"},
		{token, 405, plain, "/oauth2/token"},
		{token, 429, plain, "The authorization server limits"},
		{token, 499, plain, ""},
		{token, 503, plain, "The authorization server failed"},

		{submit, 200, because(wire.HTMLPage), "sign-in page of a gateway"},
		{submit, 399, because(wire.Redirect), "adapt base_url, system and notifications_path"},
		{submit, 304, plain, ""},
		{submit, 301, seeOther, ""},
		{lookUp, 200, because(wire.BrokenOff), "broke off. " + retries},
		{lookUp, 200, plain, ""},
		{submit, 422, own, "another timestamp()"},
		{submit, 400, doubt, "before you know"},
		{submit, 413, doubt, "before you know"},
		{submit, 422, doubt, "if an earlier run used this one"},
		{submit, 409, doubt, "still be busy with this key"},
		{submit, 401, doubt, "rejected a new access token"},
		{submit, 500, doubt, ""},
		{submit, 0, noToken, "Check client_id and client_secret"},
		{submit, 400, own, "Correct the arguments"},
		{submit, 403, plain, "scopes that the authorization server did not name"},
		{submit, 404, plain, path},
		{submit, 405, plain, path},
		{lookUp, 405, plain, "Check base_url, system and studies_path"},
		{submit, 409, plain, "already exists"},
		{submit, 413, plain, "Shorten the fields"},
		{submit, 418, plain, ""},
		{submit, 422, plain, "Correct the arguments"},
		{submit, 429, plain, retries},
		{submit, 429, late, moreTime},
		{lookUp, 503, plain, "The service is unavailable"},
		{lookUp, 599, plain, "The service failed"},
	} {
		failed := test.failed
		failed.Operation, failed.Status = test.operation, test.status
		got := hint(&failed, moreTime)
		if (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%v: %q, want %q", &failed, got, test.want)
		}
		found[hintFor(&failed)], reasons[cmp.Or(failed.Stopped, failed.Reason)] = true, true
	}
	for _, row := range slices.Concat(connectionHints, tokenHints, serviceHints) {
		if !found[row] {
			t.Errorf("no case for %+v", row)
		}
	}
	for reason := range wire.Reasons {
		if !reasons[reason] {
			t.Errorf("no case for reason %d", reason)
		}
	}
}

// The id under which the server logged a request follows the request's own ids.
func TestDescribeRequest_serverID(t *testing.T) {
	t.Parallel()
	failed := &client.Error{
		Method: "POST", URL: quoted("https://a"), Status: 400, ServerID: quoted("abc"),
	}
	const want = "    POST https://a\n    logged by the server as \"abc\""
	if got := describeRequest(failed); got != want {
		t.Errorf("got %s", got)
	}
}
