package client

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/notification/terraform-provider-notification/internal/client/wire"
)

// A late 401 does not drop a newer token: the request is retried with that token, unless the newer
// one was rejected too.
func TestLate401KeepsNewerToken(t *testing.T) {
	t.Parallel()
	for faults, test := range map[string]struct{ tokens, accepted int }{
		"revoke": {2, 2}, "revoke,status:401": {3, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			env := newTestEnv(t, testConfig())
			fetchToken(t, env.client)
			env.setFaults(t, "submission", faults)
			for _, latency := range []time.Duration{time.Second, 10 * time.Second} {
				env.latency.Store(int64(latency))
				go func() {
					_, err := env.client.SubmitNotification(t.Context(), testNotification(), "")
					if err != nil && (test.accepted == 2 || asError(t, err).Status != http.StatusUnauthorized) {
						t.Errorf("%s: %v", faults, err)
					}
				}()
				synctest.Wait()
			}
			env.latency.Store(0)
			time.Sleep(time.Minute)
			fetchToken(t, env.client)
			ledger := env.Ledger()
			if ledger.TokenRequests != test.tokens || ledger.SubmissionRequests != 4 ||
				ledger.Notifications != test.accepted {
				t.Errorf("%s: %d tokens, %d submissions, %d accepted; want %+v of 4", faults,
					ledger.TokenRequests, ledger.SubmissionRequests, ledger.Notifications, test)
			}
		})
	}
}

// Send does not modify the request: no token remains in its header.
func TestSendDoesNotModifyRequest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, service := newClient(t, testConfig())
		request := wire.Request{Method: http.MethodGet, URL: c.config.StudiesURL, Header: http.Header{}}
		attempt := c.api.Send(t.Context(), request)
		if attempt.Err != nil || len(request.Header) > 0 ||
			at(t, service.requests, 1).Header.Get("Authorization") != "Bearer earlier" {
			t.Errorf("%+v, header %v", attempt, request.Header)
		}
	})
}

// A token that was rejected before is a secret still: an id that contains it is not usable.
func TestRejectedTokenIsNoID(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, _ := scripted(t, testConfig(), "401", "200\n\n"+`{"access_token":"newer"}`,
			"201\n\n"+`{"notification_id":"earlier-access-token"}`)
		c.tokens.current.Store(&Token{Value: "earlier-access-token"})
		c.secrets.Add("earlier-access-token")
		receipt, err := c.SubmitNotification(t.Context(), testNotification(), "")
		checkOutcome(t, receipt, err, accepted, "repeats a secret")
	})
}

// Some gateways reject a token with 403. Without that reason, a 403 is about what the token allows.
func TestTokenRejectedWith403(t *testing.T) {
	t.Parallel()
	const forbidden = "403\nContent-Type: text/html\nWWW-Authenticate: "
	for challenge, test := range map[string]struct {
		refusals, requests int // requests include one for a new token
		succeeds           bool
	}{
		`Bearer error="invalid_token"`:                                   {1, 3, true},
		"Basic realm=x\nWWW-Authenticate: Bearer x, Error=invalid_token": {1, 3, true},
		`Bearer error = "invalid_token", error_description="x"`:          {2, 3, false},
		`Bearer error="insufficient_scope"`:                              {1, 1, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			refusal := forbidden + challenge + "\n\n<html>"
			c, service := scripted(t, testConfig(), refusal, ok, []string{ok, refusal}[test.refusals-1])
			err := submit(t, c)
			if got := len(service.requests); got != test.requests || (err == nil) != test.succeeds {
				t.Errorf("%s: %d requests, %v", challenge, got, err)
			}
			if test.refusals == 2 && asError(t, err).Reason != TokenRejected {
				t.Errorf("%s: %v", challenge, err)
			}
		})
	}
}
