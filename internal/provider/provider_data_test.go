package provider

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/notification/terraform-provider-notification/internal/emulator"
)

// planAction returns the diagnostics of the action's plan.
func (s *testServer) planAction(t *testing.T, given map[string]any) []*tfprotov6.Diagnostic {
	t.Helper()
	return must(s.PlanAction(t.Context(), &tfprotov6.PlanActionRequest{
		ActionType: "notification_send",
		Config:     s.value(t, s.schema.ActionSchemas["notification_send"].Schema, given),
	})).Diagnostics
}

// However much is planned, there is one token request, and its failure is reported once.
func TestCheckCredentials(t *testing.T) {
	t.Parallel()
	for secret, want := range map[string]string{testSecret: "", "canary-wrong": "invalid_client"} {
		b := newBackend(t, emulator.Config{})
		checked := map[string]any{"check_credentials": true, "client_secret": secret}
		given := arguments(t, anAnnouncement+`}`)
		onlySays(t, secret+", an action", b.configure(t, checked).planAction(t, given), want)
		b.requested(t, "token")
		s := b.configure(t, checked)
		var plans sync.WaitGroup
		var found [40][]*tfprotov6.Diagnostic
		for i := range 20 {
			plans.Go(func() { found[i] = s.plan(t, nil, given).Diagnostics })
			plans.Go(func() { found[20+i] = s.planAction(t, given) })
		}
		plans.Wait()
		b.requested(t, "token") // else there are as many errors
		onlySays(t, secret, slices.Concat(found[:]...), want)
	}
}

// No token is requested if a setting is unknown, or if the plan fails anyway. Only a creation is
// checked: Terraform plans a replacement as one too, and a change in place submits nothing.
func TestCheckCredentials_skipped(t *testing.T) {
	t.Parallel()
	b := newBackend(t, emulator.Config{})
	created := b.configure(t, nil).create(t, arguments(t, anAnnouncement+`}`))
	b.ClearLedger()
	for _, test := range []struct {
		check, secret any
		prior         *tfprotov6.DynamicValue
		more, says    string
	}{
		{true, "?", nil, ``, ""},
		{"?", testSecret, nil, ``, ""},
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
		b.requested(t)
	}
}

// An idempotency key without idempotency_key_header is an error, in the plan and before a request.
func TestKey_needsTheSetting(t *testing.T) {
	t.Parallel()
	const refused = "idempotency_key: ... NOTIFICATION_IDEMPOTENCY_KEY_HEADER"
	announced := newTestServer(t)
	created := announced.create(t, arguments(t, anAnnouncement+"}"))
	announced.requested(t, "submission", "token")
	for name, test := range map[string]struct {
		key, setting any
		want         string
	}{
		"key and setting":   {"one", keyHeader, ""},
		"no key":            {nil, "", ""},
		"key alone":         {"one", nil, refused},
		"unknown key":       {"?", nil, refused},
		"setting not known": {"one", "?", ""},
	} {
		s := newBackend(t, emulator.Config{}).
			configure(t, map[string]any{"idempotency_key_header": test.setting})
		given := arguments(t, anAnnouncement+"}")
		given["idempotency_key"] = test.key
		planned := s.plan(t, nil, given)
		onlySays(t, name, planned.Diagnostics, test.want)
		onlySays(t, name+", in place", s.plan(t, created, given).Diagnostics, test.want)
		onlySays(t, name+", action", s.planAction(t, given), test.want)
		if test.key == "one" && test.want == refused {
			onlySays(t, name+", applied", s.apply(t, planned).Diagnostics, test.want)
			_, invoked := s.invoke(t.Context(), t, given)
			onlySays(t, name+", invoked", invoked.Diagnostics, test.want)
		}
		s.requested(t)
	}
}

func TestKey_isWhatAnyHeaderCanCarry(t *testing.T) {
	t.Parallel()
	for key, valid := range map[string]bool{
		"a": true, "checkout/1.4.2~!": true, strings.Repeat("x", 255): true,
		"": false, "a b": false, " a": false, "a\n": false, "ä": false, "a\x7f": false,
		"a\xff": false, strings.Repeat("x", 256): false,
	} {
		if got := validKey().valid(key); got != valid {
			t.Errorf("%q: %t", key, got)
		}
	}
}
