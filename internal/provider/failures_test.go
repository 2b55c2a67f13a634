package provider

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"terraform-provider-notification/internal/client"
	"terraform-provider-notification/internal/emulator"
	"terraform-provider-notification/internal/emulator/emulatortest"
	"terraform-provider-notification/internal/memnet"
)

// failureCase is a fault, and the conditions in which it occurs.
type failureCase struct {
	conditions

	name, fault string
}

type conditions struct {
	target         string // of the faults; empty for the submission
	action         bool   // instead of the resource
	check          bool   // check_credentials
	atMost         bool   // delivery = "at_most_once"
	keyHeader, key string
	dial           error         // error of every dial, except for the token
	cancel         time.Duration // when the run is cancelled
	deadline       time.Duration
	responds       http.HandlerFunc // in place of the target; may be nil
}

// failures returns the failures in the golden file.
func failures() []failureCase {
	const own, lost = "checkout-1.4.2-canary", "reset-after,repeat"
	const limit = 10 * time.Second
	oauthError := func(status int, code string) http.HandlerFunc {
		return responding(status, `{"error":"`+code+`","error_description":"an injected fault"}`)
	}
	invalidClient := oauthError(http.StatusUnauthorized, "invalid_client")
	invalidScope := oauthError(http.StatusBadRequest, "invalid_scope")
	unauthorized := oauthError(http.StatusBadRequest, "unauthorized_client")
	unsupported := oauthError(http.StatusBadRequest, "unsupported_grant_type")
	rejected := responding(http.StatusUnauthorized, "no such client")
	forbidden := responding(http.StatusForbidden, "not from this network")
	badGateway := responding(http.StatusBadGateway, "<!DOCTYPE html><title>Sign in</title>"+
		"<h1>Sign in</h1><button>Sign in</button>")
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connect: connection refused")}
	untrusted := &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}
	noCertificate := &net.OpError{Op: "remote error", Err: tls.AlertError(116)}
	handshake := &net.OpError{Op: "remote error", Err: tls.AlertError(40)}
	plainHTTP := tls.RecordHeaderError{
		Msg:          "first record does not look like a TLS handshake",
		RecordHeader: [5]byte([]byte("HTTP/")),
	}

	plain, token := conditions{}, conditions{target: "token"}
	check, lookup := conditions{target: "token", check: true}, conditions{target: "studies"}
	action, cancelled := conditions{action: true}, conditions{cancel: time.Second}
	ownKey := conditions{keyHeader: keyHeader, key: own}
	ownKeyAtMost, ownKeyOfAction, soon, later := ownKey, ownKey, ownKey, ownKey
	ownKeyAtMost.atMost, ownKeyOfAction.action = true, true
	soon.cancel, later.cancel = time.Second/10, 3*time.Second
	return []failureCase{
		{plain, "submission: the service rejects the content", "status:422"},
		{plain, "submission: bad request", "status:400"},
		{plain, "submission: new access tokens are rejected too", "status:401,repeat"},
		{plain, "submission: forbidden", "status:403"},
		{plain, "submission: not found", "status:404"},
		{plain, "submission: conflict", "status:409"},
		{plain, "submission: too large", "status:413"},
		{plain, "submission: too many requests for too long", "status:429,repeat"},
		{plain, "submission: too long to wait", "status:503:600"},
		{plain, "submission: redirected", "redirect:307:https://elsewhere.example.com/v1?key=1"},
		{plain, "submission: see other", "redirect:303:https://elsewhere.example.com/v1/1"},
		{plain, "submission: sign-in page", "html"},
		{plain, "submission: server error", "status:500"},
		{conditions{responds: badGateway}, "submission: bad gateway", ""},
		{conditions{responds: truncated}, "submission: an error response that breaks off", ""},
		{plain, "submission: unavailable, without Retry-After", "status:503"},
		{plain, "submission: no response", "hang"},
		{plain, "submission: accepted, empty response", "empty"},
		{plain, "submission: accepted, response without id", `json-after:{"status":"accepted"}`},
		{plain, "submission: accepted, response truncated", "truncate"},
		{conditions{dial: refused}, "submission: the service cannot be reached", ""},
		{conditions{dial: untrusted}, "submission: the certificate is not trusted", ""},
		{conditions{dial: noCertificate}, "submission: a client certificate is required", ""},
		{conditions{dial: handshake}, "submission: the TLS handshake fails", ""},
		{conditions{dial: plainHTTP}, "submission: plain HTTP at an https address", ""},
		{conditions{responds: firewall}, "submission: a firewall asks for a challenge", ""},
		{cancelled, "submission: cancelled during a wait", "status:429:60"},
		{cancelled, "submission: cancelled, and no response in the grace period", "hang"},
		{conditions{deadline: limit}, "submission: timeouts.create is reached", "hang"},
		{action, "action: forbidden", "status:403"},
		{action, "action: too long to wait", "status:429:600"},
		{action, "action: no response", "hang"},
		{action, "action: accepted, empty response", "empty"},
		{conditions{atMost: true, responds: badGateway}, "at most once: bad gateway", ""},
		{conditions{keyHeader: keyHeader}, "random key: no response", lost},
		{conditions{keyHeader: keyHeader}, "random key: conflict", "status:409,repeat"},
		{
			conditions{keyHeader: "X-Request-ID"}, "random key in X-Request-ID: no response", lost,
		},
		{
			conditions{keyHeader: keyHeader, atMost: true}, "random key, at most once: no response", lost,
		},
		{ownKey, "own key: no response", lost},
		{ownKey, "own key: no response, then rejected", "reset-after,status:400"},
		{ownKey, "own key: no response, then a sign-in page", "reset-after,html"},
		{ownKey, "own key: no response, then forbidden", "reset-after,status:403"},
		{ownKey, "own key: no response, then too many requests", "reset-after,status:429:600"},
		{ownKey, "own key: no response, then the content rejected", "reset-after,status:422"},
		{ownKey, "own key: no response, then too large", "reset-after,status:413"},
		{ownKey, "own key: sign-in page", "html"},
		{ownKey, "own key: conflict", "status:409,repeat"},
		{ownKey, "own key: the service rejects the content", "status:422"},
		{ownKey, "own key: forbidden", "status:403"},
		{soon, "own key: no response, then cancelled before a retry", "reset-after"},
		{later, "own key: no response, then cancelled", "reset-after,status:429:60"},
		{ownKeyAtMost, "own key, at most once: no response", lost},
		{ownKeyAtMost, "own key, at most once: no response, then rejected", "reset-after,status:400"},
		{ownKeyAtMost, "own key, at most once: conflict", "status:409,repeat"},
		{ownKeyOfAction, "own key, action: no response", lost},
		{ownKeyOfAction, "own key, action: no response, then rejected", "reset-after,status:400"},
		{ownKeyOfAction, "own key, action: the service rejects the content", "status:422"},
		{conditions{target: "token", responds: invalidClient}, "token: invalid_client", ""},
		{conditions{target: "token", responds: invalidScope}, "token: invalid_scope", ""},
		{conditions{target: "token", responds: unauthorized}, "token: unauthorized_client", ""},
		{conditions{target: "token", responds: unsupported}, "token: unsupported_grant_type", ""},
		{conditions{target: "token", responds: firewall}, "token: a firewall asks for a challenge", ""},
		{conditions{target: "token", responds: rejected}, "token: unauthorized, without a code", ""},
		{conditions{target: "token", responds: forbidden}, "token: forbidden, without a code", ""},
		{token, "token: bad request", "status:400"},
		{token, "token: sign-in page", "html"},
		{token, "token: not found", "status:404"},
		{token, "token: method not allowed", "status:405"},
		{token, "token: redirected", "redirect:307:https://elsewhere.example.com/oauth2/token"},
		{token, "token: not a Bearer token", `json:{"access_token":"x","token_type":"mac"}`},
		{token, "token: no token", `json:{"token_type":"Bearer"}`},
		{token, "token: too many requests", "status:429,repeat"},
		{token, "token: server error", "status:500,repeat"},
		{token, "token: no response", "hang,repeat"},
		{
			conditions{target: "token", deadline: limit}, "token: no response in time", "hang,repeat",
		},
		{
			conditions{target: "token", check: true, responds: invalidClient},
			"check: invalid_client", "",
		},
		{check, "check: no response", "hang,repeat"},
		{
			conditions{target: "token", check: true, cancel: time.Second}, "check: cancelled", "hang",
		},
		{lookup, "lookup: not found", "status:404"},
		{lookup, "lookup: method not allowed", "status:405"},
		{lookup, "lookup: server error", "status:500,repeat"},
		{lookup, "lookup: redirected elsewhere", "redirect:307:https://elsewhere.example.com/v1"},
		{lookup, "lookup: sign-in page", "html"},
		{lookup, "lookup: no response", "hang,repeat"},
		{
			conditions{target: "studies", deadline: limit}, "lookup: no response in time",
			"status:429,hang",
		},
		{lookup, "lookup: response truncated", "truncate,repeat"},
	}
}

func responding(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body) // fails when the client has gone
	}
}

func truncated(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "100")
	w.WriteHeader(http.StatusUnprocessableEntity)
	_, _ = io.WriteString(w, "no such template") // fails when the client has gone
}

func firewall(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("x-amzn-waf-action", "challenge")
	w.Header().Set("x-amzn-requestid", "abc")
	w.WriteHeader(http.StatusAccepted)
}

// gateway wraps the emulator's handler, and may respond in place of the target.
func (c conditions) gateway(next http.Handler) http.Handler {
	path := map[string]string{"": "/notifications/v1", "token": "/oauth2/token"}[c.target]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c.responds != nil && r.URL.Path == path {
			c.responds(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// run causes fault for a new client, under a fake clock, and returns the diagnostic.
func (c conditions) run(t *testing.T, fault string) diag.Diagnostic {
	t.Helper()
	e, server := emulatortest.New(t, emulator.Config{
		Faults: emulator.Faults{cmp.Or(c.target, "submission"): fault},
	})
	server.Handler = c.gateway(e)
	network := memnet.Serve(t, server)
	t.Cleanup(e.Close)
	root := &url.URL{Scheme: "http", Host: "notifications.example.com"}
	service := client.New(client.Config{
		TokenURL:             root.JoinPath("oauth2/token"),
		NotificationsURL:     root.JoinPath("notifications/v1"),
		StudiesURL:           root.JoinPath("studies/v1"),
		ClientID:             emulatortest.ClientID,
		ClientSecret:         testSecret,
		RequestTimeout:       30 * time.Second,
		MaxRetries:           4,
		IdempotencyKeyHeader: c.keyHeader,
		Dial: func(ctx context.Context, transport, address string) (net.Conn, error) {
			if c.dial != nil && e.Ledger().TokenRequests > 0 {
				return nil, c.dial
			}
			return network.Dial(ctx, transport, address)
		},
	})
	defer time.Sleep(client.DefaultTimeout) // a token may still be fetched for others
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if c.dial != nil { // after the token was fetched, by a lookup
		if _, _, err := service.Studies(ctx, "ATLAS"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute) // until its connection is closed
	}
	if c.deadline > 0 {
		ctx, cancel = context.WithTimeout(ctx, c.deadline)
		defer cancel()
	}
	if c.cancel > 0 {
		defer time.AfterFunc(c.cancel, cancel).Stop()
	}
	if c.check {
		var diags diag.Diagnostics
		data := providerData{client: service, guides: released}
		data.check.wanted = true
		data.checkCredentials(ctx, &diags)
		return diags[0]
	}
	if c.target == "studies" {
		_, _, err := service.Studies(ctx, "ATLAS")
		return failedRequest("Unable to look up studies", "", err, "")
	}
	by := byResource
	if c.action {
		by = byAction
	}
	request := client.NotificationRequest{
		Priority: "HIGH", Channels: []client.Channel{{Type: "slack"}},
	}
	receipt, err := service.SubmitNotification(ctx, request, c.key)
	failed := requestError(err)
	switch {
	case err == nil:
		return missingID(receipt, by)
	case failed.Ambiguous && c.atMost:
		return unconfirmed(failed, released)
	default:
		return failedSubmission(failed, by, released)
	}
}
