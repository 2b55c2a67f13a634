package provider

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/notification/terraform-provider-notification/internal/client"
	"github.com/notification/terraform-provider-notification/internal/client/wire"
	"github.com/notification/terraform-provider-notification/internal/emulator"
	"github.com/notification/terraform-provider-notification/internal/emulator/emulatortest"
	"github.com/notification/terraform-provider-notification/internal/memnet"
)

// failure is a failed request of the resource, or of what else a field names.
type failure struct {
	name   string
	fault  string // of the emulator
	target string // of the fault; empty for the submission

	// The response in place of the target's, if status is not 0.
	status int
	header http.Header
	body   string

	action    bool // instead of the resource
	check     bool // check_credentials
	atMost    bool // delivery = "at_most_once"
	keyHeader string
	key       string        // implies keyHeader
	dial      error         // error of every dial, except for the token
	cancel    time.Duration // when the run is cancelled
	deadline  time.Duration
}

const (
	ownKey      = "checkout-1.4.2-canary"
	lost        = "reset-after,repeat"
	withoutAnID = `json-after:{"ok":false,"error":"channel_not_found"}`
)

// failures lead to each text about a failed request, once. TestHint and the tests of package client
// have the other failures that end the same way.
var failures = slices.Concat(
	each("submission", func(*failure) {}, []failure{
		{name: "the service rejects the content", fault: "status:422"},
		{name: "new access tokens are rejected too", fault: "status:401,repeat"},
		{name: "forbidden", fault: "status:403"},
		{
			name: "forbidden by a gateway", status: http.StatusForbidden,
			header: http.Header{"Content-Type": {"text/html"}}, body: "<h1>Just a moment",
		},
		{name: "header too large", status: 400, body: "Request Header Or Cookie Too Large"},
		{name: "not found", fault: "status:404"},
		{name: "conflict", fault: "status:409"},
		{name: "too large", fault: "status:413"},
		{name: "too many requests for too long", fault: "status:429,repeat"},
		{name: "too long to wait", fault: "status:429:600"},
		{name: "rejected after a wait", fault: "status:429:1,status:400"},
		{name: "redirected", fault: "redirect:307:https://elsewhere.example.com/v1?key=1"},
		{name: "redirected to a sign-in page", fault: "redirect:302:https://sso.example.com/"},
		{name: "see other", fault: "redirect:303:https://elsewhere.example.com/v1/1"},
		{name: "sign-in page", fault: "html"},
		{name: "server error", fault: "status:500"},
		{name: "no response", fault: "hang"},
		{name: "response without id", fault: withoutAnID},
		{
			name: "response with a Location only", status: http.StatusCreated,
			header: http.Header{"Location": {"/notifications/v1/9b2f?sig=canary"}},
		},
		{name: "an id, and an error", fault: `json-after:{"notification_id":"9b2f","error":"2 of 3"}`},
		{
			name: "an id, and a result for each", status: http.StatusMultiStatus,
			body: `{"notification_id":"9b2f","results":[{"to":"a","status":410}]}`,
		},
		{name: "some were not reached", fault: "status:424"},
		{
			name: "invalid arguments", status: http.StatusUnprocessableEntity,
			body: `{"title":"Invalid","errors":{"Priority":["is too high"]}}`,
		},
		{
			name: "the service cannot be reached",
			dial: &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connect: connection refused")},
		},
		{
			name: "the certificate is not trusted",
			dial: &tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}},
		},
		{
			name: "the system's certificate authorities cannot be read",
			dial: &tls.CertificateVerificationError{
				Err: x509.SystemRootsError{Err: errors.New("open /x: permission denied")},
			},
		},
		{
			name: "a client certificate is required",
			dial: &net.OpError{Op: "remote error", Err: tls.AlertError(116)},
		},
		{
			name: "the TLS handshake fails",
			dial: &net.OpError{Op: "remote error", Err: tls.AlertError(40)},
		},
		{
			name: "a firewall asks for a challenge", status: http.StatusAccepted,
			header: http.Header{"X-Amzn-Waf-Action": {"challenge"}, "X-Amzn-Requestid": {"abc"}},
		},
		{
			name: "an id in an error", status: http.StatusInternalServerError,
			body: `{"error":"the log is full","notification_id":"9b2f"}`,
		},
		{
			name: "a challenge beside a message", status: http.StatusForbidden,
			header: http.Header{"Www-Authenticate": {`Bearer error="insufficient_scope"`}},
			body:   `{"message":"Forbidden"}`,
		},
		{name: "cancelled during a wait", fault: "status:429:60", cancel: time.Second},
		{name: "timeouts.create is reached", fault: "hang", deadline: 10 * time.Second},
	}),
	[]failure{
		{name: "action: too long to wait", fault: "status:429:600", action: true},
		{name: "action: no response", fault: "hang", action: true},
		{name: "action: empty response", fault: "empty", action: true},
		{name: "at most once: server error", fault: "status:500", atMost: true},
		{name: "at most once: sign-in page", fault: "html", atMost: true},
		{name: "random key: no response", fault: lost, keyHeader: keyHeader},
		{name: "random key: conflict", fault: "status:409,repeat", keyHeader: keyHeader},
		{name: "random key in X-Request-ID: no response", fault: lost, keyHeader: "X-Request-ID"},
	},
	each("own key", func(f *failure) { f.key = ownKey }, []failure{
		{name: "no response", fault: lost},
		{name: "response without id", fault: withoutAnID},
		{name: "sign-in page", fault: "html,repeat"},
		{name: "conflict", fault: "status:409,repeat"},
		{name: "the service rejects the content", fault: "status:422"},
		{name: "forbidden", fault: "status:403"},
		{name: "no access token", target: "token", fault: "status:400"},
		{
			name: "no response, then cancelled before a retry", fault: "reset-after",
			cancel: time.Second / 10,
		},
	}),
	each("own key, at most once", func(f *failure) { f.key, f.atMost = ownKey, true }, []failure{
		{name: "redirected, then rejected", fault: "redirect:302:https://sso.example.com/,status:400"},
		{name: "no response, then too many requests", fault: "reset-after,status:429:600"},
		{name: "no response, then redirected", fault: "reset-after,redirect:307:https://sso.example.com/"},
		{name: "conflict", fault: "status:409,repeat"},
	}),
	each("own key, action", func(f *failure) { f.key, f.action = ownKey, true }, []failure{
		{name: "no response, then the content rejected", fault: "reset-after,status:422"},
		{name: "conflict", fault: "status:409,repeat"},
		{name: "the service rejects the content", fault: "status:422"},
	}),
	each("token", func(f *failure) { f.target = "token" }, []failure{
		{name: "invalid_client", status: 401, body: `{"error":"invalid_client"}`},
		{name: "invalid_scope", status: 400, body: `{"error":"invalid_scope"}`},
		{name: "unauthorized_client", status: 400, body: `{"error":"unauthorized_client"}`},
		{
			name: "another error, with status 200", status: 200,
			body: `{"error":"invalid_grant","error_description":"expired"}`,
		},
		{name: "unsupported_grant_type", status: 400, body: `{"error":"unsupported_grant_type"}`},
		{name: "unauthorized, without a code", status: 401, body: "no such client"},
		{name: "bad request", fault: "status:400"},
		{name: "sign-in page", fault: "html"},
		{
			name: "forbidden by a gateway", status: http.StatusForbidden,
			header: http.Header{"Content-Type": {"text/html"}}, body: "<h1>Just a moment",
		},
		{
			name: "another token", status: http.StatusBadRequest, // in a member with an unusual name
			body: `{"error":"invalid_grant","bearer":"canary"}`,
		},
		{name: "not found", fault: "status:404"},
		{name: "redirected", fault: "redirect:302:https://sso.example.com/"},
		{name: "another response", fault: `json:{"accessToken":"canary","message":"success"}`},
		{name: "not a Bearer token", fault: `json:{"access_token":"x","token_type":"mac"}`},
		{name: "no token", fault: `json:{"token_type":"Bearer"}`},
		{name: "too many requests", fault: "status:429,repeat"},
		{name: "server error", fault: "status:500,repeat"},
		{name: "no response", fault: "hang,repeat"},
		{name: "no response in time", fault: "hang,repeat", deadline: 10 * time.Second},
	}),
	[]failure{
		{
			name: "check: invalid_client", target: "token", status: 401,
			body: `{"error":"invalid_client"}`, check: true,
		},
	},
	each("lookup", func(f *failure) { f.target = "studies" }, []failure{
		{name: "not found", fault: "status:404"},
		{name: "sign-in page", fault: "html"},
		{name: "server error", fault: "status:500,repeat"},
		{name: "no response in time", fault: "status:429,hang", deadline: 10 * time.Second},
		{name: "response truncated", fault: "truncate,repeat"},
	}),
)

// each names failures of one kind, and sets what they have in common.
func each(kind string, set func(*failure), all []failure) []failure {
	for i := range all {
		all[i].name = kind + ": " + all[i].name
		set(&all[i])
	}
	return all
}

// run causes the failure for a new client, under a fake clock, and returns the diagnostic.
func (f failure) run(t *testing.T) diag.Diagnostic {
	t.Helper()
	if f.key != "" {
		f.keyHeader = keyHeader
	}
	target := cmp.Or(f.target, "submission")
	e, server := emulatortest.New(t, emulator.Config{Faults: emulator.Faults{target: f.fault}})
	path := map[string]string{"submission": "/notifications/v1", "token": "/oauth2/token"}[target]
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if f.status == 0 || r.URL.Path != path {
			e.ServeHTTP(w, r)
			return
		}
		maps.Copy(w.Header(), f.header)
		w.WriteHeader(f.status)
		_, _ = io.WriteString(w, f.body) // fails when the client has gone
	})
	network := memnet.Serve(t, server)
	t.Cleanup(e.Close)
	root := &url.URL{Scheme: "http", Host: "notifications.example.com"}
	service := client.New(client.Config{
		TokenURL:             root.JoinPath("oauth2/token"),
		NotificationsURL:     root.JoinPath("notifications/v1"),
		StudiesURL:           root.JoinPath("studies/v1"),
		ClientID:             emulatortest.ClientID,
		ClientSecret:         testSecret,
		MaxRetries:           4,
		IdempotencyKeyHeader: f.keyHeader,
		Options: wire.Options{
			RequestTimeout: 30 * time.Second,
			Dial: func(ctx context.Context, transport, address string) (net.Conn, error) {
				if f.dial != nil && e.Ledger().TokenRequests > 0 {
					return nil, f.dial
				}
				return network.Dial(ctx, transport, address)
			},
		},
	})
	defer time.Sleep(client.DefaultTimeout) // a token may still be fetched for others
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if f.dial != nil { // after the token was fetched, by a lookup
		if _, _, err := service.LookUpStudies(ctx, "ATLAS"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute) // until its connection is closed
	}
	if f.deadline > 0 {
		ctx, cancel = context.WithTimeout(ctx, f.deadline)
		defer cancel()
	}
	if f.cancel > 0 {
		defer time.AfterFunc(f.cancel, cancel).Stop()
	}
	if f.check {
		var diags diag.Diagnostics
		data := providerData{client: service, guides: released, wantsCheck: true}
		data.checkCredentials(ctx, &diags)
		return diags[0]
	}
	if f.target == "studies" {
		_, _, err := service.LookUpStudies(ctx, "ATLAS")
		return failedRequest("Unable to look up studies", err, "")
	}
	by := submitter{isAction: f.action, atMostOnce: f.atMost, ownKey: f.key != "", guides: released}
	request := client.NotificationRequest{
		Priority: "HIGH", Channels: []client.Channel{{Type: "slack"}},
	}
	receipt, err := service.SubmitNotification(ctx, request, f.key)
	if err != nil {
		return failedSubmission(requestError(err), by)
	}
	return receiptWarning(receipt, by)
}
