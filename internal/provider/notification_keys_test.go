package provider

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-notification/internal/emulator"
)

const (
	keyHeader = "Idempotency-Key"
	underOne  = anAnnouncement + `,"idempotency_key":"canary-one","triggers":{"a":"1"}`
)

// newKeyedWire is a provider and a service that recognises keys.
func newKeyedWire(t *testing.T) (*wire, *backend) {
	t.Helper()
	b := newBackend(t, func(c *emulator.Config) { c.IdempotencyKeyHeader = keyHeader })
	return b.newKeyedWire(t), b
}

// newKeyedWire is one more configured provider, as for another command.
func (b *backend) newKeyedWire(t *testing.T) *wire {
	t.Helper()
	return newWireWith(t, b, map[string]any{"idempotency_key_header": keyHeader})
}

// holds fails the test unless the service holds that many notifications, however many requests there
// were for them.
func (b *backend) holds(t *testing.T, want int) {
	t.Helper()
	if got := len(b.Ledger().Submissions); got != want {
		t.Errorf("%d notifications, want %d", got, want)
	}
}

// recognised reports whether the only diagnostic is the warning that nobody was notified again.
func recognised(diagnostics []*tfprotov6.Diagnostic, id any) bool {
	return len(diagnostics) == 1 &&
		diagnostics[0].Severity == tfprotov6.DiagnosticSeverityWarning &&
		diagnostics[0].Summary == "Nobody was notified again (notification_id "+id.(string)+")"
}

// A key that could not be sent is an error in the plan, and before the request where the plan could
// not know it.
func TestKey_needsTheSetting(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		key, setting any
		refused      bool
	}{
		"key and setting":   {"one", keyHeader, false},
		"no key":            {nil, "", false},
		"key alone":         {"one", nil, true},
		"unknown key":       {tftypes.UnknownValue, nil, true},
		"setting not known": {"one", tftypes.UnknownValue, false},
	} {
		b := newBackend(t, nil)
		w := newWireWith(t, b, map[string]any{"idempotency_key_header": test.setting})
		given := arguments(t, anAnnouncement+"}")
		given["idempotency_key"] = test.key
		for what, diagnostics := range map[string][]*tfprotov6.Diagnostic{
			"resource": w.planAny(t, nil, given).Diagnostics, "action": w.planAction(t, given),
		} {
			if (len(diagnostics) > 0) != test.refused || test.refused &&
				(diagnostics[0].Attribute.String() != `AttributeName("idempotency_key")` ||
					!strings.Contains(diagnostics[0].Detail,
						"NOTIFICATION_IDEMPOTENCY_KEY_HEADER")) {
				t.Errorf("%s, %s: %+v", name, what, diagnostics)
			}
		}
		b.sent(t, 0)()
	}
}

func TestKey_validation(t *testing.T) {
	t.Parallel()
	b := newBackend(t, nil)
	w := newWire(t, b)
	for key, valid := range map[string]bool{
		"a": true, "checkout/1.4.2~!": true, strings.Repeat("x", 255): true,
		"": false, "a b": false, " a": false, "a\n": false, "ä": false, "a\x7f": false,
		"a\xff": false, strings.Repeat("x", 256): false,
	} {
		given := arguments(t, anAnnouncement+"}")
		given["idempotency_key"] = key
		found := w.validate(t, given)
		if (len(found) == 0) != valid || !valid && key != "" && strings.Contains(found[0], key) {
			t.Errorf("%q: %q", key, found)
		}
	}
}

// A replacement under the key of the old notification would notify nobody, so it is an error.
func TestKey_replacement(t *testing.T) {
	t.Parallel()
	w, b := newKeyedWire(t)
	created := w.create(t, arguments(t, underOne+"}"))
	if strings.Contains(string(created.Private), "canary") {
		t.Errorf("the private state holds the key: %s", created.Private)
	}
	b.ClearLedger()
	for more, want := range map[string]string{
		``:                      "",
		`,"triggers":{"a":"2"}`: "Idempotency key was already used: ",
		`,"triggers":{"a":"2"},"idempotency_key":"two"`: "",
		`,"priority":"BATCH"`:                           "change idempotency_key, now or later",
	} {
		p := b.newKeyedWire(t).planAny(t, created, arguments(t, underOne+more+"}"))
		got := strings.Join(described(t, p.Diagnostics), "\n")
		if (got == "") != (want == "") || len(p.Diagnostics) > 1 || !strings.Contains(got, want) ||
			strings.Contains(got, "canary") {
			t.Errorf("%s: %s", more, got)
		}
		if strings.Contains(more, "priority") && strings.Contains(got, "change triggers") {
			t.Errorf("triggers alone would be an error: %s", got)
		}
	}
	b.sent(t, 0)()
}

// What the provider cannot see in a plan it notices by the id: -replace, in either order of creation
// and destroy, two resources under one key, and an action that is invoked again.
func TestKey_recognised(t *testing.T) {
	t.Parallel()
	t.Run("destroyed and created", func(t *testing.T) {
		t.Parallel()
		w, b := newKeyedWire(t)
		created := w.create(t, arguments(t, underOne+"}"))
		id := w.attribute(t, created.NewState, "notification_id")
		// Another process than the one that created it.
		w = b.newKeyedWire(t)
		if got := w.delete(t, created); len(got) > 0 {
			t.Errorf("%+v", got)
		}
		again := w.create(t, arguments(t, underOne+"}"))
		if !recognised(again.Diagnostics, id) ||
			w.attribute(t, again.NewState, "notification_id") != id ||
			w.attribute(t, again.NewState, "confirmed") != true {
			t.Errorf("%+v", again.Diagnostics)
		}
		b.holds(t, 1)
	})
	t.Run("created and destroyed", func(t *testing.T) {
		t.Parallel()
		w, b := newKeyedWire(t)
		created := w.create(t, arguments(t, underOne+"}"))
		id := w.attribute(t, created.NewState, "notification_id")
		w = b.newKeyedWire(t)
		if again := w.create(t, arguments(t, underOne+"}")); len(again.Diagnostics) > 0 {
			t.Errorf("%+v", again.Diagnostics)
		}
		if got := w.delete(t, created); !recognised(got, id) {
			t.Errorf("%+v", got)
		}
	})
	t.Run("two resources", func(t *testing.T) {
		t.Parallel()
		w, b := newKeyedWire(t)
		one := w.create(t, arguments(t, underOne+"}"))
		two := w.create(t, arguments(t, underOne+"}"))
		id := w.attribute(t, one.NewState, "notification_id")
		if len(one.Diagnostics) > 0 || !recognised(two.Diagnostics, id) {
			t.Errorf("%+v", two.Diagnostics)
		}
		w = b.newKeyedWire(t)
		for _, created := range []*tfprotov6.ApplyResourceChangeResponse{one, two} {
			if got := w.delete(t, created); len(got) > 0 {
				t.Errorf("a destroy warns: %+v", got)
			}
		}
		b.holds(t, 1)
	})
	t.Run("action", func(t *testing.T) {
		t.Parallel()
		w, b := newKeyedWire(t)
		const underTwo = anAnnouncement + `,"idempotency_key":"canary-two"}`
		_, first := w.invoke(t.Context(), t, underTwo)
		progress, second := w.invoke(t.Context(), t, underTwo)
		id := b.Ledger().Submissions[0].NotificationID
		if len(first.Diagnostics) > 0 || !recognised(second.Diagnostics, id) ||
			!strings.HasPrefix(progress[1], "Nobody was notified again") {
			t.Errorf("%+v, %q", second.Diagnostics, progress)
		}
		b.holds(t, 1)
	})
}

// A lost answer is fetched under the same key, and one that stays lost is kept as delivery says,
// with the ids of the first attempt.
func TestKey_lostAnswers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ fault, more, summary string }{
		"lost once": {"reset-after", "", ""},
		"lost, then rejected, at most once": {
			"reset-after,status:400", `,"delivery":"at_most_once"`,
			"Notification stored as unconfirmed (request id ",
		},
	} {
		for _, key := range []string{"", `,"idempotency_key":"canary-key"`} {
			t.Run(name+key, func(t *testing.T) {
				t.Parallel()
				w, b := newKeyedWire(t)
				if err := b.SetFaults(emulator.Faults{"submission": test.fault}); err != nil {
					t.Fatal(err)
				}
				resp := w.apply(t, anAnnouncement+test.more+key+"}")
				ledger := b.Ledger()
				if !w.isStored(t, resp) || (len(resp.Diagnostics) == 0) != (test.summary == "") ||
					ledger.SubmissionRequests != 2 || len(ledger.Submissions) != 1 {
					t.Fatalf("after %d requests: %+v", ledger.SubmissionRequests, resp.Diagnostics)
				}
				first := ledger.Submissions[0]
				if test.summary == "" {
					if w.attribute(t, resp.NewState, "notification_id") != first.NotificationID {
						t.Error("another id than the service's")
					}
					return
				}
				d := resp.Diagnostics[0]
				if !strings.HasPrefix(d.Summary, test.summary) ||
					!strings.Contains(d.Detail, "request id "+first.RequestID) ||
					strings.Contains(d.Detail, "canary") {
					t.Errorf("%+v, first request %s", d, first.RequestID)
				}
			})
		}
	}
}
