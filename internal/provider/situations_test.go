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
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"terraform-provider-notification/internal/client"
	"terraform-provider-notification/internal/emulator"
)

// circumstances are what several situations have in common.
type circumstances struct {
	name   string
	target string // of the faults; empty for the submission

	action         bool // or the resource
	check          bool // check_credentials
	atMost         bool // delivery = "at_most_once"
	keyHeader, key string
	dial           error         // error of every dial, except for the token
	cancel         time.Duration // when the run is cancelled
	deadline       time.Duration
	responds       http.HandlerFunc // in place of the target; nil: nothing does

	situations []situation
}

// situation is something that goes wrong, and whether the notification was submitted then.
type situation struct{ name, fault, submitted string }

// failures are the situations of the golden file.
func failures() []circumstances {
	const yes, no, unknown = "yes", "no", "unknown"
	const own, lost = "checkout-1.4.2-canary", "reset-after,repeat"
	unreachable := func(name string, err error) circumstances {
		return circumstances{name: "submission", dial: err, situations: []situation{{name, "", no}}}
	}
	badGateway := responding(http.StatusBadGateway, "<!DOCTYPE html><title>Sign in</title>"+
		"<h1>Sign in</h1><button>Sign in</button>")
	oauthError := func(status int, code string) circumstances {
		return circumstances{
			name: "token", target: "token", situations: []situation{{code, "", no}},
			responds: responding(status, `{"error":"`+code+`","error_description":"an injected fault"}`),
		}
	}
	invalidClient := oauthError(http.StatusUnauthorized, "invalid_client")
	return []circumstances{
		{name: "submission", situations: []situation{
			{"the service rejects the content", "status:422", no},
			{"bad request", "status:400", no},
			{"new access tokens are rejected too", "status:401,repeat", no},
			{"forbidden", "status:403", no},
			{"not found", "status:404", no},
			{"conflict", "status:409", no},
			{"too large", "status:413", no},
			{"too many requests for too long", "status:429,repeat", no},
			{"too long to wait", "status:503:600", no},
			{"redirected", "redirect:307:https://elsewhere.example.com/v1?key=1", no},
			{"see other", "redirect:303:https://elsewhere.example.com/v1/1", unknown},
			{"sign-in page", "html", no},
			{"server error", "status:500", unknown},
		}},
		{name: "submission", responds: badGateway, situations: []situation{
			{"bad gateway", "", unknown},
		}},
		{name: "submission", situations: []situation{
			{"unavailable, without Retry-After", "status:503", unknown},
			{"no answer", "hang", unknown},
			{"accepted, answer empty", "empty", yes},
			{"accepted, answer without id", `json-after:{"status":"accepted"}`, yes},
			{"accepted, answer broken off", "truncate", yes},
		}},
		unreachable("the service cannot be reached",
			&net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connect: connection refused")}),
		unreachable("the certificate is not trusted",
			&tls.CertificateVerificationError{Err: x509.UnknownAuthorityError{}}),
		unreachable("a client certificate is required",
			&net.OpError{Op: "remote error", Err: tls.AlertError(116)}),
		{name: "submission", cancel: time.Second, situations: []situation{
			{"cancelled during a wait", "status:429:60", no},
			{"cancelled, and no answer in the grace", "hang", unknown},
		}},
		{name: "submission", deadline: 10 * time.Second, situations: []situation{
			{"timeouts.create is reached", "hang", unknown},
		}},
		{name: "action", action: true, situations: []situation{
			{"forbidden", "status:403", no},
			{"no answer", "hang", unknown},
			{"accepted, answer empty", "empty", yes},
		}},
		{name: "at most once", atMost: true, responds: badGateway, situations: []situation{
			{"bad gateway", "", unknown},
		}},
		{name: "random key", keyHeader: keyHeader, situations: []situation{
			{"no answer", lost, unknown},
			{"conflict", "status:409,repeat", unknown},
		}},
		{name: "random key in X-Request-ID", keyHeader: "X-Request-ID", situations: []situation{
			{"no answer", lost, unknown},
		}},
		{name: "random key, at most once", keyHeader: keyHeader, atMost: true, situations: []situation{
			{"no answer", lost, unknown},
		}},
		{name: "own key", keyHeader: keyHeader, key: own, situations: []situation{
			{"no answer", lost, unknown},
			{"no answer, then rejected", "reset-after,status:400", unknown},
			{"no answer, then a sign-in page", "reset-after,html", unknown},
			{"no answer, then forbidden", "reset-after,status:403", unknown},
			{"no answer, then too many requests", "reset-after,status:429:600", unknown},
			{"no answer, then the content rejected", "reset-after,status:422", unknown},
			{"no answer, then too large", "reset-after,status:413", unknown},
			{"conflict", "status:409,repeat", unknown},
			{"the service rejects the content", "status:422", no},
			{"forbidden", "status:403", no},
		}},
		{name: "own key", keyHeader: keyHeader, key: own, cancel: time.Second / 10,
			situations: []situation{
				{"no answer, then cancelled before a retry", "reset-after", unknown},
			}},
		{name: "own key", keyHeader: keyHeader, key: own, cancel: 3 * time.Second,
			situations: []situation{
				{"no answer, then cancelled", "reset-after,status:429:60", unknown},
			}},
		{name: "own key, at most once", keyHeader: keyHeader, key: own, atMost: true,
			situations: []situation{
				{"no answer", lost, unknown},
				{"no answer, then rejected", "reset-after,status:400", unknown},
				{"conflict", "status:409,repeat", unknown},
			}},
		{name: "own key, action", keyHeader: keyHeader, key: own, action: true,
			situations: []situation{
				{"no answer", lost, unknown},
				{"no answer, then rejected", "reset-after,status:400", unknown},
				{"the service rejects the content", "status:422", no},
			}},
		invalidClient,
		oauthError(http.StatusBadRequest, "invalid_scope"),
		oauthError(http.StatusBadRequest, "unauthorized_client"),
		{name: "token", target: "token", situations: []situation{
			{"sign-in page", "html", no},
			{"not found", "status:404", no},
			{"redirected", "redirect:307:https://elsewhere.example.com/oauth2/token", no},
			{"not a Bearer token", `json:{"access_token":"x","token_type":"mac"}`, no},
			{"no token", `json:{"token_type":"Bearer"}`, no},
			{"too many requests", "status:429,repeat", no},
			{"server error", "status:500,repeat", no},
			{"no answer", "hang,repeat", no},
		}},
		{name: "token", target: "token", deadline: 10 * time.Second, situations: []situation{
			{"no answer in time", "hang,repeat", no},
		}},
		{name: "check", target: "token", check: true, responds: invalidClient.responds,
			situations: invalidClient.situations},
		{name: "check", target: "token", check: true, situations: []situation{
			{"no answer", "hang,repeat", no},
		}},
		{name: "check", target: "token", check: true, cancel: time.Second, situations: []situation{
			{"cancelled", "hang", no},
		}},
		{name: "lookup", target: "studies", situations: []situation{
			{"not found", "status:404", no},
			{"server error", "status:500,repeat", no},
			{"redirected elsewhere", "redirect:307:https://elsewhere.example.com/v1", no},
			{"sign-in page", "html", no},
			{"no answer", "hang,repeat", no},
			{"answer broken off", "truncate,repeat", no},
		}},
	}
}

func responding(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body) // fails when the client has gone
	}
}

// planned is what a plan says about what it sends.
type planned struct {
	name string
	said diag.Diagnostic
}

// plans are the plans of the golden file.
func plans(ctx context.Context) (all []planned) {
	two, maybe := newChannels(types.StringValue("two")), types.StringUnknown()
	key := types.StringValue("checkout-1.4.2-canary")
	keyed := func(m *notificationModel) { m.IdempotencyKey = key }
	submitted := func(m *notificationModel) { m.NotificationID = types.StringValue("n-1") }
	moved := func(triggers types.Map) edit {
		return func(m *notificationModel) {
			*m = notificationModel{Triggers: triggers}
			m.Channels = types.ListNull(two.ElementType(ctx))
		}
	}
	channels := func(m *notificationModel) { m.Channels = two }
	both := edits(channels, func(m *notificationModel) { m.Priority = maybe })
	undecided := edits(channels, func(m *notificationModel) { m.ResendOnChange = types.BoolUnknown() })
	release := func(m *notificationModel) { m.Triggers = triggers("2") }
	unconfirmed := func(m *notificationModel) { m.Confirmed = types.BoolValue(false) }
	for _, p := range []struct {
		name        string
		state, plan edit // of what exists
	}{
		{"channels change", submitted, channels},
		{"channels change, priority may change", nil, both},
		{"channels change under the same key", keyed, edits(keyed, channels)},
		{"channels change, resend_on_change is unknown", nil, undecided},
		{"channels change under the same key, resend_on_change is unknown", keyed,
			edits(keyed, undecided)},
		{"a replacement under the same key", keyed, edits(keyed, release)},
		{"a replacement of an unconfirmed one under the same key", edits(keyed, unconfirmed),
			edits(keyed, release)},
		{"moved, without triggers that can be taken over", moved(types.MapNull(types.StringType)), nil},
		{"moved, without triggers", moved(types.MapValueMust(types.StringType, nil)), nil},
		{"moved, with triggers of other names", moved(types.MapValueMust(types.StringType,
			map[string]attr.Value{"run": types.StringValue("1")})), nil},
	} {
		state, plan := p.state.to(existing()), p.plan.to(existing())
		for _, said := range plan.decide(ctx, state).diagnostics(state) {
			all = append(all, planned{p.name, said})
		}
	}
	one := path.Root("channels").AtListIndex(0)
	return append(all,
		planned{"a channel without recipient",
			incompleteWarning("Channel without recipient", []path.Path{one}, "recipient")})
}

// gateway is before the emulator, and may respond in place of the target.
func (c circumstances) gateway(next http.Handler) http.Handler {
	path := map[string]string{"": "/notifications/v1", "token": "/oauth2/token"}[c.target]
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c.responds != nil && r.URL.Path == path {
			c.responds(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// happen causes fault for a client of its own, under a fake clock. It returns the diagnostic, and
// whether the notification was submitted.
func (c circumstances) happen(t *testing.T, fault string) (d diag.Diagnostic, submitted string) {
	t.Helper()
	var e *emulator.Emulator // which config.Dial looks at
	faults := emulator.Faults{cmp.Or(c.target, "submission"): fault}
	service, e := newClientInMemory(t, faults, c.gateway, func(config *client.Config) {
		config.IdempotencyKeyHeader = c.keyHeader
		dial := config.Dial
		config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
			if c.dial != nil && e.Ledger().TokenRequests > 0 {
				return nil, c.dial
			}
			return dial(ctx, network, address)
		}
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
		data := providerData{client: service}
		data.check.wanted = true
		data.checkCredentials(ctx, &diags)
		return diags[0], "no"
	}
	if c.target == "studies" {
		_, _, err := service.Studies(ctx, "ATLAS")
		return failedRequest("Unable to look up studies", "", err, ""), "no"
	}
	then := resourceAdvice
	if c.action {
		then = actionAdvice
	}
	request := client.NotificationRequest{
		Priority: "HIGH", Channels: []client.Channel{{Type: "slack"}},
	}
	receipt, err := service.SubmitNotification(ctx, request, c.key)
	failed := requestError(err)
	switch {
	case err == nil:
		return missingID(receipt, then), "yes"
	case !failed.Ambiguous:
		return failedSubmission(failed, then), "no"
	case c.atMost:
		return unconfirmedSubmission(failed), "unknown"
	default:
		return failedSubmission(failed, then), "unknown"
	}
}
