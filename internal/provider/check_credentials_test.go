package provider

import (
	"context"
	"maps"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-notification/internal/client"
	"terraform-provider-notification/internal/emulator"
)

// asked checks how many token requests were made since the last check, and that nothing else was.
func (b *backend) asked(t *testing.T, tokens int) {
	t.Helper()
	ledger := b.Ledger()
	if ledger.TokenRequests != tokens || len(ledger.Requests) != tokens {
		t.Errorf("%d token requests, want %d; %d requests", ledger.TokenRequests, tokens,
			len(ledger.Requests))
	}
	b.ClearLedger()
}

// planAction are the diagnostics of the action's plan.
func (w *wire) planAction(t *testing.T, given map[string]any) []*tfprotov6.Diagnostic {
	t.Helper()
	return must(w.PlanAction(t.Context(), &tfprotov6.PlanActionRequest{
		ActionType: "notification_send", Config: w.action(t, given),
	})).Diagnostics
}

// planMany plans notifications and actions at the same time.
func (w *wire) planMany(
	t *testing.T, notifications, actions int,
) (diagnostics []*tfprotov6.Diagnostic) {
	t.Helper()
	var mu sync.Mutex
	var plans sync.WaitGroup
	collect := func(found []*tfprotov6.Diagnostic) {
		mu.Lock()
		defer mu.Unlock()
		diagnostics = append(diagnostics, found...)
	}
	for range notifications {
		plans.Go(func() { collect(w.planAny(t, nil, arguments(t, anAnnouncement+`}`)).Diagnostics) })
	}
	for range actions {
		plans.Go(func() { collect(w.planAction(t, arguments(t, anAnnouncement+`}`))) })
	}
	plans.Wait()
	return diagnostics
}

// One token request however much is planned, whose failure is reported once. Its token is that of
// the plan's lookups.
func TestCheckCredentials(t *testing.T) {
	t.Parallel()
	check := map[string]any{"check_credentials": true}
	wrong := map[string]any{"check_credentials": true, "client_secret": "canary-wrong"}
	for name, test := range map[string]struct {
		settings               map[string]any
		fault                  string
		notifications, actions int
		tokens, failures       int
	}{
		"unset":              {nil, "", 20, 20, 0, 0},
		"right":              {check, "", 20, 20, 1, 0},
		"wrong":              {wrong, "", 20, 20, 1, 1},
		"wrong, one":         {wrong, "", 1, 0, 1, 1},
		"wrong, one action":  {wrong, "", 0, 1, 1, 1},
		"no answer, retried": {check, "close-before,repeat", 20, 20, 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBackend(t, faulty("token", test.fault))
			settings := map[string]any{"max_retries": 1.0}
			maps.Copy(settings, test.settings)
			w := b.wire(t, settings)
			found := w.planMany(t, test.notifications, test.actions)
			b.asked(t, test.tokens)
			if len(found) != test.failures {
				t.Fatalf("%d diagnostics: %+v", len(found), found)
			}
			if test.tokens == 1 && test.failures == 0 {
				if _, opened := w.open(t, map[string]any{}); len(opened) > 0 {
					t.Errorf("%+v", opened)
				}
				b.asked(t, 0)
			}
			if !strings.HasPrefix(name, "wrong") {
				return
			}
			text := described(t, found)[0] // the golden file has the other words
			if strings.HasPrefix(text, "Warning") || strings.Contains(text, "canary") ||
				strings.Count(text, "invalid_client") != 1 {
				t.Errorf("%s", text)
			}
		})
	}
}

// No request where a setting is not known, or where the plan fails anyway.
func TestCheckCredentials_skipped(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		settings map[string]any
		key      string
		failures int
	}{
		"unknown secret": {
			map[string]any{"check_credentials": true, "client_secret": tftypes.UnknownValue}, "", 0,
		},
		"unknown itself": {map[string]any{"check_credentials": tftypes.UnknownValue}, "", 0},
		"an error":       {map[string]any{"check_credentials": true}, `,"idempotency_key":"a"`, 1},
	} {
		b := newBackend(t, nil)
		w := b.wire(t, test.settings)
		given := arguments(t, anAnnouncement+test.key+`}`)
		for _, found := range [][]*tfprotov6.Diagnostic{
			w.planAny(t, nil, given).Diagnostics, w.planAction(t, given),
		} {
			if len(found) != test.failures {
				t.Errorf("%s: %+v", name, found)
			}
		}
		b.asked(t, 0)
	}
}

// Only a creation is checked: Terraform plans a replacement as one too, and a change in place
// submits nothing.
func TestCheckCredentials_changes(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	created := b.wire(t, nil).create(t, arguments(t, anAnnouncement+`}`))
	b.ClearLedger()
	w := b.wire(t, map[string]any{"check_credentials": true})
	for _, more := range []string{``, `,"priority":"BATCH"`, `,"triggers":{"a":"1"}`} {
		w.plan(t, created, arguments(t, anAnnouncement+more+`}`))
	}
	b.asked(t, 0)
}

// A cancelled check ends at once, and is reported once.
func TestCheckCredentials_cancelled(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, e := newClientInMemory(t, emulator.Faults{"token": "hang"}, nil,
			func(config *client.Config) { config.MaxRetries = 1 })
		data := &providerData{client: c}
		data.check.wanted = true
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		began := time.Now()
		var diags diag.Diagnostics
		data.checkCredentials(ctx, &diags)
		if waited := time.Since(began); len(diags) != 1 || waited > 3*time.Second ||
			!strings.Contains(diags[0].Detail(), "no response: the operation was cancelled.") {
			t.Errorf("%v after %s", diags, waited)
		}
		var again diag.Diagnostics
		data.checkCredentials(ctx, &again)
		time.Sleep(client.DefaultTimeout) // a request goes on, for others
		if got := e.Ledger().TokenRequests; len(again) > 0 || got > 2 {
			t.Errorf("%v, %d token requests", again, got)
		}
	})
}
