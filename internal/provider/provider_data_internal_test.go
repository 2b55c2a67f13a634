package provider

import (
	"fmt"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// tokens checks how many token requests were made since the last check, and that there were no
// other requests.
func (b *backend) tokens(t *testing.T, want int) {
	t.Helper()
	ledger := b.Ledger()
	if ledger.TokenRequests != want || len(ledger.Requests) != want {
		t.Errorf("%d token requests, want %d; %d requests", ledger.TokenRequests, want,
			len(ledger.Requests))
	}
	b.ClearLedger()
}

// planAction returns the diagnostics of the action's plan.
func (s *testServer) planAction(t *testing.T, given map[string]any) []*tfprotov6.Diagnostic {
	t.Helper()
	return must(s.PlanAction(t.Context(), &tfprotov6.PlanActionRequest{
		ActionType: "notification_send", Config: s.action(t, given),
	})).Diagnostics
}

// However much is planned, there is one token request, and its failure is reported once. Later
// requests of the plan use the same token.
func TestCheckCredentials(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		secret                 string
		notifications, actions int
		failures               int
	}{
		{testSecret, 20, 20, 0},
		{"canary-wrong", 20, 20, 1},
		{"canary-wrong", 0, 1, 1},
	} {
		b := newBackend(t, nil)
		s := b.configure(t, map[string]any{"check_credentials": true, "client_secret": test.secret})
		found := make(chan *tfprotov6.Diagnostic, 40)
		collect := func(diagnostics []*tfprotov6.Diagnostic) {
			for _, d := range diagnostics {
				found <- d
			}
		}
		given := arguments(t, anAnnouncement+`}`)
		var plans sync.WaitGroup
		for range test.notifications {
			plans.Go(func() { collect(s.plan(t, nil, given).Diagnostics) })
		}
		for range test.actions {
			plans.Go(func() { collect(s.planAction(t, given)) })
		}
		plans.Wait()
		if len(found) != test.failures {
			t.Fatalf("%+v: %d diagnostics", test, len(found))
		}
		b.tokens(t, 1)
		if test.failures == 0 {
			_, opened := s.open(t, map[string]any{})
			onlySays(t, "a token", opened, "")
			b.tokens(t, 0)
			continue
		}
		onlySays(t, test.secret, []*tfprotov6.Diagnostic{<-found}, "invalid_client")
	}
}

// No token is requested if a setting is unknown, or if the plan fails anyway. Only a creation is
// checked: Terraform plans a replacement as one too, and a change in place submits nothing.
func TestCheckCredentials_skipped(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	created := b.configure(t, nil).update(t, nil, arguments(t, anAnnouncement+`}`))
	b.ClearLedger()
	for _, test := range []struct {
		check, secret any
		prior         *tfprotov6.DynamicValue
		more, says    string
	}{
		{true, tftypes.UnknownValue, nil, ``, ""},
		{tftypes.UnknownValue, testSecret, nil, ``, ""},
		{true, testSecret, nil, `,"idempotency_key":"a"`, "Missing provider setting"},
		{true, testSecret, created, ``, ""},
		{true, testSecret, created, `,"priority":"BATCH"`, "Warning: ... not sent by themselves"},
		{true, testSecret, created, `,"triggers":{"a":"1"}`, ""},
	} {
		s := b.configure(t, map[string]any{"check_credentials": test.check, "client_secret": test.secret})
		given := arguments(t, anAnnouncement+test.more+`}`)
		what := fmt.Sprintf("%v %s", test.check, test.more)
		onlySays(t, what, s.plan(t, test.prior, given).Diagnostics, test.says)
		if test.prior == nil {
			onlySays(t, what+", action", s.planAction(t, given), test.says)
		}
		b.tokens(t, 0)
	}
}
