package provider

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"terraform-provider-notification/internal/emulator"
)

const (
	keyHeader = "Idempotency-Key"
	underOne  = anAnnouncement + `,"idempotency_key":"canary-one","triggers":{"a":"1"}`
)

// newKeyedWire is a provider and a service that recognises keys.
func newKeyedWire(t *testing.T) *wire {
	t.Helper()
	b := newBackend(t, func(c *emulator.Config) { c.IdempotencyKeyHeader = keyHeader })
	return b.newKeyedWire(t)
}

// newKeyedWire is one more configured provider, as for another command.
func (b *backend) newKeyedWire(t *testing.T) *wire {
	t.Helper()
	return b.wire(t, map[string]any{"idempotency_key_header": keyHeader})
}

// holds fails the test unless the service holds that many notifications, however many requests there
// were for them.
func (b *backend) holds(t *testing.T, want int) {
	t.Helper()
	if got := len(b.Ledger().Submissions); got != want {
		t.Errorf("%d notifications, want %d", got, want)
	}
}

// again is the warning that nobody was notified again.
func again(id any) string {
	return fmt.Sprintf("Warning: idempotency_key: Nobody was notified again (notification_id %s)", id)
}

// A key that could not be sent is an error in the plan, and before the request where the plan could
// not know it.
func TestKey_needsTheSetting(t *testing.T) {
	t.Parallel()
	const refused = "idempotency_key: ... NOTIFICATION_IDEMPOTENCY_KEY_HEADER"
	for name, test := range map[string]struct {
		key, setting any
		want         string
	}{
		"key and setting":   {"one", keyHeader, ""},
		"no key":            {nil, "", ""},
		"key alone":         {"one", nil, refused},
		"unknown key":       {tftypes.UnknownValue, nil, refused},
		"setting not known": {"one", tftypes.UnknownValue, ""},
	} {
		w := newBackend(t, nil).wire(t, map[string]any{"idempotency_key_header": test.setting})
		given := arguments(t, anAnnouncement+"}")
		given["idempotency_key"] = test.key
		onlySays(t, name, w.planAny(t, nil, given).Diagnostics, test.want)
		onlySays(t, name+", action", w.planAction(t, given), test.want)
		w.sent(t, 0)()
	}
}

func TestKey_validation(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	for key, valid := range map[string]bool{
		"a": true, "checkout/1.4.2~!": true, strings.Repeat("x", 255): true,
		"": false, "a b": false, " a": false, "a\n": false, "ä": false, "a\x7f": false,
		"a\xff": false, strings.Repeat("x", 256): false,
	} {
		given := arguments(t, anAnnouncement+"}")
		given["idempotency_key"] = key
		found := described(t, w.validate(t, given))
		if (len(found) == 0) != valid || !valid && key != "" && strings.Contains(found[0], key) {
			t.Errorf("%q: %q", key, found)
		}
	}
}

// A replacement under the key of the old notification would notify nobody, so it is an error.
func TestKey_replacement(t *testing.T) {
	t.Parallel()
	w := newKeyedWire(t)
	created := w.create(t, arguments(t, underOne+"}"))
	if strings.Contains(string(created.Private), "canary") {
		t.Errorf("the private state holds the key: %s", created.Private)
	}
	w.ClearLedger()
	for more, want := range map[string]string{
		``:                      "",
		`,"triggers":{"a":"2"}`: "Idempotency key was already used: ",
		`,"priority":"BATCH"`:   "Warning: ... change idempotency_key, now or later",
		`,"triggers":{"a":"2"},"idempotency_key":"two"`: "",
	} {
		p := w.newKeyedWire(t).planAny(t, created, arguments(t, underOne+more+"}"))
		onlySays(t, more, p.Diagnostics, want)
		got := strings.Join(described(t, p.Diagnostics), "")
		if strings.Contains(got, "canary") {
			t.Errorf("the key is quoted: %s", got)
		}
		if strings.Contains(more, "priority") && strings.Contains(got, "change triggers") {
			t.Errorf("triggers alone would be an error: %s", got)
		}
	}
	w.sent(t, 0)()
}

// What the provider cannot see in a plan it notices by the id: -replace, in either order of creation
// and destroy, two resources under one key, and an action that is invoked again.
func TestKey_recognised(t *testing.T) {
	t.Parallel()
	given := arguments(t, underOne+"}")
	t.Run("destroyed and created", func(t *testing.T) {
		t.Parallel()
		w := newKeyedWire(t)
		created := w.create(t, given)
		id := w.attribute(t, created.NewState, "notification_id")
		w = w.newKeyedWire(t) // another process than the one that created it
		onlySays(t, "destroyed", w.delete(t, created), "")
		anew := w.create(t, given)
		onlySays(t, "created", anew.Diagnostics, again(id))
		w.has(t, "created", anew.NewState, map[string]any{"notification_id": id, "confirmed": true})
		w.holds(t, 1)
	})
	t.Run("created and destroyed", func(t *testing.T) {
		t.Parallel()
		w := newKeyedWire(t)
		created := w.create(t, given)
		w = w.newKeyedWire(t)
		onlySays(t, "created", w.create(t, given).Diagnostics, "")
		onlySays(t, "destroyed", w.delete(t, created),
			again(w.attribute(t, created.NewState, "notification_id")))
	})
	t.Run("two resources", func(t *testing.T) {
		t.Parallel()
		w := newKeyedWire(t)
		one, two := w.create(t, given), w.create(t, given)
		onlySays(t, "one", one.Diagnostics, "")
		onlySays(t, "two", two.Diagnostics,
			again(w.attribute(t, one.NewState, "notification_id")))
		w = w.newKeyedWire(t)
		onlySays(t, "one destroyed", w.delete(t, one), "")
		onlySays(t, "two destroyed", w.delete(t, two), "")
		w.holds(t, 1)
	})
	t.Run("action", func(t *testing.T) {
		t.Parallel()
		w := newKeyedWire(t)
		given := arguments(t, anAnnouncement+`,"idempotency_key":"canary-two"}`)
		_, first := w.invoke(t.Context(), t, given)
		progress, second := w.invoke(t.Context(), t, given)
		onlySays(t, "first", first.Diagnostics, "")
		onlySays(t, "second", second.Diagnostics, again(w.Ledger().Submissions[0].NotificationID))
		if !strings.HasPrefix(progress[1], "Nobody was notified again") {
			t.Errorf("%q", progress)
		}
		w.holds(t, 1)
	})
}

// A lost answer is fetched under the same key, and one that stays lost is kept as delivery says,
// with the ids of the first attempt.
func TestKey_lostAnswers(t *testing.T) {
	t.Parallel()
	const atMost = `,"delivery":"at_most_once"`
	for _, key := range []string{"", `,"idempotency_key":"canary-key"`} {
		for faults, more := range map[string]string{
			"reset-after": "", "reset-after,status:400": atMost,
		} {
			t.Run(faults+key, func(t *testing.T) {
				t.Parallel()
				w := newKeyedWire(t)
				if err := w.SetFaults(emulator.Faults{"submission": faults}); err != nil {
					t.Fatal(err)
				}
				resp := w.apply(t, anAnnouncement+more+key+"}")
				ledger := w.Ledger()
				if !w.isStored(t, resp) || ledger.SubmissionRequests != 2 ||
					len(ledger.Submissions) != 1 {
					t.Fatalf("after %d requests: %+v", ledger.SubmissionRequests, resp.Diagnostics)
				}
				first := ledger.Submissions[0]
				if more == "" {
					onlySays(t, faults, resp.Diagnostics, "")
					w.has(t, faults, resp.NewState,
						map[string]any{"notification_id": first.NotificationID})
					return
				}
				onlySays(t, faults, resp.Diagnostics, "Warning: Notification stored as "+
					"unconfirmed (request id ... request id "+first.RequestID)
				if strings.Contains(described(t, resp.Diagnostics)[0], "canary") {
					t.Errorf("the key is quoted: %+v", resp.Diagnostics)
				}
			})
		}
	}
}
